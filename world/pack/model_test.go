package pack_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pack"
)

func lives() int {
	if worldtest.AtLength() {
		return 400
	}
	return 25
}

// TestPackedObjectsAreTheSame: objects of a world that lived at random travel into another, which
// has its kinds in another order, lived too, and may have some of the same global ids.
func TestPackedObjectsAreTheSame(t *testing.T) {
	here, there := packer(), packer()
	done := 0
	for seed := range uint64(lives()) {
		r := rand.New(rand.NewPCG(seed, 1))
		a := live(t, r, motley(t, 300, r), 100+r.IntN(1500))
		b := live(t, r, motley(t, 600, r), r.IntN(600))
		if seed%3 == 0 { // objects that references from outside lead to
			b = shareGlobals(r, a, b)
		}
		ids := slices.Collect(world.GameObjects(a))
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		if r.IntN(2) == 0 {
			slices.Sort(ids)
		}
		ids = ids[:r.IntN(len(ids)+1)]

		before := bytes.Clone(world.Bytes(a))
		packed := world.Must(here.Pack([]byte("before"), a, ids...))
		require.Equal(t, before, world.Bytes(a), "Pack reads")
		again := world.Must(packer().Pack([]byte("before"), a, ids...))
		require.Equal(t, packed, again, "the same objects, the same bytes")
		want := tellAll(t, a, b, ids)

		old, was := slices.Collect(world.GameObjects(b)), bytes.Clone(world.Bytes(b))
		b, made, err := there.Unpack([]world.GameObject{7}, b, packed[len("before"):])
		if err != nil {
			require.ErrorIs(t, err, pack.ErrTaken)
			require.Equal(t, was, world.Bytes(b))
		} else {
			done++
			made = made[1:]
			require.Equal(t, want, tellAll(t, b, b, made), "seed %d", seed)
			require.Equal(t, len(old)+len(ids), world.Len(b))
		}
		require.NoError(t, tool.Verify(b))
		b = live(t, r, b, 300)
		require.NoError(t, tool.Verify(b))
		world.Close(a)
		world.Close(b)
	}
	require.Greater(t, done, lives()/2)
}

// shareGlobals gives objects of b global ids that some objects of a have.
func shareGlobals(r *rand.Rand, a, b world.State) world.State {
	others := slices.Collect(world.GameObjects(b))
	for id := range world.GameObjects(a) {
		if global, err := pack.GlobalOf(a, id); err == nil && global != 0 && r.IntN(20) == 0 {
			if len(others) == 0 {
				return b
			}
			b, _ = pack.SetGlobal(b, others[r.IntN(len(others))], global)
		}
	}
	return b
}

// TestDigestOfObjectsSeesNeitherRowsNorIds: of a world, and of one into which its objects were
// packed in several parts and another order.
func TestDigestOfObjectsSeesNeitherRowsNorIds(t *testing.T) {
	p := packer()
	for seed := range uint64(lives()) {
		r := rand.New(rand.NewPCG(seed, 2))
		a := live(t, r, motley(t, 200, r), 100+r.IntN(1200))
		ids := slices.Collect(world.GameObjects(a))
		want := world.Must(p.DigestObjects(a, anyOne))
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		packed := world.Must(p.Pack(nil, a, ids...))
		b, _ := world.Must2(p.Unpack(nil, live(t, r, motley(t, 200, r), 0), packed))
		got := world.Must(p.DigestObjects(b, anyOne))
		require.Equal(t, want, got, "seed %d", seed)
		world.Close(a)
		world.Close(b)
	}
}

// TestDigestsOfSetsAddUp: one of all objects is the sum of those of two sets; any change shows.
func TestDigestsOfSetsAddUp(t *testing.T) {
	p := packer()
	r := rand.New(rand.NewPCG(1, 3))
	s := live(t, r, motley(t, 300, nil), 900)
	digest := func(q world.Query) uint64 {
		x := world.Must(p.DigestObjects(s, q))
		return x
	}
	require.Equal(t, digest(anyOne),
		digest(picked)+digest(world.NewQuery(world.Without(chosen))))
	s, id := world.Must2(world.Create(s))
	seen := map[uint64]bool{digest(anyOne): true}
	fresh := func(what string) {
		t.Helper()
		x := digest(anyOne)
		require.False(t, seen[x], what)
		seen[x] = true
	}
	for _, k := range all {
		s, _ = world.Add(s, id, k)
		fresh(k.String())
	}
	s, _ = world.Set(s, id, heat, 99)
	fresh("a value")
	s, _ = world.SetName(s, id, "")
	fresh("the empty name")
	s, _ = world.SetName(s, id, "x")
	fresh("a name")
	s, _ = world.SetValue(s, id, note, "y")
	fresh("a Go value")
	s, _ = world.Suspend(s, id, heat)
	fresh("suspended")
	s, _ = pack.SetGlobal(s, id, 5)
	fresh("a global id")
	s, _, _ = pack.NextGlobal(s, id)
	fresh("a birth")
	s, _ = world.Set(s, id, target, id)
	fresh("a reference")
	world.Close(s)
}
