package pack_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pack"
)

// treeWorld returns a world with free room for a tree.
func treeWorld(t *testing.T) world.State {
	t.Helper()
	return world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(above)}))
}

// create creates an object in a world.
func create(t *testing.T, s world.State, kinds ...layout.AnyKind) (world.State, world.GameObject) {
	t.Helper()
	s, id := world.Must2(world.CreateWith(s, kinds...))
	return s, id
}

// outward returns a world, and the pack of an object that refers to another one.
func outward(t *testing.T) (world.State, []byte) {
	t.Helper()
	s, target := create(t, treeWorld(t), above)
	s, id := create(t, s, above)
	s = world.Must(world.Set(s, id, above, target))
	b := world.Must(pack.Pack(nil, s, id))
	return s, b
}

// TestNoReferenceLeadsToWhatIsMade: one out of a pack is to an object that was there before, also if
// a new object gets the id or the global id that it has.
func TestNoReferenceLeadsToWhatIsMade(t *testing.T) {
	p := pack.Packer{Find: func(id world.GameObject) world.GameObject { return id }}
	s, b := outward(t)
	defer func() { world.Close(s) }()
	empty := treeWorld(t)
	defer func() { world.Close(empty) }()
	for index := range uint32(3) { // 0 is the one that is made
		binary.LittleEndian.PutUint64(b[len(b)-8:], uint64(gameobject.MakeID(index, 1)))
		next, made := world.Must2(p.Unpack(nil, empty, sealed(b)))
		require.Equal(t, 1, p.Lost)
		require.Zero(t, world.Must(world.Get(next, made[0], above)))
		require.NoError(t, tool.Verify(next))
		empty = world.Must(tool.Empty(next, func(*tool.Part) int { return 0 }))
	}

	one := motley(t, 9, nil)
	defer func() { world.Close(one) }()
	one, id := create(t, one, above)
	one = world.Must(pack.SetGlobal(one, id, 5))
	b = world.Must(pack.Pack(nil, one, id))
	at := bytes.LastIndex(b, []byte{5, 0, 0, 0, 0, 0, 0, 0}) // the number; then births, or the reference
	require.Positive(t, at)
	one = world.Must(world.Dispose(one, id))
	for _, reference := range []int{at - 8, at + 8, at + 16} {
		bad := bytes.Clone(b)
		if reference+8 > len(bad) {
			continue
		}
		binary.LittleEndian.PutUint64(bad[reference:], 5)
		one = tryUnpack(t, &p, one, sealed(bad))
	}
}

// TestRingsOfSuspendedReferences: they count, for they come back.
func TestRingsOfSuspendedReferences(t *testing.T) {
	s := treeWorld(t)
	defer func() { world.Close(s) }()
	s, parent := create(t, s, above)
	s, child := create(t, s, above)
	s = world.Must(world.Set(s, child, above, parent))
	s = world.Must(world.Suspend(s, child, above))
	b := world.Must(pack.Pack(nil, s, parent, child))
	s, made := world.Must2(pack.Unpack(s, b))
	s = world.Must(world.Add(s, made[1], above))
	require.Equal(t, made[0], world.Must(world.Get(s, made[1], above)))
	const group = 18                                           // bytes; the reference comes last
	for _, at := range []int{len(b) - 8, len(b) - 8 - group} { // of the child, or of the parent
		bad := bytes.Clone(b)
		binary.LittleEndian.PutUint64(bad[at:], 1<<63|1) // to the child
		refused(t, s, &pack.Packer{}, sealed(bad), family.ErrRing)
	}
}

// TestIdsOfOthersAreChecked: there is one at least, all are of objects, and references are to them.
func TestIdsOfOthersAreChecked(t *testing.T) {
	worldtest.OneGoroutine(t)
	s, b := outward(t)
	defer func() { world.Close(s) }()
	n := len(b)
	change := func(do func(b []byte) []byte) []byte { return sealed(do(bytes.Clone(b))) }
	for name, bad := range map[string][]byte{
		"format 1": change(func(b []byte) []byte { b[24] = 1; return b }),
		"format 0": change(func(b []byte) []byte { b[24] = 0; return b }),
		"none":     change(func(b []byte) []byte { return b[:n-8] }),
		"half":     change(func(b []byte) []byte { return append(b, 1, 2, 3, 4) }),
		"nobody":   change(func(b []byte) []byte { clear(b[n-8:]); return b }),
		"recorded": change(func(b []byte) []byte { b[n-1] = 0x80; return b }),
		"beyond": change(func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[n-16:], 1<<63|2)
			return b
		}),
	} {
		t.Run(name, func(t *testing.T) { refused(t, s, &pack.Packer{}, bad, pack.ErrDamaged) })
	}
	more := change(func(b []byte) []byte { return append(b, b[n-8:]...) })
	s, _ = world.Must2(pack.Unpack(s, more))
}

// TestKindsThatTheWorldLacks: WithoutGlobals stands for global ids alone, and for nothing else.
func TestKindsThatTheWorldLacks(t *testing.T) {
	s := motley(t, 9, nil)
	defer func() { world.Close(s) }()
	s, marked := create(t, s, frozen)
	s, numbered := create(t, s)
	s = world.Must(pack.SetGlobal(s, numbered, 5))
	bare := treeWorld(t)
	defer func() { world.Close(bare) }()
	for _, id := range []world.GameObject{marked, numbered} {
		b, err := pack.Pack(nil, s, id)
		require.NoError(t, err)
		for _, without := range []bool{false, true} {
			p := pack.Packer{WithoutGlobals: without}
			if id == numbered && without {
				next, made, err := p.Unpack(nil, bare, b)
				require.NoError(t, err)
				require.Len(t, made, 1)
				bare = next
				continue
			}
			refused(t, bare, &p, b, pack.ErrSchema)
			_, _, err := p.Unpack(nil, bare, b)
			require.ErrorContains(t, err, "the world has no kind ")
		}
	}
}

// TestGroupsHaveObjects: one at least, and no more than the pack.
func TestGroupsHaveObjects(t *testing.T) {
	s := treeWorld(t)
	defer func() { world.Close(s) }()
	s, first := create(t, s, above)
	s, second := create(t, s, above)
	b, err := pack.Pack(nil, s, first, second)
	require.NoError(t, err)
	none := append(bytes.Clone(b), 0, 0, 0, 0, 0, 0)
	none[32] = 2 // groups
	refused(t, s, &pack.Packer{}, sealed(none), pack.ErrDamaged)
	_, _, err = pack.Unpack(s, none)
	require.ErrorContains(t, err, "a group of 0 objects, of 2")
	many := bytes.Clone(b)
	at := bytes.LastIndex(many, []byte{2, 0, 0, 0, 1, 0})
	require.Positive(t, at)
	many[at] = 3
	_, _, err = pack.Unpack(s, sealed(many))
	require.ErrorContains(t, err, "a group of 3 objects, of 2")
}
