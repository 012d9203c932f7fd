package families_test

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/mlange-42/ark/ecs"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/turns"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

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

// A contender derives global positions, and tells that of a node.
type contender interface {
	derive()
	at(i int) vec
}

var (
	local   = layout.NewComponent[vec]("local")
	global  = layout.NewComponent[vec]("global")
	node    = world.NewRecipe("node", family.ChildOf, local, global)
	placing = world.NewQuery(world.Write(global), world.Read(local))
)

type flat struct {
	s   world.State
	ids []world.GameObject
}

func newFlat(n int) *flat {
	f := &flat{s: world.Must(world.CreateState(world.Counts{
		GameObjects: n, Recipes: []world.Recipe{node}, Queries: []world.Query{placing},
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

func (f *flat) derive() {
	for b := range placing.Down(f.s, family.ChildOf) {
		g, l := world.Overwrite(b, global), world.Column(b, local)
		up := family.Parents(b, global)
		for i := range g {
			g[i] = vec{up[i].X + l[i].X, up[i].Y + l[i].Y, up[i].Z + l[i].Z}
		}
	}
}

func (f *flat) at(i int) vec { return world.Must(world.Get(f.s, f.ids[i], global)) }

type (
	arkLocal  vec
	arkGlobal vec
	arkParent struct{ ecs.Entity }
	arkChild  struct{ ecs.RelationMarker }
)

// An arkField has the parent in a component and finds it by Map.Get, which is right because parents
// were created first.
type arkField struct {
	globals *ecs.Map1[arkGlobal]
	nodes   *ecs.Filter3[arkLocal, arkGlobal, arkParent]
	made    []ecs.Entity
}

func newArkField(n int) *arkField {
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

func (a *arkField) at(i int) vec { return vec(*a.globals.Get(a.made[i])) }

// An arkRelation has the parent as a relation target and asks for the children of each parent.
type arkRelation struct {
	globals  *ecs.Map1[arkGlobal]
	locals   *ecs.Map1[arkLocal]
	children *ecs.Filter3[arkLocal, arkGlobal, arkChild]
	made     []ecs.Entity
}

func newArkRelation(n int) *arkRelation {
	w := ecs.NewWorld(n)
	a := &arkRelation{
		globals: ecs.NewMap1[arkGlobal](w), locals: ecs.NewMap1[arkLocal](w),
		children: ecs.NewFilter3[arkLocal, arkGlobal, arkChild](w),
	}
	roots := ecs.NewMap2[arkLocal, arkGlobal](w)
	nodes := ecs.NewMap3[arkLocal, arkGlobal, arkChild](w)
	for i := range n {
		l := arkLocal(offset(i))
		if k := parentOf(i); k >= 0 {
			up := ecs.Rel[arkChild](a.made[k])
			a.made = append(a.made, nodes.NewEntity(&l, &arkGlobal{}, &arkChild{}, up))
		} else {
			a.made = append(a.made, roots.NewEntity(&l, &arkGlobal{}))
		}
	}
	return a
}

func (a *arkRelation) derive() {
	for i, e := range a.made {
		if i%20 == 0 {
			g := arkGlobal(*a.locals.Get(e))
			*a.globals.Get(e) = g
			a.below(e, g, 1)
		}
	}
}

// below derives the positions of the children of a node; those at depth 2 have none themselves.
func (a *arkRelation) below(e ecs.Entity, up arkGlobal, depth int) {
	q := a.children.Query(ecs.Rel[arkChild](e))
	var limbs [3]ecs.Entity
	n := 0
	for q.Next() {
		l, g, _ := q.Get()
		*g = arkGlobal{up.X + l.X, up.Y + l.Y, up.Z + l.Z}
		if depth == 1 {
			limbs[n] = q.Entity()
			n++
		}
	}
	for _, limb := range limbs[:n] {
		a.below(limb, *a.globals.Get(limb), depth+1)
	}
}

func (a *arkRelation) at(i int) vec { return vec(*a.globals.Get(a.made[i])) }

func TestEverybodyDerivesTheSame(t *testing.T) {
	const n = 400
	ours := newFlat(n)
	defer func() { world.Close(ours.s) }()
	ours.derive()
	for _, c := range []contender{newArkField(n), newArkRelation(n)} {
		c.derive()
		for i := range n {
			require.Equal(t, c.at(i), ours.at(i))
		}
	}
}

// BenchmarkTrees runs contenders in turn, and reports the least time per node of each that its
// thread has worked.
func BenchmarkTrees(b *testing.B) {
	for _, c := range []struct {
		name  string
		nodes int
		peer  func(n int) contender
	}{
		{"field of 200,000", 200_000, func(n int) contender { return newArkField(n) }},
		{"field of 1,000,000", 1_000_000, func(n int) contender { return newArkField(n) }},
		{"relation of 20,000", 20_000, func(n int) contender { return newArkRelation(n) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			ours, peer := newFlat(c.nodes), c.peer(c.nodes)
			defer func() { world.Close(ours.s) }()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
			for b.Loop() {
				for i, c := range []contender{ours, peer} {
					at := turns.ThreadTime()
					c.derive()
					least[i] = min(least[i], turns.ThreadTime()-at)
				}
			}
			per := func(i int) float64 { return float64(least[i].Nanoseconds()) / float64(c.nodes) }
			b.ReportMetric(per(0), "flatecs-ns/node")
			b.ReportMetric(per(1), "ark-ns/node")
			b.ReportMetric(per(0)/per(1), "flatecs/ark")
		})
	}
}
