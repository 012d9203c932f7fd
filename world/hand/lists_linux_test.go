package hand_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/save"
)

type (
	cargo       struct{ What, Tick uint32 }
	pricedCargo struct{ Price, Tick, What uint32 }
)

var (
	hold       = layout.NewList[cargo]("hold")
	motto      = layout.NewText("motto")
	ship       = world.NewRecipe("ship", hold, motto)
	loading    = world.NewQuery(world.Write(hold))
	pricedHold = layout.NewList[pricedCargo]("hold")
	pricedShip = world.NewRecipe("ship", pricedHold, motto)
	pricing    = world.NewQuery(world.Write(pricedHold))
)

// loaded returns how a version plays whose objects have lists. In those of l2 an element has a
// price too.
func loaded(version string) (world.Counts, func(world.State) world.State, func() (world.State, error)) {
	c := world.Counts{Kinds: layout.Kinds(hold, motto), Recipes: []world.Recipe{ship}}
	if version[:2] == "l2" {
		c.Kinds = layout.Kinds(pricedHold, motto)
		c.Recipes = []world.Recipe{pricedShip}
		return c, func(s world.State) world.State {
			s = world.Advance(s)
			tick := uint32(world.Tick(s))
			load(s, pricing, pricedHold, func(what uint32) pricedCargo {
				return pricedCargo{2 * tick, tick, what}
			})
			return s
		}, nil
	}
	return c, func(s world.State) world.State {
		s = world.Advance(s)
		tick := uint32(world.Tick(s))
		load(s, loading, hold, func(what uint32) cargo { return cargo{what, tick} })
		return s
	}, func() (world.State, error) { return fleet(c) }
}

// load adds an element to each list, and empties some.
func load[T any](s world.State, q world.Query, l layout.List[T], item func(what uint32) T) {
	for b := range q.In(s) {
		lists := list.Column(b, l)
		for i := range lists.Len() {
			id := b.ID(i).Index()
			if (id+uint32(world.Tick(s)))%40 == 0 {
				lists.Cut(i, 0)
			}
			_, err := lists.Append(i, item(id))
			die("append", err)
		}
	}
}

func fleet(c world.Counts) (world.State, error) {
	s, err := world.CreateState(c)
	if err != nil {
		return s, err
	}
	s, err = world.SpawnN(s, ship, 100, nil)
	for id := range world.GameObjects(s) {
		s = world.Must(list.SetText(s, id, motto, "ahoi "+id.String()))
	}
	return s, err
}

// TestListsAreHandedOver: a restart keeps them, bit for bit; so does an undo. A build whose elements
// have another part gives it zero in those that are there, and one that lacks it drops it.
func TestListsAreHandedOver(t *testing.T) {
	g := playing(t, "l1-a", 0, hand.Supervisor{Undo: 3})
	g.played(30)
	g.takesOver("l1-b")
	g.played(30)
	g.takesOver("l2-c")
	g.played(30)
	g.takesOver("l1-d")
	g.played(10)
	g.undo()
	g.after(hand.Undone)
	g.played(10)
	g.undo()
	back := g.after(hand.Undone)
	g.plays("l1-b", len(g.says()))
	g.takesOver("l2-e")
	g.played(10)
	first := g.plays("l2-e", 0).tick
	g.terminate()

	_, advance, begin := loaded("l1")
	want := &undisturbed{s: world.Must(begin()), step: advance}
	for _, l := range g.says() {
		if l.version == "l1-a" || l.version == "l1-b" { // l1-d took over another world
			require.Equal(t, want.at(uint64(l.tick)), l.digest, "%s at %d", l.version, l.tick)
		}
	}
	assert.Less(t, int(back.Tick), first)

	c, _, _ := loaded("l2")
	s, _ := world.Must2(save.Load(filepath.Join(g.dir, "world.flat"), c, save.Options{}))
	defer world.Close(s)
	require.NoError(t, tool.Verify(s))
	last := uint32(world.Tick(s))
	for id := range world.GameObjects(s) {
		require.Equal(t, "ahoi "+id.String(), world.Must(list.Text(s, id, motto)))
		all := world.Must(list.Of(s, id, pricedHold))
		begin := max(last-(id.Index()+last)%40, 2)
		require.Len(t, all, int(last-begin+1))
		for k, e := range all {
			want := pricedCargo{Tick: begin + uint32(k), What: id.Index()}
			if want.Tick >= uint32(first) {
				want.Price = 2 * want.Tick
			}
			require.Equal(t, want, e)
		}
	}
}
