package replica

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

// Batches of objects that do not lie side by side are kept, for those of their blocks that do.
func TestTheTableKeepsWhatLiesApart(t *testing.T) {
	a := newArena(t, 400, 0, Options{}, link.Conditions{})
	var ids []world.GameObject
	for range 384 {
		a.spawn(a.anywhere())
	}
	for i := range uint32(192) { // a block side by side, and one that is not
		if id := world.Must(tool.GameObjectAt(a.s, 128+i)); i < 64 || i%2 == 0 {
			a.s = world.Must(world.Add(a.s, id, shield))
			ids = append(ids, id)
		}
	}
	set := func(value float32, some ...world.GameObject) {
		a.s = world.Advance(a.s)
		a.send() // so that what was set before is not looked at again
		a.s = world.Advance(a.s)
		for _, id := range some {
			a.s = world.Must(world.Set(a.s, id, shield, value))
		}
		a.send()
		for _, id := range some {
			tab, p := a.server.table, &seen.parts[8]
			require.Equal(t, through(p.wire, value), p.wire.value(tab.row(id.Index())[tab.base+p.at]))
		}
	}
	set(2, ids...)
	set(3, ids[5])
	set(1, ids[5], ids[70])
	set(3, ids[5])
	set(1, ids...)
	set(0, ids[:64]...)
	set(1, ids[:64]...)
}

// The table follows values that change and change back, in blocks that are walked over with others
// or alone, and in those of objects that come and go.
func TestTheTableFollowsWhatIsWalkedOver(t *testing.T) {
	a := newArena(t, 700, 0, Options{}, link.Conditions{})
	var ids []world.GameObject
	a.s = world.Must(world.SpawnN(a.s, tank, 600, func(b world.Batch) { // side by side
		ids = b.AppendIDs(ids)
	}))
	for i := range ids {
		if i%7 < 3 { // and these are not
			a.s = world.Must(world.Add(a.s, ids[i], shield))
		}
	}
	stand := world.NewQuery(world.Write(place), world.Write(hp), world.Write(skin))
	for tick := range 120 {
		a.s = world.Advance(a.s)
		if a.random.IntN(2) == 0 {
			for range stand.In(a.s) { // stamps all
				continue
			}
		}
		for range a.random.IntN(4) {
			id := ids[a.random.IntN(len(ids))]
			a.s = world.Must(world.Set(a.s, id, hp, uint16(a.random.IntN(2))))
			a.s = world.Must(world.Set(a.s, id, place, vec{float32(a.random.IntN(2)) * 300, 5}))
		}
		for range 3 {
			if id := ids[a.random.IntN(len(ids))]; world.Has(a.s, id, shield) {
				a.s = world.Must(world.Set(a.s, id, shield, float32(a.random.IntN(2))))
			}
		}
		if i := a.random.IntN(len(ids)); tick%70 == 0 {
			a.s = world.Must(world.DisposeGameObject(a.s, ids[i]))
			ids[i] = a.spawn(a.anywhere())
		}
		a.send()
		for _, id := range ids {
			tab := a.server.table
			r, tr := tab.row(id.Index()), truthOf(a.s, id)
			require.Equal(t, id.Generation(), r[0])
			require.EqualValues(t, tr.hp, r[tab.base+seen.parts[5].at], "tick %d, %v", tick, id)
			if tr.shield >= 0 {
				p := &seen.parts[8]
				require.Equal(t, tr.shield, p.wire.value(r[tab.base+p.at]))
			}
			for l := range 2 {
				p := &seen.parts[1]
				require.Equal(t, tr.place[l], p.wire.value(p.wire.laneOf(r[tab.base+p.at:], l)))
			}
		}
	}
}
