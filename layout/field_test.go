package layout_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

type (
	team   uint8
	energy float32
	vec3   struct{ X, Y, Z float32 }
	pose   struct {
		vec3
		Turn [2][2]energy
	}
	crew struct {
		Lead  gameobject.ID
		Score uint64
		Pairs [2]struct{ A, B gameobject.ID }
	}
)

func TestFieldSpec(t *testing.T) {
	half := float16.Fromfloat32
	for _, c := range []struct {
		name  string
		field layout.AnyField
		typed string
		lanes int
		size  int
		zero  bool
		value []byte
	}{
		{"int8", layout.NewField[int8]("f", -1), "int8", 1, 1, false, []byte{0xff}},
		{"uint8", layout.NewField[[3]uint8]("f"), "uint8", 3, 1, true, make([]byte, 3)},
		{"int16", layout.NewField("f", [2]int16{1, -2}), "int16", 2, 2, false, []byte{1, 0, 0xfe, 0xff}},
		{"uint16", layout.NewField("f", [2]uint16{0x0102, 0x0102}), "uint16", 2, 2, false, []byte{2, 1, 2, 1}},
		{"int32", layout.NewField[int32]("f", -2), "int32", 1, 4, false, []byte{0xfe, 0xff, 0xff, 0xff}},
		{"uint32", layout.NewField[uint32]("f", 7), "uint32", 1, 4, false, []byte{7, 0, 0, 0}},
		{"int64", layout.NewField[int64]("f", 7), "int64", 1, 8, false, []byte{7, 0, 0, 0, 0, 0, 0, 0}},
		{"uint64", layout.NewField[uint64]("f", 1<<56), "uint64", 1, 8, false, []byte{0, 0, 0, 0, 0, 0, 0, 1}},
		{"float32", layout.NewField[float32]("f", 1), "float32", 1, 4, false, []byte{0, 0, 0x80, 0x3f}},
		{"float64", layout.NewField[float64]("f", 1), "float64", 1, 8, false, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
		{"half precision", layout.NewField("f", [2]float16.Float16{half(1), half(1)}), "uint16", 2, 2, false, []byte{0, 0x3c, 0, 0x3c}},
		{"named", layout.NewField("f", [2]team{team(9), team(9)}), "uint8", 2, 1, false, []byte{9, 9}},
		{"struct", layout.NewField("f", vec3{1, 2, 3}), "float32", 3, 4, false, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40}},
		{"nested", layout.NewField[[2]pose]("f"), "float32", 14, 4, true, make([]byte, 56)},
		{"ids", layout.NewField[[8]gameobject.ID]("f"), "uint64", 8, 8, true, make([]byte, 64)},
		{"no default", layout.NewField[[4]energy]("f"), "float32", 4, 4, true, make([]byte, 16)},
		{"zeros", layout.NewField("f", [2]energy{energy(0), 0}), "float32", 2, 4, true, make([]byte, 8)},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.field.Spec()
			assert.Equal(t, "f", s.Name)
			typed, lanes := s.Flat()
			assert.Equal(t, c.typed, typed)
			assert.Equal(t, c.lanes, lanes)
			assert.Equal(t, c.lanes*c.size, s.Stride)
			assert.Equal(t, c.value, s.Default)
			assert.Equal(t, c.zero, s.Zero)
			assert.Nil(t, s.Kind, "of no kind yet")
		})
	}
}

func TestNegativeZeroIsNoZeroDefault(t *testing.T) {
	s := layout.NewField("f", float32(math.Copysign(0, -1))).Spec()
	assert.False(t, s.Zero)
	assert.Equal(t, []byte{0, 0, 0, 0x80}, s.Default)
}

func TestReferences(t *testing.T) {
	type alike gameobject.ID // is no id
	for _, c := range []struct {
		field layout.AnyField
		refs  []int
	}{
		{layout.NewField[gameobject.ID]("f"), []int{0}},
		{layout.NewField[[3]gameobject.ID]("f"), []int{0, 8, 16}},
		{layout.NewField[crew]("f"), []int{0, 16, 24, 32, 40}},
		{layout.NewField[[2]crew]("f"), []int{0, 16, 24, 32, 40, 48, 64, 72, 80, 88}},
		{layout.NewField[alike]("f"), nil},
		{layout.NewField[uint64]("f"), nil},
	} {
		assert.Equal(t, c.refs, c.field.Spec().Refs)
	}
}

func TestNewComponent(t *testing.T) {
	f := layout.NewComponent("velocity", vec3{Y: 5})
	assert.Equal(t, "velocity", f.Kind().String())
	assert.Equal(t, []*layout.FieldSpec{f.Spec()}, f.Kind().Fields())
	assert.Equal(t, f.Kind().Spec(), f.Spec().Kind)
	assert.Zero(t, testing.AllocsPerRun(10, func() { f.Kind() }))
}

func TestValue(t *testing.T) {
	f := layout.NewField[[2]uint16]("f")
	v := f.Value([2]uint16{1, 2})
	assert.Equal(t, f.Spec(), v.Field)
	assert.Equal(t, []byte{1, 0, 2, 0}, v.Bytes())

	var long [65]byte
	long[64] = 7
	large := layout.NewField[[65]byte]("large")
	v = large.Value(long)
	assert.Equal(t, long[:], v.Bytes())
	assert.Zero(t, testing.AllocsPerRun(10, func() { v := large.Value(long); _ = v.Bytes()[63] }))
	twin := v
	twin.Bytes()[64] = 8
	assert.Equal(t, byte(8), v.Bytes()[64], "copies share the bytes")
	assert.Equal(t, byte(7), long[64], "which are the value's own")
}

func TestRowsAndFlat(t *testing.T) {
	f := layout.NewField[[2]team]("f")
	b := []byte{1, 2, 3, 4}
	rows := f.Rows(b)
	assert.Equal(t, [][2]team{{1, 2}, {3, 4}}, rows)
	layout.Flat[uint8](f, rows)[2] = 9
	assert.Equal(t, []byte{1, 2, 9, 4}, b, "in place")
	assert.Equal(t, []team{1, 2, 9, 4}, layout.Flat[team](f, rows))
	refused(t, `field f is made of uint8 × 2, not of int8 alone; view it as what it is made of`,
		func() { layout.Flat[int8](f, rows) })
	mixed := layout.NewField[weapon]("weapon")
	refused(t, `field weapon is made of Owner id × 1, Targets id × 2, Pos.X float32 × 1,`,
		func() { layout.Flat[float32](mixed, make([]weapon, 1)) })
	flags := layout.NewField[[4]bool]("flags")
	refused(t, `field flags is made of bool × 4, not of uint8 alone`,
		func() { layout.Flat[uint8](flags, make([][4]bool, 1)) })
	points := layout.NewField[vec3]("points")
	assert.Equal(t, []float32{1, 2, 3}, layout.Flat[float32](points, []vec3{{1, 2, 3}}))
	assert.Panics(t, func() { f.Rows(make([]byte, 3)) }, "no whole number of values")
}

func TestFieldFields(t *testing.T) {
	f := layout.NewField[[2]uint16]("f")
	assert.Equal(t, []*layout.FieldSpec{f.Spec()}, f.Fields())
}

func TestFieldRefused(t *testing.T) {
	type inner struct {
		A uint8
		B float32
	}
	type node struct{ Next *node }
	for name, c := range map[string]struct {
		declare func()
		message string
	}{
		"no name":      {declare[uint8](""), "layout: a field needs a name"},
		"two defaults": {func() { layout.NewField[uint16]("x", 1, 2) }, "field x has more than one default; give one"},
		"pointer":      {declare[*uint8]("x"), `field "x": *uint8 is of kind pointer; only numbers lie in flat bytes`},
		"recursive":    {declare[node]("x"), `layout_test.node.Next is of kind pointer; only numbers`},
		"slice":        {declare[struct{ S [2][]uint8 }]("x"), "}.S[0] is of kind slice; only numbers lie in flat bytes: declare a list"},
		"map":          {declare[map[uint8]uint8]("x"), "keep a GameObject in place of a pointer, or declare the kind by NewValues"},
		"interface":    {declare[any]("x"), "only numbers lie in flat bytes"},
		"function":     {declare[func()]("x"), "only numbers lie in flat bytes"},
		"channel":      {declare[chan uint8]("x"), "only numbers lie in flat bytes"},
		"string":       {declare[struct{ Name string }]("x"), ".Name is of kind string; declare a text by NewText"},
		"int":          {declare[int]("x"), `field "x": int is of kind int; its width differs between machines: use int32 or int64`},
		"uint":         {declare[[2]uint]("x"), "[2]uint[0] is of kind uint; its width differs between machines: use uint32"},
		"uintptr":      {declare[uintptr]("x"), "its width differs between machines: use uint32 or uint64"},
		"complex":      {declare[complex64]("x"), "use an array of two floats"},
		"padding":      {declare[inner]("x"), "inner.B comes after 3 bytes of padding, whose content is left to chance; order fields"},
		"padded end": {
			declare[struct {
				B uint32
				A uint8
			}]("x"), "ends in 3 bytes of padding, whose content is left to chance; name the gap",
		},
		"padding where int64 is aligned": {
			declare[struct {
				A [1]int32
				B int64
			}]("x"), ".B comes after 4 bytes of padding",
		},
		"padded end where int64 is aligned": {
			declare[struct {
				B int64
				A [3]uint16
			}]("x"), "ends in 2 bytes of padding",
		},
		"padding within":     {declare[struct{ P, Q inner }]("x"), "}.P.B comes after 3 bytes of padding"},
		"embedded pointer":   {declare[struct{ *vec3 }]("x"), ".vec3 is of kind pointer"},
		"embedded interface": {declare[struct{ error }]("x"), ".error is of kind interface"},
		"padded array":       {declare[[2][1]inner]("x"), "[0][0].B comes after 3 bytes of padding"},
		"blank":              {declare[struct{ A, _ float32 }]("x"), "has a blank field, which Go does not copy; give it a name, or keep a number in place of the type"},
		"no bytes":           {declare[struct{}]("x"), "has no bytes; leave it out, or declare a mark"},
		"no elements":        {declare[[0]uint8]("x"), "has no bytes; leave it out, or declare a mark"},
		"nothing inside":     {declare[struct{ A struct{} }]("x"), "has no bytes"},
		"no bytes first": {
			declare[struct {
				Z [0]float32
				A float32
			}]("x"), ".Z has no bytes; leave it out",
		},
		"no bytes last": {
			declare[struct {
				A float32
				Z struct{}
			}]("x"), ".Z has no bytes; leave it out",
		},
		"nothing, often": {declare[[0][1 << 20]float64]("x"), "has no bytes"},
		"too large":      {declare[[8193]float64]("x"), "[8193]float64 takes 65544 bytes; one field may have 65536 bytes at most; declare several"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.message, c.declare) })
	}
	assert.Equal(t, layout.MaxStride, layout.NewField[[8192]float64]("armour").Spec().Stride)
}

func declare[T any](name string) func() { return func() { layout.NewField[T](name) } }

// refused checks that declare panics with a sentence that ends in message.
func refused(t *testing.T, message string, declare func()) {
	t.Helper()
	defer func() {
		text, ok := recover().(string)
		require.True(t, ok, "panics with a sentence")
		assert.Contains(t, text, message)
	}()
	declare()
}

type placed struct {
	Number uint32
	Turn   float32
	Pos    struct{ X, Y float64 }
	Way    [2]float32
}

func TestAxes(t *testing.T) {
	f := layout.NewField[placed]("placed")
	assert.Equal(t, []string{"Turn", "Pos.X", "Pos.Y", "Way[0]", "Way[1]"}, f.Axes())
	assert.Equal(t, []string{"[0]", "[1]", "[2]"}, layout.NewField[[3]float32]("xyz").Axes())
	assert.Equal(t, []string{"[0]"}, layout.NewField[float64]("x").Axes())
	assert.Empty(t, layout.NewField[uint32]("n").Axes())

	v := placed{7, 1, struct{ X, Y float64 }{2, 3}, [2]float32{4, 5}}
	values, got := []placed{v, {Turn: -1}}, make([]float64, 2)
	for i, name := range f.Axes() {
		a := f.Axis(name)
		assert.InDelta(t, float64(i+1), a.Of(&v), 0, name)
		a.Read(got, values)
		assert.InDelta(t, a.Of(&values[0]), got[0], 0, name)
		assert.InDelta(t, a.Of(&values[1]), got[1], 0, name)
	}
	assert.PanicsWithValue(t, `layout: field placed has no axis "Pos"; its float32 and float64 are: `+
		"Turn, Pos.X, Pos.Y, Way[0], Way[1]", func() { f.Axis("Pos") })
	assert.PanicsWithValue(t, "layout: the zero Axis has no field; get one by Field.Axis",
		func() { layout.Axis[placed]{}.Of(&v) })
	assert.PanicsWithValue(t, "layout: the zero Axis has no field; get one by Field.Axis",
		func() { layout.Axis[placed]{}.Read(got, values) })
	assert.PanicsWithValue(t, "layout: Axis.Read of 2 values into 1 numbers; give as many",
		func() { f.Axis("Turn").Read(got[:1], values) })
}
