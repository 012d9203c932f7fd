package pack_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/pack"
)

// bags returns a world with room for lists of so many elements in all, of 24 bytes each.
func bags(t *testing.T, elements uint32) world.State {
	t.Helper()
	return world.Must(world.CreateState(world.Counts{GameObjects: 20, Kinds: []layout.Count{
		{Kind: bag, Rows: 20, Elements: elements}, title.Count(20, 100),
	}}))
}

// carrier creates an object whose list has elements that refer to objects, and a title.
func carrier(t *testing.T, s world.State, to ...world.GameObject) (world.State, world.GameObject) {
	t.Helper()
	s, id := create(t, s, bag, title)
	items := make([]loot, len(to))
	for i, other := range to {
		items[i] = loot{Of: [2]world.GameObject{other, id}, Count: uint32(i), Rare: true}
	}
	s = world.Must(list.Append(s, id, loots, items...))
	return world.Must(list.SetText(s, id, title, "Löwe")), id
}

// TestReferencesInListsLeavePacks: they are found by Find, and counted where they are lost.
func TestReferencesInListsLeavePacks(t *testing.T) {
	s := bags(t, 100)
	s, outside := create(t, s)
	s, id := carrier(t, s, outside, outside)
	b := world.Must(pack.Pack(nil, s, id))
	var p pack.Packer
	s, made := world.Must2(p.Unpack(nil, s, b))
	assert.Equal(t, 2, p.Lost)
	assert.Zero(t, world.Must(list.Of(s, made[0], loots))[1].Of[0])
	p.Find = pack.SameID
	s, made = world.Must2(p.Unpack(nil, s, b))
	assert.Zero(t, p.Lost)
	assert.Equal(t, outside, world.Must(list.Of(s, made[0], loots))[1].Of[0])
	require.NoError(t, tool.Verify(s))
}

// TestListsFindRoomOrNothingChanges: for as many copies as there is room for, in rows that were
// never used and in freed ones.
func TestListsFindRoomOrNothingChanges(t *testing.T) {
	s := bags(t, 24) // 12 rows of two, half as many, and one for each of 20 objects: 38
	s, id := carrier(t, s, 0, 0, 0, 0, 0)
	one := world.Must(pack.Pack(nil, s, id)) // of 3 rows
	s, made := fill(t, s, one)
	assert.Len(t, made, 11)
	for range 3 {
		s = world.Must(world.Dispose(s, made[3], made[7], made[4], made[9]))
		two := world.Must(pack.Pack(nil, s, id, made[0]))
		var more []world.GameObject
		s, more = fill(t, s, two)
		assert.Len(t, more, 4)
		for _, i := range []int{0, 1, 2, 5, 6, 8, 10} {
			more = append(more, made[i])
		}
		made = more
	}
}

// fill unpacks until there is no room.
func fill(t *testing.T, s world.State, b []byte) (world.State, []world.GameObject) {
	t.Helper()
	var all []world.GameObject
	for range 100 {
		var p pack.Packer
		before := bytes.Clone(world.Bytes(s))
		next, made, err := p.Unpack(nil, s, b)
		if err != nil {
			require.ErrorIs(t, err, world.ErrFull)
			require.ErrorContains(t, err, "bag.loots: no room for another list of 5 elements")
			require.Equal(t, before, world.Bytes(s))
			return s, all
		}
		s, all = next, append(all, made...)
		require.NoError(t, tool.Verify(s))
	}
	t.Fatal("there is always room")
	return s, nil
}

// TestHostileLists: lengths, bools and texts are checked.
func TestHostileLists(t *testing.T) {
	worldtest.OneGoroutine(t)
	s := bags(t, 100)
	s, id := carrier(t, s, 0, 0)
	b := world.Must(pack.Pack(nil, s, id))
	at := len(b) - 4 - len("Löwe") - 2*24 - 4 // of the length of the list; title comes last
	require.Equal(t, uint32(2), binary.LittleEndian.Uint32(b[at:]))
	length := func(n uint32) []byte {
		bad := bytes.Clone(b)
		binary.LittleEndian.PutUint32(bad[at:], n)
		return sealed(bad)
	}
	put := func(at int, x byte) []byte {
		bad := bytes.Clone(b)
		bad[at] = x
		return sealed(bad)
	}
	for name, bad := range map[string][]byte{
		"too long": length(3), "most": length(1<<32 - 1), "too short": length(1),
		"none": length(0), "cut off": sealed(b[:len(b)-1]), "bool": put(at+4+22, 2),
		"not UTF-8": put(len(b)-1, 0xc3), "a text of another length": put(len(b)-len("Löwe")-4, 200),
		"a reference beyond": put(at+4+7, 0x80|1),
	} {
		t.Run(name, func(t *testing.T) { refused(t, s, &pack.Packer{}, bad, pack.ErrDamaged) })
	}
}
