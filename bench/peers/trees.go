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
			build := newArkField
			if isOurs(who) {
				build = newFlatTrees
			}
			f := build(n)
			return harness.Work{Run: f.derive, Close: f.close, Check: func() harness.Result {
				r := Result{Count: n}
				for i := range n {
					at := f.at(i)
					r.Sum += float64(at.X + 2*at.Y + 4*at.Z)
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

// A forest derives global positions, and tells that of a node.
type forest interface {
	derive()
	at(i int) vec
	close()
}

var (
	local    = layout.NewComponent[vec]("local")
	global   = layout.NewComponent[vec]("global")
	node     = world.NewRecipe("node", family.ChildOf, local, global)
	deriving = world.NewQuery(world.Write(global), world.Read(local))
)

type flatTrees struct {
	s   world.State
	ids []world.GameObject
}

func newFlatTrees(n int) forest {
	f := &flatTrees{s: world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{node}, Queries: []world.Query{deriving},
		Kinds: layout.Kinds(family.ChildOf.Kind().Count(n), local.Count(n), global.Count(n)),
	}))}
	f.s = world.Must(world.SpawnN(f.s, node, n, func(b world.Batch) {
		for i := range b.Len() {
			f.ids = append(f.ids, b.ID(i))
		}
	}))
	for i, id := range f.ids {
		if p := parentOf(i); p >= 0 {
			f.s = world.Must(world.Set(f.s, id, family.ChildOf, f.ids[p]))
		}
		f.s = world.Must(world.Set(f.s, id, local, offset(i)))
	}
	return f
}

func (f *flatTrees) derive() {
	for b := range deriving.Down(f.s, family.ChildOf) {
		g, l := world.Overwrite(b, global), world.Column(b, local)
		up := family.Parents(b, global)
		for i := range g {
			g[i] = vec{up[i].X + l[i].X, up[i].Y + l[i].Y, up[i].Z + l[i].Z}
		}
	}
}

func (f *flatTrees) close() { world.Close(f.s) }

func (f *flatTrees) at(i int) vec { return world.Must(world.Get(f.s, f.ids[i], global)) }

type (
	arkLocal  vec
	arkGlobal vec
	arkParent struct{ ecs.Entity }
)

// An arkField has the parent in a component and finds it by Map.Get, which is right because parents
// were created first.
type arkField struct {
	globals *ecs.Map1[arkGlobal]
	nodes   *ecs.Filter3[arkLocal, arkGlobal, arkParent]
	made    []ecs.Entity
}

func newArkField(n int) forest {
	w := ecs.NewWorld(n)
	a := &arkField{
		globals: ecs.NewMap1[arkGlobal](w),
		nodes:   ecs.NewFilter3[arkLocal, arkGlobal, arkParent](w),
	}
	nodes := ecs.NewMap3[arkLocal, arkGlobal, arkParent](w)
	for i := range n {
		l, p := arkLocal(offset(i)), arkParent{}
		if k := parentOf(i); k >= 0 {
			p.Entity = a.made[k]
		}
		a.made = append(a.made, nodes.NewEntity(&l, &arkGlobal{}, &p))
	}
	return a
}

func (a *arkField) derive() {
	q := a.nodes.Query()
	for q.Next() {
		l, g, p := q.Get()
		if p.IsZero() {
			*g = arkGlobal(*l)
			continue
		}
		up := a.globals.Get(p.Entity)
		*g = arkGlobal{up.X + l.X, up.Y + l.Y, up.Z + l.Z}
	}
}

func (a *arkField) close()       {}
func (a *arkField) at(i int) vec { return vec(*a.globals.Get(a.made[i])) }
