package lab

import (
	"math"
	"reflect"
	"strconv"
)

// A Value is one cell of a table: a number, a bool, a text, or missing, like the mean of no
// objects. The zero Value is missing.
type Value struct {
	form   form
	narrow bool   // a float32
	hash   bool   // a digest
	bits   uint64 // of the number, or 1 for true
	text   string
}

type form uint8

const (
	nothing form = iota
	isInt
	isUint
	isFloat
	isBool
	isText
)

func intValue(x int64) Value     { return Value{form: isInt, bits: uint64(x)} }
func uintValue(x uint64) Value   { return Value{form: isUint, bits: x} }
func floatValue(x float64) Value { return Value{form: isFloat, bits: math.Float64bits(x)} }
func textValue(x string) Value   { return Value{form: isText, text: x} }

func boolValue(x bool) Value {
	if x {
		return Value{form: isBool, bits: 1}
	}
	return Value{form: isBool}
}

// cellOf returns the value of a reporter's column: a digest with the bits of x, or a number; NaN is
// a missing value.
func cellOf(x float64, hash bool) Value {
	switch {
	case hash:
		return Value{form: isUint, hash: true, bits: math.Float64bits(x)}
	case math.IsNaN(x):
		return Value{}
	}
	return floatValue(x)
}

// Float64 returns the number in v; true is 1. It returns false for texts and missing values.
func (v Value) Float64() (x float64, ok bool) {
	switch v.form {
	case isInt:
		return float64(int64(v.bits)), true
	case isUint, isBool:
		return float64(v.bits), true
	case isFloat:
		return math.Float64frombits(v.bits), true
	case nothing, isText:
	}
	return 0, false
}

// Kind returns the kind of v: reflect.Int64, Uint64, Float64, Bool or String, or Invalid if v is
// missing.
func (v Value) Kind() reflect.Kind {
	return [...]reflect.Kind{
		nothing: reflect.Invalid, isInt: reflect.Int64, isUint: reflect.Uint64,
		isFloat: reflect.Float64, isBool: reflect.Bool, isText: reflect.String,
	}[v.form]
}

// Int64 returns the integer in v; ok is false if v is not an integer, or too large.
func (v Value) Int64() (x int64, ok bool) {
	return int64(v.bits), v.form == isInt || v.form == isUint && v.bits <= math.MaxInt64
}

// Uint64 returns the integer in v; ok is false if v is not an integer, or negative.
func (v Value) Uint64() (x uint64, ok bool) {
	return v.bits, v.form == isUint || v.form == isInt && int64(v.bits) >= 0
}

// Missing reports whether v is missing.
func (v Value) Missing() bool { return v.form == nothing }

// String returns v as a table shows it: the shortest text that gives the number again, the 16
// hexadecimal digits of a digest, true or false, the text, or an empty text if v is missing.
func (v Value) String() string { return string(v.append(nil)) }

// plain returns v as text, where whole numbers of all types look alike.
func (v Value) plain() string {
	if x, _ := v.Float64(); v.form == isFloat && x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
		return strconv.FormatInt(int64(x), 10)
	}
	return v.String()
}

func (v Value) append(dst []byte) []byte {
	switch v.form {
	case isInt:
		return strconv.AppendInt(dst, int64(v.bits), 10)
	case isUint:
		if v.hash {
			return appendHash(dst, v.bits)
		}
		return strconv.AppendUint(dst, v.bits, 10)
	case isFloat:
		size := 64
		if v.narrow {
			size = 32
		}
		return strconv.AppendFloat(dst, math.Float64frombits(v.bits), 'g', -1, size)
	case isBool:
		return strconv.AppendBool(dst, v.bits == 1)
	case isText:
		return append(dst, v.text...)
	case nothing:
	}
	return dst
}

// appendHash appends 16 hexadecimal digits.
func appendHash(dst []byte, hash uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[hash>>shift&15])
	}
	return dst
}
