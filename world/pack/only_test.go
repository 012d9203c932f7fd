package pack_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
)

// A Packer with Only leaves other kinds away, names among them.
func TestOnlySomeKindsArePacked(t *testing.T) {
	s, captain, soldier := squad()
	s = world.Must(pack.SetGlobal(s, captain, 7))
	s = world.Must(world.Set(s, captain, Place, [2]float32{3, 4}))
	p := pack.Packer{Only: []layout.AnyKind{Place}}
	b := world.Must(p.Pack(nil, s, captain, soldier))
	s, copies := world.Must2(pack.Unpack(s, b))
	for i, id := range copies {
		assert.True(t, world.Has(s, id, Place))
		for _, k := range []layout.AnyKind{Leader, pack.Global, world.NameKind} {
			assert.False(t, world.Has(s, id, k), "%d: %v", i, k.Kind())
		}
	}
	at := world.Must(world.Get(s, copies[0], Place))
	assert.Equal(t, [2]float32{3, 4}, at)

	p.Only = []layout.AnyKind{nil}
	assert.PanicsWithValue(t, "pack: Packer.Only lists a nil kind; list kinds or fields that were declared",
		func() { _, _ = p.Pack(nil, s, captain) })
}
