package tool_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

var (
	described     = layout.NewField[uint32]("n", 7)
	describedKind = layout.NewKind("described", described)
	describedMark = layout.NewMark("described mark")
	described2    = layout.NewValues("described value", "none")
	describedOnes = systems.NewWatcher(systems.NewQuery(
		systems.With(describedKind), systems.Any(describedMark, heroes.Position),
		systems.Without(heroes.MaxVelocity)))
)

// scattered returns a world of n objects whose components were added and removed: of a thousand
// objects keep stay with the kind, and keep with the mark.
func scattered(t *testing.T, seed uint64, n, rows, keep int) systems.State {
	t.Helper()
	s := systems.Must(systems.CreateState(systems.Counts{
		GameObjects: n, Kinds: layout.Kinds(
			describedKind.Count(rows), describedMark.Count(0), described2.Count(4),
			heroes.Position.Count(n),
		),
		Watchers: []systems.Watcher{describedOnes},
	}))
	random := rand.New(rand.NewPCG(seed, 2))
	ids := make([]systems.GameObject, n)
	for i := range ids {
		s, ids[i] = systems.Must2(systems.Create(s))
	}
	for range 3 {
		for _, i := range random.Perm(n) {
			if systems.Has(s, ids[i], describedKind) && random.IntN(1000) >= keep {
				s = systems.Must(systems.Remove(s, ids[i], describedKind))
			}
			if random.IntN(1000) < keep {
				s, _, _ = systems.Ensure(s, ids[i], describedKind) // it may be full
				s, _ = systems.Must2(systems.Ensure(s, ids[i], describedMark))
			}
		}
	}
	return s
}

// runs counts the runs of consecutive rows of a kind, and of the objects' indexes.
func runs(s systems.State, k layout.AnyKind) (rows, objects int) {
	lastRow, lastObject := systems.Row(0), uint32(0)
	for id := range systems.GameObjects(s) {
		if row, err := systems.RowOf(s, id, k); err == nil {
			if rows == 0 || row != lastRow+1 {
				rows++
			}
			if objects == 0 || id.Index() != lastObject+1 {
				objects++
			}
			lastRow, lastObject = row, id.Index()
		}
	}
	return rows, objects
}

func TestQualityTellsHowManyRunsThereAre(t *testing.T) {
	for _, c := range []struct {
		name          string
		n, rows, keep int
	}{
		{"none", 500, 500, 0},
		{"few", 500, 500, 20},
		{"half", 1000, 1000, 500},
		{"most", 5000, 6000, 950},
		{"most without slack", 5000, 4700, 950},
		{"nearly all", 10000, 10000, 998},
		{"all", 9000, 9000, 1000},
		{"too few rows", 1000, 100, 900},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(5) {
				s := scattered(t, seed, c.n, c.rows, c.keep)
				rows, _ := runs(s, describedKind)
				assert.Equal(t, rows, tool.QualityOf(s, describedKind).Runs)
				_, objects := runs(s, describedMark)
				assert.Equal(t, objects, tool.QualityOf(s, describedMark).Runs)
				systems.Close(s)
			}
		})
	}
}

func TestRowsTellWhatTheyAreUsedFor(t *testing.T) {
	s := scattered(t, 1, 10, 10, 0)
	s, on := systems.Must2(systems.Create(systems.Must(systems.Dispose(s, 1<<32|3))))
	s, mounted := systems.Must2(systems.Ensure(s, on, describedKind))
	s, loose := systems.Must2(systems.CreateComponent(s, describedKind))
	kept := systems.GameObject(1<<32 | 4)
	s, suspended := systems.Must2(systems.Ensure(s, kept, describedKind))
	s = systems.Must(systems.Suspend(s, kept, describedKind))
	s, gone := systems.Must2(systems.CreateComponent(s, describedKind))
	s = systems.DisposeComponent(s, describedKind, gone)

	for _, c := range []struct {
		name   string
		row    systems.Row
		use    tool.RowUse
		object systems.GameObject
	}{
		{"mounted", mounted, tool.RowMounted, on},
		{"loose", loose, tool.RowLoose, 0},
		{"suspended", suspended, tool.RowSuspended, kept},
		{"unused", gone, tool.RowUnused, 0},
		{"unused", 9, tool.RowUnused, 0},
		{"unused", 1 << 31, tool.RowUnused, 0},
	} {
		use, object := tool.RowUseOf(s, describedKind, c.row)
		assert.Equal(t, c.use, use, "row %d", c.row)
		assert.Equal(t, c.object, object, "row %d", c.row)
		assert.Equal(t, c.name, use.String())
	}

	use := tool.KindUses(s)[0]
	assert.Equal(t, describedKind, use.Kind)
	assert.Equal(t, [3]int{1, 1, 1}, [3]int{use.Mounted, use.Loose, use.Suspended})
	assert.Equal(t, 10, use.Cap)
	assert.Equal(t, 4, use.High)

	has := systems.Must(tool.ComponentsOf(s, kept))
	assert.Equal(t, []tool.ComponentUse{{describedKind, suspended, true}}, has)
	has = systems.Must(tool.ComponentsOf(s, on))
	assert.Equal(t, []tool.ComponentUse{{describedKind, mounted, false}}, has)
	_, err := tool.ComponentsOf(s, 1<<32|3)
	require.ErrorIs(t, err, systems.ErrDead)
}

func TestKindUsesAddUpToTheWorld(t *testing.T) {
	s := scattered(t, 1, 100, 100, 500)
	bytes, used := 0, 0
	for _, p := range tool.Parts(s) {
		if p.Kind != nil {
			bytes, used = bytes+len(p.Bytes), used+len(tool.Used(s, &p))
		}
	}
	for n, u := range tool.KindUses(s) {
		assert.Equal(t, n, u.Number)
		assert.Equal(t, tool.KindNames(s)[n], u.Kind.String())
		bytes, used = bytes-u.Bytes, used-u.Used
	}
	assert.Zero(t, bytes)
	assert.Zero(t, used)
	assert.Equal(t, 100, tool.Capacity(s))
}

func TestWatcherUsesTellRulesAndMembers(t *testing.T) {
	s := scattered(t, 1, 10, 10, 1000)
	s = describedOnes.Look(s)
	want := tool.WatcherUse{
		Rules: "all of described; any of described mark, position", Members: 10, Entered: 10,
	}
	assert.Equal(t, []tool.WatcherUse{want}, tool.WatcherUses(s))
	s = describedOnes.Look(systems.Must(systems.Remove(s, 1<<32|4, describedKind)))
	want.Members, want.Left, want.Entered = 9, 1, 0
	assert.Equal(t, []tool.WatcherUse{want}, tool.WatcherUses(s))
}

func TestValuesOfAnyTypeAreToldByRow(t *testing.T) {
	s := scattered(t, 1, 10, 10, 0)
	s, row := systems.Must2(systems.Ensure(s, 1<<32|4, described2))
	s = systems.Must(systems.SetValue(s, 1<<32|4, described2, "Bob"))
	assert.Equal(t, "Bob", tool.AnyValueOf(s, described2.Kind(), row))
	assert.Nil(t, tool.AnyValueOf(s, described2.Kind(), 4), "no such row")
	assert.Nil(t, tool.AnyValueOf(s, describedKind, 0), "no Go values")
	assert.Equal(t, "7", tool.Text(described.Spec(), described.Spec().Default))
	assert.Panics(t, func() { tool.QualityOf(s, layout.NewKind("another")) })
}

func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"\ufeff":                "",
		"a\nb\n":                "a\nb\n",
		"\ufeffa\r\nb\rc\n\r\n": "a\nb\nc\n\n",
		"a\r\rb\r\n\rc":         "a\n\nb\n\nc",
		"a\ufeff":               "a\ufeff",
	} {
		assert.Equal(t, want, tool.PlainText(text), "%q", text)
	}
}

type motley struct {
	Owner systems.GameObject
	Wide  float64
	Big   [2]uint64
	Long  int64
	Whole int32
	Some  uint32
	Mass  [3]float32
	Half  float16.Float16
	Short [3]int16
	Inner [2]struct{ A, B uint8 }
	On    bool
	Tiny  [7]int8
}

func isNaN(f *layout.FieldSpec, value []byte) bool {
	for _, p := range f.Parts {
		b := p.Bytes(value)
		for ; len(b) > 0; b = b[p.Size():] {
			switch p.Type {
			case "float16":
				x := binary.LittleEndian.Uint16(b)
				if x&0x7c00 == 0x7c00 && x&0x3ff != 0 {
					return true
				}
			case "float32":
				x := binary.LittleEndian.Uint32(b)
				if x&0x7f800000 == 0x7f800000 && x&0x7fffff != 0 {
					return true
				}
			case "float64":
				x := binary.LittleEndian.Uint64(b)
				if x&(0x7ff<<52) == 0x7ff<<52 && x&(1<<52-1) != 0 {
					return true
				}
			}
		}
	}
	return false
}

// TestParsedTextIsTheValue: random values of all elements, and of parts with odd names.
func TestParsedTextIsTheValue(t *testing.T) {
	odd := systems.Must(layout.FieldSpec{Name: "odd", Parts: []layout.Part{
		{Name: "a b", Type: "uint16", Lanes: 1},
		{Name: "c:}\"", Type: "uint16", Lanes: 2, Offset: 2},
	}, Default: make([]byte, 6)}.Foreign())
	r := rand.New(rand.NewPCG(1, 2))
	refer := func(word string, _, _ int) (systems.GameObject, error) {
		n, err := strconv.ParseUint(word, 16, 64)
		return systems.GameObject(n), err
	}
	for _, f := range []*layout.FieldSpec{
		layout.NewField[motley]("motley").Spec(), layout.NewField[float32]("one").Spec(),
		layout.NewField[[5]float64]("several").Spec(), odd.Spec(),
		layout.NewField[[2]systems.GameObject]("ids").Spec(),
	} {
		for range 500 {
			value := make([]byte, f.Stride)
			for i := range value {
				value[i] = byte(r.Uint32() >> r.IntN(8))
			}
			for _, p := range f.Parts {
				if p.Type == "bool" {
					p.Bytes(value)[0] &= 1
				}
			}
			if isNaN(f, value) {
				continue
			}
			text := tool.TextNaming(f, value, func(id systems.GameObject) string {
				return strconv.FormatUint(uint64(id), 16)
			})
			got := make([]byte, f.Stride)
			require.NoError(t, tool.ParseText(got, f, "  "+text+" ", refer), text)
			require.NoError(t, tool.ParseText(got, f, "\ufeff"+text+"\r\n", refer), text)
			require.Equal(t, value, got, text)
		}
	}
}

func TestParsedPartsKeepTheOthers(t *testing.T) {
	f := layout.NewField[motley]("motley")
	v := f.Value(motley{Whole: 7, Mass: [3]float32{1, 2, 3}})
	err := tool.ParseText(v.Bytes(), f.Spec(), "{Some:9 Tiny:[ -1 0  1 0 0 0 0 ]}", nobodyCalled)
	require.NoError(t, err)
	want := motley{Whole: 7, Some: 9, Mass: [3]float32{1, 2, 3}, Tiny: [7]int8{-1, 0, 1}}
	wanted := f.Value(want)
	assert.Equal(t, wanted.Bytes(), v.Bytes())
	err = tool.ParseText(v.Bytes(), f.Spec(), "{Half:70000}", nobodyCalled)
	var where *tool.TextError
	require.ErrorAs(t, err, &where)
	assert.Equal(t, 6, where.At)
	require.ErrorContains(t, err, `"70000" is no float16 that fits`)
	_, err = tool.ParseElement("int7", "1")
	require.ErrorContains(t, err, "is no element")
	id := systems.Must(tool.ParseElement("id", "7v3"))
	assert.Equal(t, uint64(3)<<32|7, id)
}

func nobodyCalled(string, int, int) (systems.GameObject, error) { return 0, nil }

func TestFieldsByName(t *testing.T) {
	depth, err := layout.FieldSpec{Name: "depth", Parts: []layout.Part{{Type: "float32", Lanes: 1}}, Default: []byte{0, 0, 128, 63}}.Foreign()
	require.NoError(t, err)
	rust := layout.KindSpec{Name: "rust"}.Foreign(0, depth)
	place := layout.NewComponent[struct{ X, Y int16 }]("named place")
	under := layout.NewRelation("named under", layout.Relation{})
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(rust, place, under), Names: 1, Globals: 1,
	}))
	defer func() { world.Close(s) }()
	s, id := world.Must2(world.CreateWith(s, rust, place, under, world.NameKind, systems.GlobalKind))
	assert.Equal(t, "1", world.Must(tool.Get(s, id, "rust.depth")))
	tick := world.Tick(s)
	s = world.Advance(s)
	s = world.Must(tool.Set(s, id, "rust.depth", "2.5"))
	assert.Equal(t, "2.5", world.Must(tool.Get(s, id, "rust.depth")))
	changed := world.NewQuery(world.With(rust), world.Changed(rust))
	found := 0
	for b := range changed.Since(s, tick) {
		found += b.Len()
	}
	assert.Equal(t, 1, found, "it is stamped")
	s = world.Must(tool.Set(s, id, "named place", "{Y:7}"))
	assert.Equal(t, "{X:0 Y:7}", world.Must(tool.Get(s, id, "named place")))

	_, err = tool.Get(s, id, "rust")
	require.ErrorIs(t, err, systems.ErrNoKind)
	s, bare := world.Must2(world.Create(s))
	_, err = tool.Get(s, bare, "rust.depth")
	require.ErrorIs(t, err, systems.ErrAbsent)
	s = world.Must(world.Dispose(s, bare))
	s, err = tool.Set(s, bare, "rust.depth", "1")
	require.ErrorIs(t, err, systems.ErrDead)
	var wrong *tool.TextError
	s, err = tool.Set(s, id, "named place", "{X:1 Y:deep}")
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "{X:0 Y:7}", world.Must(tool.Get(s, id, "named place")))
	s, err = tool.Set(s, id, "named under", "nobody")
	require.ErrorContains(t, err, "relation")
	for _, field := range []string{"name.text", "name.hash", "name.order", "global.number"} {
		_, err = tool.Set(s, id, field, "0")
		require.ErrorContains(t, err, "SetName", field)
	}
	require.NoError(t, tool.Verify(s))
	for range world.NewQuery(world.With(rust)).In(s) {
		_, err = tool.Set(s, id, "rust.depth", "1")
		require.ErrorIs(t, err, systems.ErrWalking)
	}
}

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
			assert.Equal(t, text, systems.Must(tool.Get(s, a, field)), field)
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
