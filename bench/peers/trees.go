package peers

import (
	"github.com/mlange-42/ark/ecs"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

// trees derive positions from parents to children. Ark has the parent in a component, for its
// relations take longer.
func trees() []harness.Case {
	return []harness.Case{{
		Name: "trees", Title: "Place nodes by their parents", Per: "node",
		Sizes: []int{200_000, 1_000_000}, Who: []string{"flatecs", "Ark"},
		How: []string{
			"trees of 20 nodes in three levels; flatecs: by Down and family.Parents",
			"Ark: by Map.Get of a component, right where parents were created first",
		},
		Make: func(who string, n int) harness.Work {
			build := arkTrees
			if harness.Ours(who) {
				build = flatTrees
			}
			derive, at, closing := build(n)
			return harness.Work{Run: derive, Close: closing, Check: func() Result {
				r := Result{Count: n}
				for i := range n {
					p := at(i)
					r.Sum += float64(p.X + 2*p.Y + 4*p.Z)
				}
				return r
			}}
		},
	}}
}

type vec struct{ X, Y, Z float32 }

// Trees have 20 nodes: a body, three limbs, and 16 parts of them. Parents come first.
func parentOf(i int) int {
	switch k := i % 20; {
	case k == 0:
		return -1
	case k < 4:
		return i - k
	default:
		return i - k + 1 + (k-4)%3
	}
}

func offset(i int) vec { return vec{1, float32(i % 7), 2} }

var (
	local    = layout.NewComponent[vec]("local")
	global   = layout.NewComponent[vec]("global")
	node     = world.NewRecipe("node", family.ChildOf, local, global)
	deriving = world.NewQuery(world.Write(global), world.Read(local))
)

// flatTrees returns what derives global positions, and what tells that of a node.
func flatTrees(n int) (derive func(), at func(i int) vec, closing func()) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{node}, Queries: []world.Query{deriving},
		Kinds: layout.Kinds(family.ChildOf.Kind().Count(n), local.Count(n), global.Count(n)),
	}))
	var ids []world.GameObject
	s = world.Must(world.SpawnN(s, node, n, func(b world.Batch) { ids = b.AppendIDs(ids) }))
	for i, id := range ids {
		if p := parentOf(i); p >= 0 {
			s = world.Must(world.Set(s, id, family.ChildOf, ids[p]))
		}
		s = world.Must(world.Set(s, id, local, offset(i)))
	}
	return func() {
			for b := range deriving.Down(s, family.ChildOf) {
				g, l := world.Overwrite(b, global), world.Column(b, local)
				up := family.Parents(b, global)
				for i := range g {
					g[i] = vec{up[i].X + l[i].X, up[i].Y + l[i].Y, up[i].Z + l[i].Z}
				}
			}
		}, func(i int) vec {
			return world.Must(world.Get(s, ids[i], global))
		}, func() { world.Close(s) }
}

type (
	arkLocal  vec
	arkGlobal vec
	arkParent struct{ ecs.Entity }
)

// arkTrees has the parent in a component and finds it by Map.Get, which is right because parents
// were created first.
func arkTrees(n int) (derive func(), at func(i int) vec, closing func()) {
	w := ecs.NewWorld(n)
	globals := ecs.NewMap1[arkGlobal](w)
	nodes := ecs.NewMap3[arkLocal, arkGlobal, arkParent](w)
	placed := ecs.NewFilter3[arkLocal, arkGlobal, arkParent](w)
	var made []ecs.Entity
	for i := range n {
		l, p := arkLocal(offset(i)), arkParent{}
		if k := parentOf(i); k >= 0 {
			p.Entity = made[k]
		}
		made = append(made, nodes.NewEntity(&l, &arkGlobal{}, &p))
	}
	return func() {
		for q := placed.Query(); q.Next(); {
			l, g, p := q.Get()
			if p.IsZero() {
				*g = arkGlobal(*l)
				continue
			}
			up := globals.Get(p.Entity)
			*g = arkGlobal{up.X + l.X, up.Y + l.Y, up.Z + l.Z}
		}
	}, func(i int) vec { return vec(*globals.Get(made[i])) }, nil
}
