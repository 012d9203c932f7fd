package layout_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/gameobject"
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

type (
	state  uint16
	slot   struct{ Ammo, Kind int16 }
	weapon struct {
		Owner   gameobject.ID
		Targets [2]gameobject.ID
		Pos     vec3
		Heat    [2]float32
		Slots   [2]slot
		Half    float16.Float16
		State   state
		Ready   bool
		Flags   [2]bool
		Rest    [5]int8
	}
	within struct {
		vec3
		Alive [4]bool
	}
)

func TestParts(t *testing.T) {
	type part = layout.Part
	for _, c := range []struct {
		name  string
		field layout.AnyField
		parts []part
	}{
		{"number", layout.NewField[int8]("f"), []part{{"", "int8", 1, 0}}},
		{"bool", layout.NewField("f", true), []part{{"", "bool", 1, 0}}},
		{"float16", layout.NewField[float16.Float16]("f"), []part{{"", "float16", 1, 0}}},
		{"enum", layout.NewField[state]("f"), []part{{"", "uint16", 1, 0}}},
		{"id", layout.NewField[gameobject.ID]("f"), []part{{"", "id", 1, 0}}},
		{"array", layout.NewField[[3]float32]("f"), []part{{"", "float32", 3, 0}}},
		{"array of arrays", layout.NewField[[2][3]energy]("f"), []part{{"", "float32", 6, 0}}},
		{"struct", layout.NewField[vec3]("f"), []part{
			{"X", "float32", 1, 0}, {"Y", "float32", 1, 4}, {"Z", "float32", 1, 8},
		}},
		{"array of structs", layout.NewField[[2]slot]("f"), []part{
			{"[0].Ammo", "int16", 1, 0},
			{"[0].Kind", "int16", 1, 2},
			{"[1].Ammo", "int16", 1, 4},
			{"[1].Kind", "int16", 1, 6},
		}},
		{"arrays of arrays of structs", layout.NewField[[1][2]struct{ A [2]bool }]("f"), []part{
			{"[0][0].A", "bool", 2, 0}, {"[0][1].A", "bool", 2, 2},
		}},
		{"embedded", layout.NewField[within]("f"), []part{
			{"vec3.X", "float32", 1, 0},
			{"vec3.Y", "float32", 1, 4},
			{"vec3.Z", "float32", 1, 8},
			{"Alive", "bool", 4, 12},
		}},
		{"mixed", layout.NewField[weapon]("f"), []part{
			{"Owner", "id", 1, 0},
			{"Targets", "id", 2, 8},
			{"Pos.X", "float32", 1, 24},
			{"Pos.Y", "float32", 1, 28},
			{"Pos.Z", "float32", 1, 32},
			{"Heat", "float32", 2, 36},
			{"Slots[0].Ammo", "int16", 1, 44},
			{"Slots[0].Kind", "int16", 1, 46},
			{"Slots[1].Ammo", "int16", 1, 48},
			{"Slots[1].Kind", "int16", 1, 50},
			{"Half", "float16", 1, 52},
			{"State", "uint16", 1, 54},
			{"Ready", "bool", 1, 56},
			{"Flags", "bool", 2, 57},
			{"Rest", "int8", 5, 59},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.parts, c.field.Spec().Parts)
			f, err := layout.FieldSpec{Name: "f", Parts: c.parts, Default: c.field.Spec().Default}.Foreign()
			require.NoError(t, err)
			assert.Equal(t, c.field.Spec(), f.Spec(), "the same from elsewhere")
		})
	}
}

func TestManyParts(t *testing.T) {
	f := layout.NewField[[layout.MaxStride / 2]struct{ A, B uint8 }]("f").Spec()
	assert.Len(t, f.Parts, layout.MaxStride)
	assert.Equal(t, layout.Part{"[32767].B", "uint8", 1, layout.MaxStride - 1}, f.Parts[layout.MaxStride-1])
	assert.Contains(t, f.Shape(), "[7].B uint8 × 1, … 65520 more")
}

func TestPartsThatNoTypeHas(t *testing.T) {
	type part = layout.Part
	for name, c := range map[string]struct {
		parts   []part
		bytes   int
		message string
	}{
		"none":             {nil, 0, "of 0 parts"},
		"no element":       {[]part{{"", "int", 1, 0}}, 8, `has type "int", which is no element`},
		"no lanes":         {[]part{{"", "int8", 0, 0}}, 0, "has 0 lanes"},
		"fewer than none":  {[]part{{"", "int8", -1, 0}}, 0, "has -1 lanes"},
		"too many":         {[]part{{"", "int16", 1<<15 + 1, 0}}, 8, "has 32769 lanes, after 0 bytes of 65536"},
		"too many in all":  {[]part{{"A", "int8", 60000, 0}, {"B", "int8", 6000, 60000}}, 8, "part B has 6000 lanes, after 60000"},
		"a gap":            {[]part{{"A", "int32", 1, 0}, {"B", "int32", 1, 8}}, 12, "part B begins at 8, and what is before it ends at 4"},
		"an overlap":       {[]part{{"A", "int32", 1, 0}, {"B", "int16", 1, 2}}, 4, "part B begins at 2"},
		"before the value": {[]part{{"A", "int32", 1, -4}}, 4, "part A begins at -4"},
		"far away":         {[]part{{"A", "int32", 1, 0}, {"B", "int32", 1, 1 << 30}}, 8, "part B begins at 1073741824"},
		"not aligned":      {[]part{{"A", "int16", 1, 0}, {"B", "int32", 1, 2}}, 6, "part B begins at 2"},
		"an end of gaps":   {[]part{{"A", "int32", 1, 0}, {"B", "int16", 1, 4}}, 6, "6 bytes are no multiple of its largest element, of 4"},
		"no name":          {[]part{{"A", "int8", 1, 0}, {"", "int8", 1, 1}}, 2, "part 1 has no name"},
		"two of a name":    {[]part{{"A", "int8", 1, 0}, {"A", "int8", 1, 1}}, 2, "that of another, A"},
		"another default":  {[]part{{"A", "int8", 1, 0}}, 2, "1 bytes, and 2 of default"},
	} {
		_, err := layout.FieldSpec{Name: "f", Parts: c.parts, Default: make([]byte, c.bytes)}.Foreign()
		require.ErrorContains(t, err, c.message, name)
	}
	_, err := layout.FieldSpec{Name: "f", Parts: []part{{"On", "bool", 2, 0}}, Default: []byte{1, 3}}.Foreign()
	require.ErrorContains(t, err, "the default of f.On in row 0 holds a bool that is 3; it can be 0 or 1")
}

func TestBoolsAreChecked(t *testing.T) {
	f := layout.NewComponent[weapon]("gun")
	rows := make([]byte, 3*f.Spec().Stride)
	require.NoError(t, f.Spec().Check(rows, 0))
	rows[2*f.Spec().Stride+57] = 1
	require.NoError(t, f.Spec().Check(rows, 0))
	rows[2*f.Spec().Stride+58] = 2
	require.EqualError(t, f.Spec().Check(rows, 10),
		"gun.Flags in row 12 holds a bool that is 2; it can be 0 or 1")
	refused(t, "1 bytes are no whole number of values of gun, 64 bytes each", func() {
		_ = f.Spec().Check(rows[:1], 0)
	})
}

func TestTitles(t *testing.T) {
	alone := layout.NewComponent[vec3]("position").Spec()
	assert.Equal(t, "position.X", alone.Title(alone.Parts[0]))
	assert.Equal(t, "position", alone.Title(layout.Part{}))
	slots, owner := layout.NewField[[2]slot]("slots").Spec(), layout.NewField[gameobject.ID]("gun")
	assert.Equal(t, "slots[1].Kind", slots.Title(slots.Parts[3]), "of no kind yet")
	layout.NewKind("gun", owner, layout.NewField[bool]("on"))
	assert.Equal(t, "gun.gun", owner.Spec().Title(owner.Spec().Parts[0]))
	assert.Equal(t, `position."\x1b[2J"`, alone.Title(layout.Part{Name: "\x1b[2J"}))
}

func TestSame(t *testing.T) {
	type (
		named  struct{ X, Y, Z energy }
		turned struct{ Y, X, Z float32 }
		more   struct{ X, Y, Z, W float32 }
	)
	spec := func(f layout.AnyField) *layout.FieldSpec { return f.Spec() }
	point := spec(layout.NewField[vec3]("f"))
	for name, c := range map[string]struct {
		other layout.AnyField
		same  bool
	}{
		"itself":             {layout.NewField[vec3]("g"), true},
		"named elements":     {layout.NewField[named]("f"), true},
		"an array":           {layout.NewField[[3]float32]("f"), true},
		"another array":      {layout.NewField[[3]int32]("f"), false},
		"a shorter array":    {layout.NewField[[2]float32]("f"), false},
		"fields in an order": {layout.NewField[turned]("f"), false},
		"more fields":        {layout.NewField[more]("f"), false},
	} {
		assert.Equal(t, c.same, point.Same(c.other.Spec()), name)
		assert.Equal(t, c.same, c.other.Spec().Same(point), name)
	}
	id, number := spec(layout.NewField[gameobject.ID]("f")), spec(layout.NewField[uint64]("f"))
	assert.True(t, id.Same(number), "an id is a uint64")
	assert.True(t, strings.HasPrefix(id.Shape(), "id"))
}
