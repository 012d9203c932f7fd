package manager_test

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// alone returns a manager that stands alone, for as many objects as rows.
func alone(t *testing.T, kind layout.Kind, rows int) *manager.Manager {
	t.Helper()
	return must(manager.New(kind, rows, max(rows, 1)))
}

// must returns v of a call that has to succeed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// address returns where a slice begins.
func address[T any](s []T) uintptr { return reflect.ValueOf(s).Pointer() }

// mountedRows returns the rows that All yields.
func mountedRows(m *manager.Manager) []layout.Row { return slices.Collect(m.Rows.Each) }

// panicsWith checks that f panics with a sentence that has every part.
func panicsWith(t *testing.T, f func(), parts ...string) {
	t.Helper()
	defer func() {
		text, ok := recover().(string)
		require.True(t, ok, "panics with a sentence")
		for _, part := range parts {
			require.Contains(t, text, part)
		}
	}()
	f()
}

func TestAllocs(t *testing.T) {
	m := manager.PositionsOf(alone(t, manager.Position.Kind(), 300))
	for object := range uint32(200) {
		must(m.Add(object * 7 % 300))
	}
	names := layout.NewValues("name", "")
	values := manager.ValuesOf(alone(t, names.Kind(), 8), names)
	must(values.Add(3))
	rename := func(string) string { return "c" }
	var rows [64]uint32
	for name, run := range map[string]func(){
		"create, mount, remove": func() {
			row := must(m.Create())
			if m.Mount(299, row) != nil || m.Remove(299) != nil {
				t.Fail()
			}
		},
		"add, dispose":    func() { m.Dispose(must(m.Add(299))) },
		"create, dispose": func() { m.Dispose(must(m.Create())) },
		"get":             func() { must(m.Get(7)) },
		"rows of":         func() { m.Blocks.RowsOf(&rows, 0, 0b101) },
		"at":              func() { m.At(must(m.Get(7)))[1] = 2 },
		"update":          func() { m.Update() },
		"all": func() {
			for range m.Rows.Each {
			}
		},
		"runs": func() {
			for range m.Rows.Runs {
			}
		},
		"values": func() {
			*must(values.At(3)) = "b"
			values.Update(rename)
		},
	} {
		t.Run(name, func(t *testing.T) { assert.Zero(t, testing.AllocsPerRun(50, run)) })
	}
}

// lives creates and disposes game objects of a new arena at random.
func lives(t *testing.T, r *rand.Rand, steps int) *manager.Arena {
	t.Helper()
	a := must(manager.NewArena(manager.Sizes{Objects: 200}))
	var live []gameobject.ID
	for range steps {
		if n := len(live); n > 0 && r.IntN(5) < 2 {
			i := r.IntN(n)
			a.Objects.Dispose(live[i].Index())
			live[i] = live[n-1]
			live = live[:n-1]
		} else if id, err := a.Objects.Create(0); err == nil {
			live = append(live, id)
		}
	}
	return a
}

// TestDifferenceOfLivesNamesALiveObject: the object that the first difference names is alive where
// the difference says so, and dead where it does not.
func TestDifferenceOfLivesNamesALiveObject(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	parts := map[string]int{}
	for range 300 {
		steps := 1 + r.IntN(250)
		a, b := lives(t, r, steps), lives(t, r, steps+r.IntN(3))
		d, differ := a.FirstDifference(b)
		if !differ {
			continue
		}
		parts[d.Part]++
		here, there := a.Objects.Alive(d.Object), b.Objects.Alive(d.Object)
		switch d.Part {
		case "alive":
			assert.Equal(t, [2]string{yes(here), yes(there)}, d.Values, "%v", d)
			assert.NotEqual(t, here, there, "%v", d)
		case "generation":
			assert.True(t, here, "%v", d)
			assert.False(t, there, "%v", d)
		default:
			assert.Equal(t, gameobject.Nobody, d.Object, "%v", d)
		}
	}
	assert.NotZero(t, parts["alive"])
	assert.NotZero(t, parts["generation"])
}

func yes(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}

// TestDifferenceOfDeadIndexesNamesNobody: what was disposed more often in one world than in the
// other is no object of either.
func TestDifferenceOfDeadIndexesNamesNobody(t *testing.T) {
	var worlds [2]*manager.Arena
	for i := range worlds {
		worlds[i] = must(manager.NewArena(manager.Sizes{Objects: 64}))
		for range i + 1 {
			worlds[i].Objects.Dispose(must(worlds[i].Objects.Create(0)).Index())
		}
	}
	d, differ := worlds[0].FirstDifference(worlds[1])
	require.True(t, differ)
	assert.Equal(t, gameobject.Nobody, d.Object)
	assert.Equal(t, "game objects.generations[0]", d.Part)
}

// TestDifferenceOfDamagedCounters is told in words, in either order, for each counter that says how
// much was used.
func TestDifferenceOfDamagedCounters(t *testing.T) {
	kind := layout.NewComponent[uint32]("counted")
	free := layout.NewComponent[uint32]("uncounted")
	sizes := manager.Sizes{Objects: 4096, Kinds: []layout.Count{
		kind.Count(100), {Kind: free.Kind(), Rows: 4096, Free: true},
	}}
	for part, want := range map[string]string{
		"game objects": "game objects: 4294967295 used of 4096",
		"counted":      "counted: 4294967295 rows used of 100",
		"uncounted":    "uncounted: 4294967295 rows used of 4096",
	} {
		a, b := must(manager.NewArena(sizes)), must(manager.NewArena(sizes))
		for i := range a.Parts() {
			if p := &a.Parts()[i]; p.Owner == part && p.Name == "counters" {
				binary.LittleEndian.PutUint32(p.Bytes, 1<<32-1)
			}
		}
		d, differ := a.FirstDifference(b)
		require.True(t, differ)
		assert.Contains(t, d.String(), "tick 1: counters: flatecs: "+want)
		assert.Contains(t, d.String(), "≠ as they can be")
		d, differ = b.FirstDifference(a)
		require.True(t, differ)
		assert.Contains(t, d.String(), "counters: as they can be ≠ flatecs: "+want)
		a.Free()
		b.Free()
	}
}
