package pack_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

// A register is what global ids are to a program: who has which.
type register struct {
	t     *testing.T
	state world.State
	has   map[world.GameObject]uint64
	keeps map[world.GameObject]uint64 // suspended
}

func (g *register) taken(number uint64, by world.GameObject) bool {
	for _, list := range []map[world.GameObject]uint64{g.has, g.keeps} {
		for id, n := range list {
			if n == number && id != by {
				return true
			}
		}
	}
	return false
}

// set gives an object a number.
func (g *register) set(id world.GameObject, number uint64) {
	s, err := pack.SetGlobal(g.state, id, number)
	switch {
	case number == 0:
		require.ErrorIs(g.t, err, pack.ErrGlobal)
	case g.taken(number, id):
		require.ErrorIs(g.t, err, pack.ErrTaken)
	default:
		require.NoError(g.t, err)
		delete(g.keeps, id)
		g.has[id] = number
	}
	g.state = s
}

// check compares everything.
func (g *register) check() {
	g.t.Helper()
	for number := range uint64(60) {
		id, ok := pack.ByGlobal(g.state, number)
		want := world.GameObject(0)
		for owner, n := range g.has {
			if n == number && n != 0 {
				want = owner
			}
		}
		require.Equal(g.t, want, id, "global %d", number)
		require.Equal(g.t, want != 0, ok)
	}
	for id, want := range g.has {
		got := world.Must(pack.GlobalOf(g.state, id))
		require.Equal(g.t, want, got)
	}
	require.NoError(g.t, tool.Verify(g.state))
}

// TestGlobalsLikeARegister: random lives of few numbers, so that they come again and again, against
// Go maps.
func TestGlobalsLikeARegister(t *testing.T) {
	for seed := range uint64(lives()) {
		r := rand.New(rand.NewPCG(seed, 4))
		const most = 25
		g := &register{
			t: t, state: world.Must(world.CreateState(world.Counts{
				GameObjects: most, Globals: most, Kinds: layout.Kinds(heat),
			})),
			has: map[world.GameObject]uint64{}, keeps: map[world.GameObject]uint64{},
		}
		var old *world.Snapshot
		var oldHas, oldKeeps map[world.GameObject]uint64
		for range 600 {
			g.step(r)
			switch r.IntN(60) {
			case 0:
				g.state = world.Must(world.Tidy(g.state))
			case 1:
				if old == nil {
					old = world.Must(world.NewSnapshot(g.state))
				}
				require.NoError(t, old.Take(g.state))
				oldHas, oldKeeps = maps.Clone(g.has), maps.Clone(g.keeps)
			case 2:
				if old != nil {
					g.state = world.Must(world.Restore(g.state, old))
					g.has, g.keeps = maps.Clone(oldHas), maps.Clone(oldKeeps)
				}
			case 3:
				g.state = world.Must(tool.Rebuild(g.state))
			case 4:
				g.state = world.Advance(g.state)
			}
			if r.IntN(10) == 0 {
				g.check()
			}
		}
		g.check()
		world.Close(g.state)
	}
}

// step does one thing to one object.
func (g *register) step(r *rand.Rand) {
	list := ids(g.state)
	if len(list) < 20 && r.IntN(3) == 0 {
		s, id := world.Must2(world.Create(g.state))
		g.state, list = s, append(list, id)
	}
	if len(list) == 0 {
		return
	}
	id := list[r.IntN(len(list))]
	switch r.IntN(8) {
	case 0:
		g.state = world.Must(world.Dispose(g.state, id))
		delete(g.has, id)
		delete(g.keeps, id)
	case 1:
		if _, ok := g.has[id]; ok {
			g.state = world.Must(world.Remove(g.state, id, pack.Global))
			delete(g.has, id)
		}
	case 2:
		if n, ok := g.has[id]; ok {
			g.state = world.Must(world.Suspend(g.state, id, pack.Global))
			g.keeps[id] = n
			delete(g.has, id)
		}
	case 3:
		if _, ok := g.has[id]; !ok {
			s := world.Must(world.Add(g.state, id, pack.Global))
			g.state = s
			g.has[id] = g.keeps[id]
			delete(g.keeps, id)
		}
	case 4:
		if world.Len(g.state) < 25 {
			s, twin := world.Must2(world.Copy(g.state, id))
			require.False(g.t, world.Has(s, twin, pack.Global))
			g.state = s
		}
	default:
		g.set(id, r.Uint64N(60))
	}
}

// TestBirthsDoNotDependOnTheWorld: numbers made from a parent's are the same in whichever world the
// parent is when they are made.
func TestBirthsDoNotDependOnTheWorld(t *testing.T) {
	counts := world.Counts{GameObjects: 10, Globals: 10}
	a, id := world.Must2(world.Create(world.Must(world.CreateState(counts))))
	a = world.Must(pack.SetGlobal(a, id, 42))
	alone, home := world.Must(world.Clone(a)), id
	b, other := world.Must2(world.Create(world.Must(world.CreateState(counts))))
	b = world.Must(pack.SetGlobal(b, other, 43))
	var got, want []uint64
	for n := range 6 {
		var number uint64
		alone, number = world.Must2(pack.NextGlobal(alone, home))
		want = append(want, number)
		a, number = world.Must2(pack.NextGlobal(a, id))
		got = append(got, number)
		if n%2 == 1 {
			packed := world.Must(pack.Pack(nil, a, id))
			a = world.Must(world.Dispose(a, id))
			next, moved := world.Must2(pack.Unpack(b, packed))
			a, b, id = next, a, moved[0]
		}
	}
	assert.Equal(t, want, got)
	slices.Sort(got)
	assert.Len(t, slices.Compact(got), 6)
	assert.Equal(t, uint64(0x7c991bca1a1aa1ae), want[0], "the formula is part of the format")
}

func TestGlobalsRefuse(t *testing.T) {
	s, id, err := world.Create(world.Must(world.CreateState(world.Counts{Globals: 1})))
	require.NoError(t, err)
	for number, want := range map[uint64]error{0: pack.ErrGlobal, 1 << 63: pack.ErrGlobal} {
		_, err = pack.SetGlobal(s, id, number)
		require.ErrorIs(t, err, want)
	}
	_, _, err = pack.NextGlobal(s, id)
	require.ErrorIs(t, err, world.ErrAbsent)
	s = world.Must(world.Add(s, id, pack.Global))
	_, _, err = pack.NextGlobal(s, id)
	require.ErrorIs(t, err, pack.ErrGlobal)
	bare := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	bare, id = world.Must2(world.Create(bare))
	_, err = pack.SetGlobal(bare, id, 1)
	require.ErrorIs(t, err, world.ErrNoKind)
	require.ErrorContains(t, err, "Counts.Globals")
	assert.PanicsWithValue(t, err.Error(), func() { pack.ByGlobal(bare, 1) })
	_, err = world.CreateState(world.Counts{Globals: 1, Kinds: layout.Kinds(pack.Global)})
	require.ErrorIs(t, err, systems.ErrKindTwice)
	world.Close(s)
	world.Close(bare)
}

// TestGlobalsInFiles: a file holds no index, so that a world with other counts can read it.
func TestGlobalsInFiles(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Globals: 9}))
	for n := range 9 {
		next, id, err := world.Create(s)
		require.NoError(t, err)
		s = world.Must(pack.SetGlobal(next, id, uint64(100+n)))
	}
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	back, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()),
		world.Counts{Globals: 1000}, save.Options{})
	require.NoError(t, err)
	require.NoError(t, tool.Verify(back))
	for n := range 9 {
		id, ok := pack.ByGlobal(back, uint64(100+n))
		assert.True(t, ok)
		assert.Equal(t, fmt.Sprint(n), id.String())
	}
	world.Close(s)
	world.Close(back)
}
