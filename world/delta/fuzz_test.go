package delta_test

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// FuzzApply applies any bytes with correct hashes: an accepted delta leads to a world that works,
// and a refused one leaves the world unchanged.
func FuzzApply(f *testing.F) {
	worldtest.OneGoroutine(f)
	r := rand.New(rand.NewPCG(6, 0))
	from := stir(motley(70), r, 30)
	for range 3 {
		f.Add(world.Must(delta.Append(nil, from, stir(world.Must(world.Clone(from)), r, 10))))
	}
	for kind := range byte(6) { // shrinks, or grows, without a change
		for _, more := range []int64{-70, -64, -1, 1, 64} {
			f.Add(binary.AppendVarint(append(make([]byte, 32), 1, kind), more))
		}
	}
	for part := range byte(len(tool.Parts(from))) { // a byte, and one behind the part
		f.Add(append(make([]byte, 32), 0, part<<1|1, 0, 255, 1, 1))
		f.Add(append(make([]byte, 32), 0, part<<1|1, 0, 1, 255, 255, 3, 1))
	}
	f.Fuzz(func(t *testing.T, d []byte) {
		delta.Reseal(d, from)
		applied(t, from, d)
	})
}

// FuzzApplyForged applies the deltas that lead to worlds whose bytes were edited. An edit is eight
// bytes: the part, what to do, where, and an operand.
func FuzzApplyForged(f *testing.F) {
	worldtest.OneGoroutine(f)
	r := rand.New(rand.NewPCG(7, 0))
	from := stir(motley(70), r, 30)
	to := stir(world.Must(world.Clone(from)), r, 10)
	f.Add([]byte{})
	for part := range byte(len(tool.Parts(to))) {
		f.Add([]byte{part, 1, 0, 0, 1, 0, 0, 0})
		f.Add([]byte{part, 1, 4, 0, 255, 255, 255, 255, part + 1, 0, 0, 0, 2, 0, 0, 0})
	}
	f.Fuzz(func(t *testing.T, edits []byte) {
		forged := world.Must(world.Clone(to))
		parts := tool.Parts(forged)
		for ; len(edits) >= 8; edits = edits[8:] {
			edit(parts[int(edits[0])%len(parts)].Bytes, [7]byte(edits[1:]))
		}
		d := world.Must(delta.Append(nil, from, forged))
		delta.Reseal(d, from)
		applied(t, from, d)
	})
}

// edit changes four bytes.
func edit(b []byte, e [7]byte) {
	if len(b) < 4 {
		return
	}
	le := binary.LittleEndian
	at := b[int(le.Uint16(e[1:]))%(len(b)/4)*4:]
	switch n := le.Uint32(e[3:]); e[0] % 3 {
	case 0:
		le.PutUint32(at, n)
	case 1:
		le.PutUint32(at, le.Uint32(at)+n)
	case 2:
		le.PutUint32(at, le.Uint32(at)^1<<(n%32))
	}
}

// applied applies a delta to a copy of a world, and checks the result.
func applied(t *testing.T, from world.State, d []byte) {
	t.Helper()
	var c delta.Coder
	s := world.Must(world.Clone(from))
	s, err := c.Apply(s, d)
	require.NoError(t, tool.Verify(s))
	if err != nil {
		require.True(t, world.Equal(from, s))
		return
	}
	back := world.Must(c.Append(nil, from, s))
	again := world.Must(c.Apply(world.Must(world.Clone(from)), back))
	require.True(t, world.Equal(s, again))
	s, again = stir(s, rand.New(rand.NewPCG(8, 8)), 30), stir(again, rand.New(rand.NewPCG(8, 8)), 30)
	require.NoError(t, tool.Verify(s))
	require.True(t, world.Equal(s, again), "they go on alike")
}

// Apply unpacks into the memory of a Coder, however large the delta claims that the world becomes.
func TestWhatIsAllocatedIsNotUpToTheDelta(t *testing.T) {
	worldtest.OneGoroutine(t)
	from := stir(motley(1<<20), rand.New(rand.NewPCG(6, 0)), 3)
	d := world.Must(delta.Append(nil, from, from))
	var highs []byte
	count, skipped := uint64(0), uint64(0)
	for _, p := range tool.Parts(from) {
		switch {
		case p.Kind == nil && p.Name != "generations", p.Kind != nil && p.Name != "counters",
			strings.HasPrefix(p.Owner, "watcher"):
			continue
		case p.Kind != nil && p.Kind.Mark:
			skipped++
			continue
		}
		room, used := cap(p.Bytes)/p.Unit, len(tool.Used(from, &p))/p.Unit
		if p.Kind != nil {
			room, used = tool.Cap(from, p.Kind.Handle()), tool.MaxIndex(from, p.Kind.Handle())
		}
		if room == used {
			skipped++
			continue
		}
		highs = binary.AppendUvarint(highs, skipped)
		highs = binary.AppendVarint(highs, int64(room-used))
		count, skipped = count+1, 0
	}
	require.Greater(t, count, uint64(3))
	d = append(binary.AppendUvarint(d[:32], count), highs...)
	seal(d)
	c := &delta.Coder{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := c.Apply(from, d)
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, delta.ErrDamaged)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

// A load is a Go value that is seen to be freed.
type load [64]int

var (
	initial = new(load)
	loose   = layout.NewValues("loose load", initial)
	packed  = layout.NewValues("packed load", initial)
)

// loaded returns a world whose objects have different loads.
func loaded(t *testing.T, n int) (world.State, []world.GameObject) {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{Kinds: []layout.Count{
		loose.Count(300), {Kind: packed.Kind(), Rows: 300, Packed: true},
	}}))
	var ids []world.GameObject
	for range n {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, loose.Kind(), packed.Kind()))
		s = world.Must(world.SetValue(s, id, loose, new(load)))
		s = world.Must(world.SetValue(s, id, packed, new(load)))
		ids = append(ids, id)
	}
	return s, ids
}

// TestGoValuesInRowsThatAreLeftAreFreed: a delta makes the world drop them, and objects that reuse
// the rows begin with the default.
func TestGoValuesInRowsThatAreLeftAreFreed(t *testing.T) {
	for name, change := range map[string]func(s world.State, ids []world.GameObject) world.State{
		"the last": func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Dispose(s, ids[len(ids)-1]))
		},
		"some": func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Dispose(s, ids[3:min(70, len(ids))]...))
		},
		"all": func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Dispose(s, ids...))
		},
		"suspended": func(s world.State, ids []world.GameObject) world.State {
			s = world.Must(world.Suspend(s, ids[1], loose))
			return world.Must(world.Suspend(s, ids[2], loose))
		},
	} {
		for _, n := range []int{4, 200} {
			t.Run(name, func(t *testing.T) { brought(t, n, change) })
		}
	}
	t.Run("the first alone", func(t *testing.T) { // only a bit of its row changes
		brought(t, 1, func(s world.State, ids []world.GameObject) world.State {
			return world.Must(world.Dispose(s, ids...))
		})
	})
}

func brought(t *testing.T, n int, change func(world.State, []world.GameObject) world.State) {
	t.Helper()
	s, ids := loaded(t, n)
	before := world.Must(world.Clone(s))
	after := change(world.Must(world.Clone(s)), ids)
	var kept []weak.Pointer[load]
	for _, v := range []layout.Values[*load]{loose, packed} {
		for row := range n {
			value := tool.AnyValueOf(s, v.Kind(), layout.Row(row)).(*load)
			if use, _ := tool.RowUseOf(after, v.Kind(), layout.Row(row)); use == tool.RowUnused {
				kept = append(kept, weak.Make(value))
			}
		}
	}
	d := world.Must(delta.Append(nil, before, after))
	world.Close(before)
	world.Close(after)
	s = world.Must(delta.Apply(s, d))
	require.NoError(t, tool.Verify(s))
	runtime.GC()
	for i, p := range kept {
		assert.Nil(t, p.Value(), "%d of %d", i, len(kept))
	}
	for range 300 - world.Len(s) {
		var id world.GameObject
		var err error
		s, id = world.Must2(world.Create(s))
		if s, err = world.Add(s, id, loose); err != nil {
			break // the rest is suspended
		}
		assert.Same(t, initial, world.Must(world.ValueOf(s, id, loose)))
	}
	assert.NotZero(t, world.Len(s))
}

type vec struct{ X, Y, Z float32 }

var (
	place   = layout.NewComponent[vec]("place")
	speed   = layout.NewComponent("speed", vec{Y: 5})
	aim     = layout.NewField[world.GameObject]("aim")
	damage  = layout.NewField[float32]("damage")
	gun     = layout.NewKind("gun", aim, damage)
	frozen  = layout.NewMark("frozen")
	balloon = world.NewRecipe("balloon", place, speed)
)

// balloons are worlds of 100 objects, by a recipe or one by one, with free room and counted.
func balloons() map[string]world.State {
	free := world.Counts{
		Recipes: []world.Recipe{balloon}, Kinds: layout.Kinds(place, speed, gun, frozen),
	}
	if strconv.IntSize == 32 {
		free.GameObjects = 4_096 // a host of 32 bits has addresses for a few worlds of free room
	}
	counted := free
	counted.GameObjects = 200
	counted.Kinds = []layout.Count{
		place.Count(200), speed.Count(200), gun.Count(200), frozen.Count(0),
	}
	return map[string]world.State{
		"free room, a recipe":   sky(free, spawned),
		"free room, one by one": sky(free, created),
		"counted, a recipe":     sky(counted, spawned),
		"counted, one by one":   sky(counted, created),
	}
}

func sky(c world.Counts, add func(world.State) world.State) world.State {
	s := world.Must(world.CreateState(c))
	for range 100 {
		s = add(s)
	}
	return world.Advance(s)
}

func spawned(s world.State) world.State {
	s, _, err := world.Spawn(s, balloon)
	return world.Must(s, err)
}

func created(s world.State) world.State {
	s, id, err := world.Create(s)
	s = world.Must(s, err)
	s, err = world.Add(s, id, place)
	s = world.Must(s, err)
	s, err = world.Add(s, id, speed)
	return world.Must(s, err)
}

// sent returns the delta between two worlds, which leads from one to the other.
func sent(t *testing.T, from, to world.State) []byte {
	t.Helper()
	d := world.Must(delta.Append(nil, from, to))
	got := world.Must(delta.Apply(world.Must(world.Clone(from)), d))
	require.True(t, world.Equal(to, got))
	require.NoError(t, tool.Verify(got))
	return d
}

// object returns the n-th live object.
func object(s world.State, n int) (found world.GameObject) {
	for id := range world.GameObjects(s) {
		if n--; n < 0 {
			return id
		}
	}
	panic("no such object")
}

// A change of structure takes some ten bytes per kind, and so does a value.
func TestSizesOfSmallChanges(t *testing.T) {
	worldtest.OneGoroutine(t)
	changes := []struct {
		name string
		most int
		make func(world.State) world.State
	}{
		{"nothing", 36, func(s world.State) world.State { return s }},
		{"one object like the others is created", 120, nil},
		{"one is created one by one", 120, created},
		{"one is disposed", 120, func(s world.State) world.State {
			return world.Must(world.Dispose(s, object(s, 50)))
		}},
		{"the last is disposed", 120, func(s world.State) world.State {
			return world.Must(world.Dispose(s, object(s, 99)))
		}},
		{"one gets another kind", 120, func(s world.State) world.State {
			s, err := world.Add(s, object(s, 5), gun)
			return world.Must(s, err)
		}},
		{"one loses a kind", 120, func(s world.State) world.State {
			return world.Must(world.Remove(s, object(s, 5), speed))
		}},
		{"one is marked", 120, func(s world.State) world.State {
			s, err := world.Add(s, object(s, 5), frozen)
			return world.Must(s, err)
		}},
		{"one value is set", 120, func(s world.State) world.State {
			return world.Must(world.Set(s, object(s, 5), place, vec{1.1, 2.3, 3.7}))
		}},
	}
	for name, s := range balloons() {
		for _, c := range changes {
			if c.make == nil {
				c.make = spawned
				if name == "free room, one by one" || name == "counted, one by one" {
					c.make = created
				}
			}
			for later, to := range map[string]world.State{
				"":               c.make(world.Must(world.Clone(s))),
				", a tick later": c.make(world.Advance(world.Must(world.Clone(s)))),
			} {
				d := sent(t, s, to)
				t.Logf("%s: %s%s: %d bytes", name, c.name, later, len(d))
				assert.LessOrEqual(t, len(d), c.most, "%s: %s%s", name, c.name, later)
			}
		}
	}
}

// The first object of a slab brings the slab's rows, with their defaults, once for 1024 objects.
func TestSizeOfTheFirstObjectOfASlab(t *testing.T) {
	for name, s := range balloons() {
		if to := world.Must(world.Clone(s)); name == "free room, one by one" {
			assert.Less(t, len(sent(t, s, spawned(to))), 512)
		}
	}
}
