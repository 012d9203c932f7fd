package layout_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

func TestKindSpec(t *testing.T) {
	speed, side := layout.NewField[[3]float32]("speed"), layout.NewField[uint8]("side")
	body := layout.NewKind("body", speed, side)
	s := body.Spec()
	assert.Equal(t, "body", s.Name)
	assert.Equal(t, "body", body.String())
	assert.Equal(t, []*layout.FieldSpec{speed.Spec(), side.Spec()}, s.Fields)
	assert.Equal(t, s.Fields, body.Fields())
	assert.False(t, s.Mark)
	assert.Nil(t, s.Values)
	for i, f := range s.Fields {
		assert.Same(t, s, f.Kind, "the field knows its kind")
		assert.Equal(t, i, f.Index, "and its place")
	}
	assert.Equal(t, layout.Count{Kind: body, Rows: 1000}, body.Count(1000))
}

func TestKindsWithoutFields(t *testing.T) {
	bare, mark := layout.NewKind("bare"), layout.NewMark("frozen")
	assert.Empty(t, bare.Fields())
	assert.False(t, bare.Spec().Mark, "it has rows")
	assert.Empty(t, mark.Fields())
	assert.True(t, mark.Spec().Mark)
}

func TestKindNumbersAreDense(t *testing.T) {
	first := layout.NewKind("a").Spec().Number
	assert.Equal(t, first+1, layout.NewMark("b").Spec().Number)
	assert.Equal(t, first+2, layout.NewValues("c", "").Kind().Spec().Number)
	assert.Equal(t, first+3, layout.NewKind("d").Spec().Number)
}

func TestKindRefused(t *testing.T) {
	field := func(name string) layout.Field[uint8] { return layout.NewField[uint8](name) }
	taken := field("taken")
	layout.NewKind("owner", taken)
	for _, c := range []struct {
		name    string
		declare func()
		message string
	}{
		{"no name", func() { layout.NewKind("", field("f")) }, "layout: a kind needs a name"},
		{"mark without a name", func() { layout.NewMark("") }, "layout: a kind needs a name"},
		{"values without a name", func() { layout.NewValues("", 0) }, "layout: a kind needs a name"},
		{
			"two fields of one name",
			func() { layout.NewKind("body", field("speed"), field("speed")) },
			`layout: kind "body" has two fields named "speed"; rename one`,
		},
		{
			"a field of another kind",
			func() { layout.NewKind("body", taken) },
			`layout: field "taken" of kind "body" belongs to kind "owner" already; declare a second field`,
		},
		{
			"one field twice",
			func() { f := field("f"); layout.NewKind("body", f, f) },
			`layout: kind "body" has two fields named "f"; rename one`,
		},
		{
			"an order twice",
			func() {
				order := layout.NewField[uint32]("order")
				layout.NewRelation("in", layout.Relation{Order: order, Fields: []layout.AnyField{order}})
			},
			"layout: relation in has its Order in its Fields; leave it out there",
		},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, c.message, c.declare) })
	}
	assert.Equal(t, "owner", taken.Spec().Kind.Name, "a refusal changes nothing")
}

func TestValues(t *testing.T) {
	names := layout.NewValues("name", "nobody")
	assert.Equal(t, "name", names.Kind().String())
	assert.Equal(t, layout.Count{Kind: names.Kind(), Rows: 3}, names.Count(3))
	assert.Empty(t, names.Kind().Fields())

	made := names.Kind().Spec().Values.Make(3)
	column, ok := made.(*layout.ValueSlice[string])
	require.True(t, ok)
	assert.Equal(t, []string{"nobody", "nobody", "nobody"}, column.Rows, "filled with the default")

	column.Rows[0], column.Rows[1] = "a", "b"
	copied := names.Kind().Spec().Values.Make(3)
	copied.Copy(made, 3)
	column.Reset(0)
	assert.Equal(t, []string{"nobody", "b", "nobody"}, column.Rows)
	assert.Equal(t, []string{"a", "b", "nobody"}, copied.(*layout.ValueSlice[string]).Rows)
}

func TestKindsCountThoseWithoutACountAsFree(t *testing.T) {
	place := layout.NewComponent[float32]("place")
	gun := layout.NewKind("gun")
	hidden := layout.NewMark("hidden")
	names := layout.NewValues("names", "")

	assert.Equal(t, []layout.Count{
		{Kind: place.Kind(), Free: true},
		{Kind: gun, Rows: 100},
		{Kind: hidden}, // has no rows
		{Kind: names.Kind(), Free: true},
		{Kind: place.Kind(), Rows: 3},
	}, layout.Kinds(place, gun.Count(100), hidden, names, place.Count(3)))
	assert.PanicsWithValue(t, "layout: kind 1 of Kinds is nil; declare one by NewKind",
		func() { layout.Kinds(gun, nil) })
}

func TestForeignKindsShareTheirNumbers(t *testing.T) {
	notes := layout.NewValues[[]byte]("notes", nil).Kind().Spec()
	field := func() layout.AnyField {
		f, err := layout.FieldSpec{Name: "f", Parts: []layout.Part{{Type: "int16", Lanes: 1}}, Default: []byte{1, 0}}.Foreign()
		require.NoError(t, err)
		return f
	}
	a := layout.KindSpec{Name: "a"}.Foreign(0, field())
	b := layout.KindSpec{Name: "b", Mark: true}.Foreign(1)
	again := layout.KindSpec{Name: "c", Values: notes.Values}.Foreign(0)
	assert.Equal(t, a.Spec().Number, again.Spec().Number)
	assert.NotEqual(t, a.Spec().Number, b.Spec().Number)
	assert.Equal(t, 1, a.Spec().Place)
	assert.Equal(t, a.Spec(), a.Spec().Fields[0].Kind)
	assert.True(t, b.Spec().Mark)
	assert.NotNil(t, again.Spec().Values)
	assert.Zero(t, layout.NewKind("own").Spec().Place)
	assert.Panics(t, func() { layout.KindSpec{}.Foreign(0) })
}

func TestSizesOfElements(t *testing.T) {
	for _, f := range []layout.AnyField{
		layout.NewField[int8]("f"), layout.NewField[uint16]("f"), layout.NewField[float64]("f"),
	} {
		p := f.Spec().Parts[0]
		assert.Equal(t, f.Spec().Stride, layout.Part{Type: p.Type}.Size())
		assert.Equal(t, f.Spec().Stride, p.Size())
	}
	assert.Zero(t, layout.Part{Type: "string"}.Size())
}

func TestQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"velocity":             "velocity",
		"super hero":           "super hero",
		"Max-Speed_2.x":        "Max-Speed_2.x",
		"Guns[3].Ammo":         `Guns[3].Ammo`,
		"":                     `""`,
		" space":               `" space"`,
		"space ":               `"space "`,
		"größe":                `"größe"`,
		"a\nforged: line":      `"a\nforged: line"`,
		"\x1b[2Jcleared":       `"\x1b[2Jcleared"`,
		"\xff\xfe":             `"\xff\xfe"`,
		"\u009b31m":            `"\u009b31m"`,
		"\u202etxt":            `"\u202etxt"`,
		"x: fields":            `"x: fields"`,
		"a, b":                 `"a, b"`,
		"{":                    `"{"`,
		"`":                    "\"`\"",
		"@":                    `"@"`,
		"quote\"":              `"quote\""`,
		"readers of explosion": "readers of explosion",
	} {
		assert.Equal(t, want, layout.Quoted(name))
	}
}
