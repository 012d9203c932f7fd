package save_test

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/save"
)

// values are the numbers of an object, by the kind, field, part and type that they are of.
type values map[string]uint64

// An edited is one field of one version of a program under development.
type edited struct {
	kind  string
	field layout.AnyField
	get   func(s world.State, id world.GameObject) (values, error)
	set   func(s world.State, id world.GameObject, n uint64) (world.State, error)
	fresh values // the defaults
}

type (
	both   struct{ P, Q uint32 }
	second struct{ Q, R uint32 }
)

// editedAs returns a field of a type, whose numbers names tells apart.
func editedAs[T any](
	kind, name string, value T, from func(n uint64) T, to func(v T) values,
) edited {
	f := layout.NewField(name, value)
	prefixed := func(v T) values {
		all := values{}
		for key, n := range to(v) {
			all[kind+"."+name+key] = n
		}
		return all
	}
	return edited{
		kind, f,
		func(s world.State, id world.GameObject) (values, error) {
			v, err := world.Get(s, id, f)
			return prefixed(v), err
		},
		func(s world.State, id world.GameObject, n uint64) (world.State, error) {
			return world.Set(s, id, f, from(n))
		},
		prefixed(value),
	}
}

// anEdit returns a random state of a field after an edit: absent in one of five.
func anEdit(r *rand.Rand, kind, name string) (e edited, there bool) {
	switch r.IntN(5) {
	case 0:
		return editedAs(kind, name, 7, func(n uint64) uint32 { return uint32(n) },
			func(v uint32) values { return values{" u32": uint64(v)} }), true
	case 1:
		return editedAs(kind, name, 9, func(n uint64) uint16 { return uint16(n) },
			func(v uint16) values { return values{" u16": uint64(v)} }), true
	case 2:
		return editedAs(kind, name, both{1, 2}, func(n uint64) both { return both{uint32(n), uint32(n) + 1} },
			func(v both) values { return values{".P": uint64(v.P), ".Q": uint64(v.Q)} }), true
	case 3:
		return editedAs(kind, name, second{4, 5}, func(n uint64) second { return second{uint32(n), uint32(n) * 3} },
			func(v second) values { return values{".Q": uint64(v.Q), ".R": uint64(v.R)} }), true
	}
	return edited{}, false
}

// A draft is a version of the program.
type draft struct {
	fields []edited
	kinds  map[string]layout.Kind
	counts world.Counts
	recipe world.Recipe
}

func newDraft(r *rand.Rand) draft {
	d := draft{kinds: map[string]layout.Kind{}}
	var kinds []layout.AnyKind
	for _, name := range []string{"ship", "gun"} {
		if name == "gun" && r.IntN(4) == 0 {
			continue
		}
		var fields []layout.AnyField
		if name == "gun" && r.IntN(4) == 0 {
			mark := layout.NewMark(name)
			d.kinds[name], kinds = mark, append(kinds, mark)
			d.counts.Kinds = append(d.counts.Kinds, mark.Count(0))
			continue
		}
		for _, field := range []string{"a", "b", name} {
			if e, ok := anEdit(r, name, field); ok {
				d.fields, fields = append(d.fields, e), append(fields, e.field)
			}
		}
		r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		k := layout.NewKind(name, fields...)
		d.kinds[name], kinds = k, append(kinds, k)
		count := k.Counted()
		if r.IntN(2) == 0 {
			count = k.Count(20_000)
		}
		d.counts.Kinds = append(d.counts.Kinds, count)
	}
	d.recipe = world.NewRecipe("r", kinds...)
	d.counts.Recipes = []world.Recipe{d.recipe}
	d.counts.GameObjects = 30_000
	return d
}

// read reads a file: into a new world, or a spare one that lived, which takes no kinds that it
// lacks.
func (d *draft) read(r *rand.Rand, file []byte) (world.State, save.Report, error) {
	o := save.Options{DropFields: true}
	if r.IntN(2) == 0 {
		spare, _ := world.SpawnN(world.Must(create(d.counts)), d.recipe, r.IntN(200), nil)
		s, report, err := save.Reread(bytes.NewReader(file), int64(len(file)), spare, o)
		if !errors.Is(err, save.ErrSchema) {
			return s, report, err
		}
	}
	return read(file, d.counts, o)
}

// A lives is what a naive model knows of the objects.
type lives struct {
	ids     []world.GameObject
	numbers map[world.GameObject]values
	has     map[world.GameObject][]string
	asleep  map[world.GameObject]string // the kind that is suspended
	keys    map[string][]string         // of the numbers that a kind has in the file
}

// live changes a world at random, as the model says.
func (m *lives) live(t *testing.T, r *rand.Rand, d *draft, s world.State) world.State {
	t.Helper()
	var err error
	for range 40 {
		var id world.GameObject
		if len(m.ids) > 0 {
			id = m.ids[r.IntN(len(m.ids))]
		}
		switch n := r.IntN(8); {
		case n < 2 || id == 0:
			var has []string
			if k := "ship"; n == 0 {
				s, id, err = world.CreateWith(s, d.kinds[k])
				has = []string{k}
			} else {
				s, id, err = world.Spawn(s, d.recipe)
				for k := range d.kinds {
					has = append(has, k)
				}
			}
			m.ids, m.numbers[id], m.has[id] = append(m.ids, id), values{}, has
			m.fill(d, id)
		case n == 2 && len(m.ids) > 30:
			s, err = world.Dispose(s, id)
			m.ids = slices.DeleteFunc(m.ids, func(o world.GameObject) bool { return o == id })
		case n == 3:
			if k := m.asleep[id]; k == "" && slices.Contains(m.has[id], "ship") {
				m.asleep[id] = "ship"
				s, err = world.Suspend(s, id, d.kinds["ship"])
			} else if k != "" {
				delete(m.asleep, id)
				s, err = world.Add(s, id, d.kinds[k])
			}
		case len(d.fields) > 0:
			f := &d.fields[r.IntN(len(d.fields))]
			if m.asleep[id] == f.kind || !slices.Contains(m.has[id], f.kind) {
				continue
			}
			s = world.Must(f.set(s, id, r.Uint64()))
			v, _ := f.get(s, id)
			maps.Copy(m.numbers[id], v)
		}
		require.NoError(t, err)
	}
	return s
}

// fill gives an object the defaults of what it has and never had.
func (m *lives) fill(d *draft, id world.GameObject) {
	for i := range d.fields {
		for key, n := range d.fields[i].fresh {
			if _, ok := m.numbers[id][key]; !ok && slices.Contains(m.has[id], d.fields[i].kind) {
				m.numbers[id][key] = n
			}
		}
	}
}

// drop takes from the objects what the kinds of a draft lack, and reports whether there was any. A
// kind that the draft lacks is kept as it is.
func (m *lives) drop(d *draft) (some bool) {
	for kind := range d.kinds {
		var keys []string
		for i := range d.fields {
			if d.fields[i].kind == kind {
				keys = slices.AppendSeq(keys, maps.Keys(d.fields[i].fresh))
			}
		}
		for _, key := range m.keys[kind] {
			if slices.Contains(keys, key) {
				continue
			}
			some = true
			for id := range m.numbers {
				delete(m.numbers[id], key)
			}
		}
		m.keys[kind] = keys
	}
	return some
}

func (m *lives) check(t *testing.T, d *draft, s world.State) {
	t.Helper()
	require.NoError(t, tool.Verify(s))
	require.Equal(t, len(m.ids), world.Len(s))
	for _, id := range m.ids {
		for i := range d.fields {
			f := &d.fields[i]
			if m.asleep[id] == f.kind || !slices.Contains(m.has[id], f.kind) {
				continue
			}
			for key, n := range world.Must(f.get(s, id)) {
				require.Equal(t, m.numbers[id][key], n, "%v of %v", key, id)
			}
		}
	}
}

// TestEditsUnderDevelopment: a program gets and loses fields, parts, types and kinds, a kind
// becomes a mark and has fields again, and each version continues with the world: common parts keep
// their values, parts that the next version lacks are dropped and reported, and new parts have
// their defaults.
func TestEditsUnderDevelopment(t *testing.T) {
	worldtest.OneGoroutine(t)
	defer closeOpened()
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 29))
		m := lives{
			numbers: map[world.GameObject]values{}, has: map[world.GameObject][]string{},
			asleep: map[world.GameObject]string{}, keys: map[string][]string{},
		}
		d := newDraft(r)
		m.drop(&d)
		s := world.Must(create(d.counts))
		former := []draft{d}
		for range 30 {
			s = m.live(t, r, &d, s)
			file := saved(t, s, save.Options{Compress: r.IntN(2) == 0})
			world.Close(s)
			if d = newDraft(r); r.IntN(3) == 0 { // back to what was there
				d = former[r.IntN(len(former))]
			}
			former = append(former, d)
			var report save.Report
			s, report = world.Must2(d.read(r, file))
			assert.Equal(t, m.drop(&d), len(report.Dropped) > 0, "%v", report.Dropped)
			for _, id := range m.ids {
				m.fill(&d, id)
			}
			m.check(t, &d, s)
		}
		world.Close(s)
	}
}

// TestListsOfMoreObjects: the objects of a file do not fill whole blocks, so its rows are moved into
// a larger world, in which lists have the room that they need, whether or not elements grow.
func TestListsOfMoreObjects(t *testing.T) {
	type short struct{ A uint64 }
	type long struct{ A, B, C uint64 }
	program := func(count layout.Count, objects int) (world.Counts, world.Recipe) {
		r := world.NewRecipe("r", count.Kind)
		return world.Counts{
			GameObjects: objects, Recipes: []world.Recipe{r}, Kinds: []layout.Count{count},
		}, r
	}
	old, same, longer := layout.NewList[short]("l"), layout.NewList[short]("l"), layout.NewList[long]("l")
	c, r := program(old.Count(70, 5000), 70)
	s, id := world.Must2(world.Spawn(world.Must(world.CreateState(c)), r))
	s = world.Must(list.Append(s, id, old, make([]short, 3000)...))
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	load := func(count layout.Count) world.State {
		c, _ := program(count, 5000)
		s, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), c, save.Options{})
		require.NoError(t, err)
		require.NoError(t, tool.Verify(s))
		return s
	}
	require.Len(t, world.Must(list.Of(load(same.Counted()), id, same)), 3000)
	require.Len(t, world.Must(list.Of(load(longer.Counted()), id, longer)), 3000)
	_, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), world.Counts{
		GameObjects: 300, Recipes: []world.Recipe{world.NewRecipe("r", same)},
	}, save.Options{})
	require.ErrorIs(t, err, world.ErrFull)
}
