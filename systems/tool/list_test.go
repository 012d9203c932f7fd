package tool_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

type stack struct {
	What  uint32
	Count [2]uint16
}

var (
	bag    = layout.NewList[stack]("bag")
	path   = layout.NewListField[float32]("path")
	crew   = layout.NewListField[systems.GameObject]("crew")
	ship   = layout.NewKind("ship", path, crew)
	called = layout.NewText("called")
)

// sail returns a world and two objects with lists.
func sail(t *testing.T) (s systems.State, a, b systems.GameObject) {
	t.Helper()
	s = systems.Must(systems.CreateState(systems.Counts{
		GameObjects: 9, Kinds: []layout.Count{
			bag.Count(9, 10), {Kind: ship, Rows: 9, Elements: 20}, called.Count(9, 90),
		},
	}))
	for _, id := range []*systems.GameObject{&a, &b} {
		s, *id = systems.Must2(systems.CreateWith(s, bag, ship, called))
	}
	return s, a, b
}

func set(t *testing.T, s systems.State, id systems.GameObject, field, text string) systems.State {
	t.Helper()
	s, err := tool.Set(s, id, field, text)
	require.NoError(t, err, "%s", text)
	require.NoError(t, tool.Verify(s))
	return s
}

func TestListsAreTexts(t *testing.T) {
	s, a, b := sail(t)
	for field, texts := range map[string][]string{
		"bag":       {"[]", "[{What:1 Count:[2 3]} {What:4 Count:[5 6]}]", "[{What:7 Count:[8 9]}]"},
		"ship.path": {"[1 2.5 -0]", "[3]", "[]"},
		"ship.crew": {fmt.Sprintf("[%v nobody %v]", b, a)},
		"called":    {`""`, `"a \"b\" ü\n"`},
	} {
		for _, text := range texts {
			s = set(t, s, a, field, text)
			got := systems.Must(tool.Get(s, a, field))
			assert.Equal(t, text, got, field)
		}
	}
	for field, texts := range map[string]map[string]string{
		"bag": {
			"":                           "bag is a list; write its elements in brackets",
			"{What:1 Count:[2 3]}":       "bag is a list; write its elements in brackets",
			"[{What:1}]":                 "bag.Count is left out; give all parts of an element",
			"[{What:1 Count:[2]}]":       "1 of 2 numbers are given",
			"[{What:1 Count:[2 3]}":      "a bracket is open",
			"[{What:1 Count:[2 3]}] 5":   `"5" comes after the value of bag`,
			"[{What:1 Count:[2 3]} 7]":   "bag has parts; write them in braces",
			"[{What:1 Count:[2 90000]}]": `"90000" is no uint16 that fits`,
		},
		"ship.path": {"[1 ]]": "comes after", "[1 :]": "a value is missing", "[NaN]": "is no float32"},
		"called":    {"abc": "called is a text; write it in quotes", `"\xff"`: "not UTF-8", `"a`: "a quote is open"},
	} {
		before := systems.Digest(s)
		for text, want := range texts {
			_, err := tool.Set(s, a, field, text)
			require.ErrorContains(t, err, want, "%s %s", field, text)
			assert.Equal(t, before, systems.Digest(s))
		}
	}
	long := "["
	for range 30 {
		long += "1 "
	}
	for range 9 {
		long += long[1:]
	}
	before := systems.Digest(s)
	_, err := tool.Set(s, a, "ship.path", long+"]")
	require.ErrorIs(t, err, systems.ErrFull)
	assert.Equal(t, before, systems.Digest(s))
}

func TestDifferencesOfLists(t *testing.T) {
	s, a, b := sail(t)
	s = set(t, s, b, "bag", "[{What:1 Count:[2 3]} {What:4 Count:[5 6]}]")
	twin := systems.Must(systems.Clone(s))
	for _, c := range []struct {
		id                systems.GameObject
		field, text, want string
	}{
		{b, "bag", "[{What:1 Count:[2 3]} {What:4 Count:[5 7]}]", "bag[1].Count of object 1 in row 1: [5 6] ≠ [5 7]"},
		{b, "bag", "[{What:1 Count:[2 3]}]", "length of bag of object 1 in row 1: 2 ≠ 1"},
		{a, "bag", "[{What:1 Count:[2 3]}]", "length of bag of object 0 in row 0: 0 ≠ 1"},
		{a, "ship.path", "[1]", "length of ship.path of object 0 in row 0: 0 ≠ 1"},
		{a, "called", `"x"`, `called of object 0 in row 0: "" ≠ "x"`},
	} {
		other := systems.Must(systems.Clone(s))
		other = set(t, other, c.id, c.field, c.text)
		d, differ := systems.Must2(tool.FirstDifference(s, other))
		require.True(t, differ)
		assert.Equal(t, "tick 1: "+c.want, d.String())
		systems.Close(other)
	}
	// Where lists lie comes last, when they are equal.
	twin = set(t, twin, a, "bag", "[{What:1 Count:[2 3]}]")
	twin = systems.Must(systems.ClearList(twin, a, bag.Spec()))
	d, differ := systems.Must2(tool.FirstDifference(s, twin))
	require.True(t, differ)
	assert.NotContains(t, d.String(), "length")
	assert.Equal(t, "bag.bag[0]", d.Part)
}
