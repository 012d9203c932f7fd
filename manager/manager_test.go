package manager_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

func alignedBytes(n int) []byte {
	b, _ := buffer.New(n)
	return b
}

func TestCountsAreChecked(t *testing.T) {
	kind := layout.NewKind("body", layout.NewField[float32]("speed"))
	wide := layout.NewKind("wide", layout.NewField[[layout.MaxStride]uint8]("page"))
	arena := func(objects int, counts ...layout.Count) func() error {
		return func() error {
			_, err := manager.NewArena(manager.Sizes{Objects: objects, Kinds: counts})
			return err
		}
	}
	for _, c := range []struct {
		name  string
		call  func() error
		want  error
		kind  string
		count int
	}{
		{"negative rows", arena(1, kind.Count(-7)), manager.ErrCount, "body", -7},
		{"negative objects", arena(-1), manager.ErrCount, "game object", -1},
		{"too many rows", arena(1, kind.Count(manager.MaxRows+1)), manager.ErrCount, "body", manager.MaxRows + 1},
		{"too many objects", arena(math.MaxInt), manager.ErrCount, "game object", math.MaxInt},
		{"one kind twice", arena(1, kind.Count(1), kind.Count(2)), manager.ErrKindTwice, "body", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, c.call(), manager.Error{Err: c.want, Kind: c.kind, Count: c.count})
		})
	}
	t.Run("too many bytes", func(t *testing.T) {
		err := arena(1, wide.Count(manager.MaxRows))()
		require.ErrorIs(t, err, manager.ErrMemory)
		assert.Contains(t, err.Error(), "bytes are more than this machine has for this program; lower the counts")
	})
	t.Run("too few bytes", func(t *testing.T) {
		size := must(manager.Size(kind, 10, 10))
		_, err := manager.View(alignedBytes(size-1), kind, 10, 10)
		require.ErrorIs(t, err, manager.ErrBytes)
		_ = must(manager.View(alignedBytes(size), kind, 10, 10))
	})
}

// refused checks an error against what it should name.
func refused(t *testing.T, err error, want manager.Error, cures ...string) {
	t.Helper()
	require.ErrorIs(t, err, want.Err)
	var got *manager.Error
	require.ErrorAs(t, err, &got)
	assert.Equal(t, want, *got)
	assert.Contains(t, err.Error(), want.Kind)
	for _, cure := range cures {
		assert.Contains(t, err.Error(), cure)
	}
}

func TestErrorsNameKindObjectCountAndCure(t *testing.T) {
	id := gameobject.MakeID(7, 2)
	for _, c := range []struct {
		err  manager.Error
		want string
	}{
		{
			manager.Error{Err: manager.ErrFull, Kind: "position", Count: 10},
			"flatecs: position: all 10 rows in use; raise its Count in Counts.Kinds",
		},
		{
			manager.Error{Err: gameobject.ErrTooMany, Count: 10},
			"game object: Too many entities in existence. All 10 are in use; raise Counts.GameObjects",
		},
		{
			manager.Error{Err: gameobject.ErrOutOfRange, ID: id, Count: 5},
			"game object 7v2: Entity out of range. This world has 5; use an id that it returned",
		},
		{
			manager.Error{Err: gameobject.ErrDead, ID: id},
			"game object 7v2 was disposed, or belongs to another world; ask Alive first",
		},
		{
			manager.Error{Err: gameobject.ErrDead, ID: gameobject.MakeRecorded(3, 1)},
			"3r1 stands for a recorded creation; call Apply, and use the id that Applied returns",
		},
		{
			manager.Error{Err: gameobject.ErrDead, ID: gameobject.MakeRecorded(3, gameobject.Members)},
			"stands for member 3 of a tree; give it to the Values of a Tree alone",
		},
		{
			manager.Error{Err: manager.ErrTwice, Kind: "body", ID: id},
			"body of game object 7v2: Component added to same entity more than once. " +
				"Remove it first, or set its values.",
		},
		{
			manager.Error{Err: manager.ErrAbsent, Kind: "body", ID: id},
			"body of game object 7v2: Retrieving non-existent component. Ask with Has first, or add it.",
		},
		{
			manager.Error{Err: manager.ErrRemove, Kind: "body", ID: id},
			"body of game object 7v2: Removing non-existent component. Ask with Has first",
		},
		{
			manager.Error{Err: manager.ErrNoKind, Kind: "body"},
			"this world has no kind body: Component not registered before use. Name it in Counts.Kinds.",
		},
		{
			manager.Error{Err: manager.ErrKindTwice, Kind: "body"},
			"body: Registering component type more than once. Count each kind once",
		},
		{
			manager.Error{Err: manager.ErrCount, Kind: "body", Count: -3},
			"body: a count of -3 is not between 0 and 1073741760",
		},
	} {
		t.Run(fmt.Sprint(c.err.Err, c.err.Kind), func(t *testing.T) {
			assert.Contains(t, c.err.Error(), c.want)
			assert.Same(t, c.err.Err, c.err.Unwrap())
		})
	}
}

func TestMisuseIsRefusedAndChangesNothing(t *testing.T) {
	b := alignedBytes(must(manager.Size(manager.MaxVelocity.Kind(), 2, 4)))
	m := must(manager.NewIn(b, manager.MaxVelocity.Kind(), 2, 4))
	loose, taken := must(m.Create()), must(m.Add(3))
	before := slices.Clone(b)
	of := func(err error, id gameobject.ID) manager.Error {
		return manager.Error{Err: err, Kind: "fly", ID: id, Count: 2}
	}
	object := func(i uint32) gameobject.ID { return gameobject.MakeID(i, 1) }
	for _, c := range []struct {
		name string
		call func() error
		want manager.Error
		cure string
	}{
		{"create when full", func() error { _, err := m.Create(); return err }, of(manager.ErrFull, gameobject.Nobody), "raise"},
		{"add when full", func() error { _, err := m.Add(1); return err }, of(manager.ErrFull, object(1)), "raise"},
		{"second mount", func() error { return m.Mount(3, loose) }, of(manager.ErrTwice, object(3)), "Remove it first"},
		{"second add", func() error { _, err := m.Add(3); return err }, of(manager.ErrTwice, object(3)), "Remove it first"},
		{"mounted elsewhere", func() error { return m.Mount(1, taken) }, of(manager.ErrTwice, object(3)), "Remove it first"},
		{"get of an absent one", func() error { _, err := m.Get(2); return err }, of(manager.ErrAbsent, object(2)), "Ask with Has"},
		{"remove of an absent one", func() error { return m.Remove(2) }, of(manager.ErrRemove, object(2)), "Ask with Has"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, c.call(), c.want, c.cure)
			assert.True(t, bytes.Equal(before, b), "the bytes are as they were")
		})
	}
	for _, row := range []layout.Row{2, math.MaxUint32} {
		for name, call := range map[string]func(){
			"mount":     func() { _ = m.Mount(0, row) },
			"dispose":   func() { m.Dispose(row) },
			"object of": func() { m.ObjectOf(row) },
		} {
			t.Run(fmt.Sprint(name, row), func(t *testing.T) {
				panicsWith(t, call, fmt.Sprintf("flatecs: row %d of fly is not in use, 2 of 2 rows are", row),
					"use a row that CreateComponent or Ensure returned, until its component is disposed")
				assert.True(t, bytes.Equal(before, b), "the bytes are as they were")
			})
		}
	}
}

func TestDisposedRowsAreNotInUse(t *testing.T) {
	positions := manager.PositionsOf(alone(t, manager.Position.Kind(), 4))
	for range 3 {
		must(positions.Create())
	}
	for _, row := range []layout.Row{2, 0} { // 0 ends up with a successor on the free list, 2 without
		positions.Dispose(row)
	}
	for _, row := range []layout.Row{0, 2, 3} {
		panicsWith(t, func() { positions.ObjectOf(row) }, "is not in use, 1 of 4 rows are")
		panicsWith(t, func() { positions.Dispose(row) }, "is not in use")
	}
	manager.Column(positions.Manager, manager.Position)[1][2] = 5
	assert.Equal(t, []float32{0, 0, 0, 0, 0, 5}, positions.XYZ()[:6])
}

func TestAnotherKindPanics(t *testing.T) {
	m := alone(t, layout.NewKind("body", layout.NewField[float32]("speed")), 1)
	names := layout.NewValues("name", "")
	for name, call := range map[string]func(){
		"position": func() { manager.PositionsOf(m) },
		"name":     func() { manager.ValuesOf(m, names) },
	} {
		t.Run(name, func(t *testing.T) {
			panicsWith(t, call, "flatecs: this is the manager of body; give the one of "+name)
		})
	}
	panicsWith(t, func() { layout.Flat[float32](manager.Position, manager.Column(m, manager.Position)) }, "field xyz is of another kind than body")
	mark := alone(t, layout.NewMark("frozen"), 1)
	panicsWith(t, func() { _, _ = mark.Create() }, "frozen is a mark and has no rows; add it to an object")
}

func TestTextOfParts(t *testing.T) {
	colour := layout.NewField[struct{ R, G, B uint8 }]("colour")
	assert.Equal(t, "{R:1 G:2 B:3}", manager.Text(colour.Spec(), []byte{1, 2, 3}))
}

func TestKindWithoutRoom(t *testing.T) {
	m := alone(t, manager.Velocity.Kind(), 0)
	_, err := m.Create()
	require.ErrorIs(t, err, manager.ErrFull)
	_, err = m.Add(0)
	require.ErrorIs(t, err, manager.ErrFull)
	assert.Empty(t, m.Data.Buffer())
	assert.Empty(t, mountedRows(m))
	assert.Zero(t, m.Rows.Cap())
}

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
		"column":          func() { manager.Column(m.Manager, manager.Position)[must(m.Get(7))][1] = 2 },
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

// TestDifferenceOfDeadIndexesNamesNobody: an index that was disposed more often in one world than
// in the other names no object in either.
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

// TestDifferenceOfDamagedCounters: it is described in words, in either order, for each counter of
// used rows or objects.
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
