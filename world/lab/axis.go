package lab

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/random"
)

// mostSets limits the sets of Grid and Hypercube; mostValues limits the values of one axis.
const (
	mostSets   = 1 << 20
	mostValues = 1 << 16
)

// An Axis is a parameter and its values. Its name is the name of a column: the field's name with a
// small first letter, or the field's tag `lab:"name"`.
type Axis struct {
	Name   string
	Values []float64 // integers for an integer parameter; 0 and 1 for a bool
}

// Range returns the axis of n values from one number to another, both included, at equal distances,
// to 15 digits. It panics unless n is in [2, 65536] and both numbers are finite, and less than
// math.MaxFloat64/n in magnitude.
func Range(name string, from, to float64, n int) Axis {
	a, err := rangeOf(name, from, to, n)
	if err != nil {
		panic(err.Error())
	}
	return a
}

func rangeOf(name string, from, to float64, n int) (Axis, error) {
	if n < 2 || n > mostValues {
		return Axis{}, fmt.Errorf("lab: Range %s of %d values; give 2 to %d", name, n, mostValues)
	}
	if sum := (math.Abs(from) + math.Abs(to)) * float64(n); !(sum <= math.MaxFloat64) {
		return Axis{}, fmt.Errorf("lab: Range %s of %d values from %v to %v; give two finite "+
			"numbers, and none of the largest", name, n, from, to)
	}
	a := Axis{Name: name, Values: make([]float64, n)}
	for i := range n {
		a.Values[i] = between(from, to, i, n-1)
	}
	return a, nil
}

// between returns number i of n+1 equidistant numbers, to 15 digits: between 0.2 and 0.9 is 0.4.
func between(from, to float64, i, n int) float64 {
	x := (float64(from*float64(n-i)) + float64(to*float64(i))) / float64(n)
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 15, 64), 64)
	if err != nil { // only for the largest numbers
		return x
	}
	return short
}

// ParseAxis parses an axis: "density=0.2..0.9/8" is a [Range], "wanted=3,4,5" a list, "radius=2"
// one value.
func ParseAxis(text string) (Axis, error) {
	name, values, ok := strings.Cut(text, "=")
	if !ok || name == "" || values == "" {
		return Axis{}, badAxis(text)
	}
	if from, rest, ok := strings.Cut(values, ".."); ok {
		return parseRange(text, name, from, rest)
	}
	a := Axis{Name: name}
	for word := range strings.SplitSeq(values, ",") {
		x, err := parseNumber(text, word)
		if err != nil {
			return Axis{}, err
		}
		a.Values = append(a.Values, x)
	}
	return a, nil
}

func parseRange(text, name, from, rest string) (Axis, error) {
	to, count, _ := strings.Cut(rest, "/")
	lo, err := parseNumber(text, from)
	if err != nil {
		return Axis{}, err
	}
	hi, err := parseNumber(text, to)
	if err != nil {
		return Axis{}, err
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 2 || n > mostValues {
		return Axis{}, badAxis(text)
	}
	return rangeOf(name, lo, hi, n)
}

// parseNumber parses a number in the text of an axis.
func parseNumber(text, word string) (float64, error) {
	switch word {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("lab: %q in %q is no finite number; "+axisForms, word, text)
	}
	return x, nil
}

const axisForms = "write name=0.2..0.9/8 for 8 values from 0.2 to 0.9, name=3,4,5 for three, " +
	"or name=3"

func badAxis(text string) error {
	return fmt.Errorf("lab: %q is no parameter with values; "+axisForms, text)
}

// Grid returns base with every combination of values of the axes; the last axis varies fastest. The
// error names an axis that is listed twice or is not a parameter of P, or a value that does not fit
// its type.
func Grid[P any](base P, axes ...Axis) ([]P, error) {
	list, err := parametersFor[P](axes)
	if err != nil {
		return nil, err
	}
	total := 1
	for _, a := range axes {
		if len(a.Values) == 0 {
			const none = "lab: %q is no parameter with values: it has 0 values; " + axisForms
			return nil, fmt.Errorf(none, a.Name)
		}
		if total *= len(a.Values); total == 0 || total > mostSets {
			return nil, fmt.Errorf("lab: with the %d values of %s there are %d sets; give 1 to %d",
				len(a.Values), a.Name, total, mostSets)
		}
	}
	return fillSets(base, total, list, func(set, axis int) float64 {
		for i := len(axes) - 1; i > axis; i-- {
			set /= len(axes[i].Values)
		}
		return axes[axis].Values[set%len(axes[axis].Values)]
	})
}

// Hypercube returns n sets of parameters by Latin hypercube sampling (McKay, Beckman and Conover
// 1979): the interval of each axis, from its first to its last value, is cut into n equal parts,
// and each set has a random number from a different part. The same seed returns the same sets.
// Integers are rounded down; the last value of their axis is included.
func Hypercube[P any](base P, n int, seed uint64, axes ...Axis) ([]P, error) {
	if n < 1 || n > mostSets {
		return nil, fmt.Errorf("lab: a hypercube of %d sets; ask for 1 to %d", n, mostSets)
	}
	list, err := parametersFor[P](axes)
	if err != nil {
		return nil, err
	}
	places := make([][]float64, len(axes))
	r := systems.NewStream(seed, hypercube)
	for i, a := range axes {
		if len(a.Values) < 2 {
			return nil, fmt.Errorf("lab: axis %s has %d values; give it a first and a last one",
				a.Name, len(a.Values))
		}
		places[i] = a.places(n, &r, list[i])
	}
	return fillSets(base, n, list, func(set, axis int) float64 { return places[axis][set] })
}

// hypercube separates the streams of hypercubes from other streams of the same seed.
const hypercube = 0x6879706572637562

// places returns a number from each of n parts of an axis, in random order.
func (a Axis) places(n int, r *systems.Stream, p parameter) []float64 {
	from, to := a.Values[0], a.Values[len(a.Values)-1]
	whole := p.kind != reflect.Float32 && p.kind != reflect.Float64
	if whole {
		to++
	}
	dst := make([]float64, n)
	for i := range dst {
		part := (float64(i) + r.Float64()) / float64(n)
		if dst[i] = from + float64((to-from)*part); whole {
			dst[i] = min(math.Floor(dst[i]), to-1)
		}
	}
	random.Shuffle(dst, r)
	return dst
}

// parametersFor returns the parameters of axes. It returns an error if two axes set the same
// parameter, because the second would overwrite the first.
func parametersFor[P any](axes []Axis) (of []parameter, err error) {
	list, err := parametersOf(reflect.TypeFor[P]())
	if err != nil {
		return nil, err
	}
	for _, a := range axes {
		p, err := named(list, a.Name)
		if err == nil && slices.Contains(of, p) {
			err = fmt.Errorf("lab: axis %s is given twice; give all its values in one", a.Name)
		}
		if err != nil {
			return nil, err
		}
		of = append(of, p)
	}
	return of, nil
}

// fillSets returns n copies of base with the axes' parameters set.
func fillSets[P any](base P, n int, list []parameter, at func(set, axis int) float64) ([]P, error) {
	sets := make([]P, n)
	for i := range sets {
		sets[i] = base
		for j, p := range list {
			if err := p.set(reflect.ValueOf(&sets[i]).Elem(), at(i, j)); err != nil {
				return nil, err
			}
		}
	}
	return sets, nil
}

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
		if strings.Contains(name, "=") {
			return nil, fmt.Errorf("lab: field %s of %v has the name %q, and = ends a name in "+
				"axes; give it another tag", f.Name, t, name)
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

// named returns the parameter called name. The error lists the existing parameters.
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

// value returns the value of a parameter.
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
	}
	x := f.Float()
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Value{}, fmt.Errorf("lab: parameter %s is %v; give it a finite number", p.name, x)
	}
	v := floatValue(x)
	v.narrow = p.kind == reflect.Float32 // the shortest text: 0.2 stays 0.2
	return v, nil
}

// set sets a parameter to a number.
func (p parameter) set(set reflect.Value, x float64) error {
	f, whole := set.Field(p.index), x == math.Trunc(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0): // no parameter accepts these
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
	return fmt.Errorf("lab: parameter %s cannot be %v; give values of type %v", p.name, x, f.Type())
}
