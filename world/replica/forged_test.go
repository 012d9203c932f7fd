package replica

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A forgedGroup is a group as a server that lies may send it.
type forgedGroup struct {
	flags  byte
	mask   uint64
	steps  []uint64
	values int // bytes
	bytes  []byte
}

// forge makes a datagram of tick, with differences from age ticks before.
func forge(tick uint32, age byte, groups ...forgedGroup) []byte {
	b := le.AppendUint32(make([]byte, checkSize), tick)
	b = append(le.AppendUint16(b, uint16(tick)), 0, 0, age, 0, 0, byte(len(groups)))
	for _, g := range groups {
		b = binary.AppendUvarint(append(b, g.flags), g.mask)
		b = binary.AppendUvarint(b, uint64(len(g.steps)))
		for _, s := range g.steps {
			b = binary.AppendUvarint(b, s)
		}
		b = append(append(b, g.bytes...), make([]byte, g.values)...)
	}
	return seal(b)
}

// widthOf is the number of bytes of the parts of a mask.
func widthOf(mask uint32) (n int) {
	for i := range seen.parts {
		if mask>>i&1 != 0 {
			n += seen.parts[i].sizeIn(0)
		}
	}
	return n
}

// A mirror takes groups of slots that it has, each once, with what their object may have, and
// refuses all others without a change.
func TestForgedSlotsAreRefused(t *testing.T) {
	s := world.Must(world.CreateState(seen.Counts(8)))
	defer func() { world.Close(s) }()
	m := NewMirror(s, seen, 8, Show{})
	others, owners := uint64(seen.masks[0]), uint64(seen.masks[1])
	all, own := widthOf(uint32(others)), widthOf(uint32(owners))
	take := func(b []byte) {
		next, err := m.Apply(s, b)
		require.NoError(t, err)
		s = next
		require.NoError(t, tool.Verify(s))
	}
	enter := func(slots ...uint64) forgedGroup {
		return forgedGroup{groupEnter, others, slots, all * len(slots), nil}
	}
	take(forge(1, 0, enter(0, 2), forgedGroup{groupEnter | groupOwn, owners, []uint64{5}, own, nil}))
	require.Equal(t, 3, world.Len(s))
	require.Equal(t, "hp", seen.parts[5].spec.String())
	hpBit, placeBit, aimBit := uint64(1)<<5, uint64(1)<<1, uint64(1)<<9
	require.True(t, seen.parts[9].ref)
	update := func(slots ...uint64) forgedGroup {
		return forgedGroup{0, hpBit, slots, 2 * len(slots), nil}
	}
	for name, b := range map[string][]byte{
		"a slot beyond those that are known": forge(2, 0, enter(8)),
		"steps beyond them":                  forge(2, 0, enter(7, 1)),
		"a huge step":                        forge(2, 0, enter(3, 1<<40)),
		"a slot twice in a group":            forge(2, 0, update(2, 0)),
		"a slot in two groups":               forge(2, 0, update(2), forgedGroup{groupLeave, 0, []uint64{2}, 0, nil}),
		"an update of nobody":                forge(2, 0, update(3)),
		"an update of an own one for others": forge(2, 0, update(5)),
		"an own update of another's":         forge(2, 0, forgedGroup{groupOwn, hpBit, []uint64{2}, 2, nil}),
		"an own one enters for others":       forge(2, 0, enter(5)),
		"another's enters as own":            forge(2, 0, forgedGroup{groupEnter | groupOwn, owners, []uint64{2}, own, nil}),
		"a part for owners":                  forge(2, 0, forgedGroup{0, owners &^ others, []uint64{2}, widthOf(uint32(owners &^ others)), nil}),
		"a part that is none":                forge(2, 0, forgedGroup{0, 1 << 20, []uint64{2}, 9, nil}),
		"an enter without all parts":         forge(2, 0, forgedGroup{groupEnter, hpBit, []uint64{3}, 2, nil}),
		"an enter with differences":          forge(2, 1, forgedGroup{groupEnter | groupSmall, others, []uint64{2}, all, nil}),
		"a leave with parts":                 forge(2, 0, forgedGroup{groupLeave, hpBit, []uint64{2}, 2, nil}),
		"a leave that enters":                forge(2, 0, forgedGroup{groupLeave | groupEnter, others, []uint64{2}, all, nil}),
		"a leave of an own one":              forge(2, 0, forgedGroup{groupLeave | groupOwn, 0, []uint64{5}, 0, nil}),
		"differences from another tick":      forge(18, 1, forgedGroup{groupSmall, placeBit, []uint64{2}, 2, nil}),
		"keys without an enter":              forge(2, 0, forgedGroup{groupKey, hpBit, []uint64{2}, 5, nil}),
		"keys that are cut":                  forge(2, 0, forgedGroup{groupEnter | groupKey, others, []uint64{3}, 2, nil}),
		"unknown flags":                      forge(2, 0, forgedGroup{32, hpBit, []uint64{2}, 2, nil}),
		"differences from no tick":           forge(2, 0, forgedGroup{groupSmall, placeBit, []uint64{2}, 2, nil}),
		"differences from before":            forge(9, 7, forgedGroup{groupSmall, placeBit, []uint64{2}, 2, nil}),
		"differences from too long ago":      forge(17, 16, forgedGroup{groupSmall, placeBit, []uint64{2}, 2, nil}),
		"too few values":                     forge(2, 0, forgedGroup{0, hpBit, []uint64{2}, 1, nil}),
		"too many values":                    forge(2, 0, forgedGroup{0, hpBit, []uint64{2}, 3, nil}),
		"a reference to a slot beyond":       forge(2, 0, forgedGroup{0, aimBit, []uint64{2}, 0, []byte{9, 0}}),
		"a kind that is none":                forge(2, 0, forgedGroup{0, 1, []uint64{2}, 0, []byte{4}}),
		"no group":                           append(forge(2, 0)[:15], 1),
		"tick 0":                             forge(0, 0),
	} {
		digest := world.Digest(s)
		next, err := m.Apply(s, seal(b))
		if le.Uint32(b[4:]) == 0 {
			m.any, m.base = false, 0
			next, err = m.Apply(s, b)
			m.any, m.base = true, 1
		}
		require.ErrorIs(t, err, ErrDamaged, name)
		require.Equal(t, digest, world.Digest(next), name)
		require.EqualValues(t, 1, m.Tick(), name)
	}
	take(forge(2, 1, update(2), forgedGroup{groupSmall, placeBit, []uint64{0}, 2, nil},
		forgedGroup{groupOwn, aimBit, []uint64{5}, 0, []byte{8, 0}}))
	take(forge(3, 0, forgedGroup{groupEnter | groupKey, others, []uint64{3}, all + keySize, nil}))
	take(forge(4, 0, forgedGroup{groupLeave, 0, []uint64{0, 2}, 0, nil}))
	require.Equal(t, 2, world.Len(s))
}

var (
	locked = layout.NewComponent[bool]("locked")
	door   = world.NewRecipe("door", locked)
)

// A value that no world can have is refused.
func TestForgedValuesAreRefused(t *testing.T) {
	schema := NewSchema(door, Field(locked, Raw()))
	s := world.Must(world.CreateState(schema.Counts(4)))
	defer func() { world.Close(s) }()
	m := NewMirror(s, schema, 4, Show{})
	enter := func(value byte) []byte {
		return forge(1, 0, forgedGroup{groupEnter, uint64(schema.masks[0]), []uint64{0}, 0, []byte{value}})
	}
	_, err := m.Apply(s, enter(2))
	require.ErrorIs(t, err, ErrDamaged)
	s, err = m.Apply(s, enter(1))
	require.NoError(t, err)
	s = m.Present(s, 0)
	require.True(t, world.Must(world.Get(s, m.slots[0].id, locked)))
}
