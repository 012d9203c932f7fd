package lab

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A parameter is a field of a struct of parameters.
type parameter struct {
	name  string
	index int
	kind  reflect.Kind
}

// parametersOf lists the fields of a struct of parameters, in their order. The name of a field is
// its Go name with a small first letter, or its tag: `lab:"name"`.
func parametersOf(t reflect.Type) ([]parameter, error) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("lab: parameters are a %v; declare a struct of them", t)
	}
	var list []parameter
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() || !isValue(f.Type.Kind()) {
			return nil, fmt.Errorf("lab: field %s of %v is a %v; parameters are exported fields "+
				"of numbers, bool and string", f.Name, t, f.Type)
		}
		name := f.Tag.Get("lab")
		if name == "" {
			first, size := utf8.DecodeRuneInString(f.Name)
			name = string(unicode.ToLower(first)) + f.Name[size:]
		}
		list = append(list, parameter{name: name, index: i, kind: f.Type.Kind()})
	}
	return list, nil
}

func isValue(k reflect.Kind) bool {
	switch k {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	default:
		return false
	}
}

// named returns the parameter of a name. The error lists those that there are.
func named(list []parameter, name string) (parameter, error) {
	var names []string
	for _, p := range list {
		if p.name == name {
			return p, nil
		}
		names = append(names, p.name)
	}
	return parameter{}, fmt.Errorf("lab: there is no parameter %s; give one of %s",
		name, strings.Join(names, ", "))
}

// value returns a value of a parameter.
func (p parameter) value(f reflect.Value) (Value, error) {
	switch {
	case f.Kind() == reflect.Bool:
		return boolValue(f.Bool()), nil
	case f.Kind() == reflect.String:
		return textValue(f.String()), nil
	case f.CanInt():
		return intValue(f.Int()), nil
	case f.CanUint():
		return uintValue(f.Uint()), nil
	default:
		return p.float(f)
	}
}

// float keeps the shortest text of a float32: 0.2 stays 0.2.
func (p parameter) float(f reflect.Value) (Value, error) {
	x := f.Float()
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Value{}, fmt.Errorf("lab: parameter %s is %v; give it a finite number", p.name, x)
	}
	v := floatValue(x)
	v.narrow = p.kind == reflect.Float32
	return v, nil
}

// set sets a parameter of a set to a number.
func (p parameter) set(set reflect.Value, x float64) error {
	f, whole := set.Field(p.index), x == math.Trunc(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0): // no parameter is
	case f.CanFloat():
		if !f.OverflowFloat(x) {
			f.SetFloat(x)
			return nil
		}
	case f.CanInt() && whole && math.Abs(x) <= 1<<53 && !f.OverflowInt(int64(x)):
		f.SetInt(int64(x))
		return nil
	case f.CanUint() && whole && x >= 0 && x <= 1<<53 && !f.OverflowUint(uint64(x)):
		f.SetUint(uint64(x))
		return nil
	case f.Kind() == reflect.Bool && (x == 0 || x == 1):
		f.SetBool(x == 1)
		return nil
	}
	return fmt.Errorf("lab: parameter %s is %v; a value of it is a %v", p.name, x, f.Type())
}
