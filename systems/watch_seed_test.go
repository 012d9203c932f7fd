package systems

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSeed_A10_EqualRulesMakeOneGroup(t *testing.T) {
	for _, c := range []struct {
		name   string
		a, b   Query
		groups int
	}{
		{"equal", NewQuery(With(kindA, kindB)), NewQuery(With(kindA, kindB)), 1},
		{"in another order", NewQuery(With(kindA), Without(kindB, markX)), NewQuery(Without(markX, kindB), With(kindA)), 1},
		{"twice the same", NewQuery(With(kindA)), NewQuery(With(kindA, kindA), With(kindA)), 1},
		{"by other verbs", NewQuery(With(kindA)), NewQuery(Read(fieldA), Optional(fieldC), Changed(kindC), RowWise()), 1},
		{"any", NewQuery(Any(kindA, kindB), Any(markX, markY)), NewQuery(Any(markY, markX), Any(kindB, kindA)), 1},
		{"only", NewQuery(Only(kindA, markX)), NewQuery(Only(markX, kindA)), 1},
		{"none", NewQuery(), NewQuery(), 1},
		{"more", NewQuery(With(kindA)), NewQuery(With(kindA, kindB)), 2},
		{"other", NewQuery(With(kindA)), NewQuery(Without(kindA)), 2},
		{"any is not all", NewQuery(With(kindA, kindB)), NewQuery(Any(kindA, kindB)), 2},
		{"one of two sets", NewQuery(Any(kindA, kindB)), NewQuery(Any(kindA, kindB), Any(kindC)), 2},
		{"only is more than all", NewQuery(With(kindA)), NewQuery(Only(kindA)), 2},
		{"any of nothing", NewQuery(), NewQuery(Any()), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newStage(t, 100, NewWatcher(c.a), NewWatcher(c.b))
			assert.Len(t, g.s.use().world.arena.Watches, c.groups)
			copied := sure(Clone(g.s))
			assert.Len(t, copied.use().world.arena.Watches, c.groups, "in a copy too")
		})
	}
}

func TestSeed_A11_EnterAndLeave(t *testing.T) {
	all := NewQuery(With(kindA, markX))
	for _, c := range []struct {
		name          string
		kinds         []Kind // of the object at the first look
		between       func(g *stage, id GameObject)
		left, entered bool
	}{
		{"nothing happened", []Kind{kindA, markX}, func(*stage, GameObject) {}, false, false},
		{"came", []Kind{kindA}, func(g *stage, id GameObject) { g.add(id, markX) }, false, true},
		{"went", []Kind{kindA, markX}, func(g *stage, id GameObject) { g.remove(id, kindA) }, true, false},
		{"was disposed", []Kind{kindA, markX, kindB}, func(g *stage, id GameObject) { g.dispose(id) }, true, false},
		{"came and went", []Kind{kindA}, func(g *stage, id GameObject) {
			g.add(id, markX)
			g.remove(id, markX)
		}, false, false},
		{"came and was disposed", []Kind{kindA}, func(g *stage, id GameObject) {
			g.add(id, markX)
			g.dispose(id)
		}, false, false},
		{"left and came back", []Kind{kindA, markX}, func(g *stage, id GameObject) {
			g.remove(id, markX)
			g.add(id, markX)
		}, true, true},
		{"came, went, came", []Kind{kindA}, func(g *stage, id GameObject) {
			g.add(id, markX)
			g.remove(id, kindA)
			g.add(id, kindA)
		}, false, true},
		{"left, came back, left", []Kind{kindA, markX}, func(g *stage, id GameObject) {
			g.remove(id, markX)
			g.add(id, markX)
			g.remove(id, kindA)
		}, true, false},
		{"another kind", []Kind{kindA, markX}, func(g *stage, id GameObject) {
			g.add(id, kindB)
			g.remove(id, kindB)
		}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, idle := NewWatcher(all), NewWatcher(all)
			g := newStage(t, 100, w, idle)
			g.create(kindA, markX)
			id := g.create(c.kinds...)
			g.s = w.Look(g.s)
			c.between(g, id)
			var left, entered ids
			if c.left {
				left = ids{id}
			}
			if c.entered {
				entered = ids{id}
			}
			g.looks(w, left, entered)
			g.looks(w, nil, nil)
		})
	}
}

func TestSeed_A11_ByRow(t *testing.T) {
	w := NewWatcher(NewQuery(With(Position), Without(Instance)))
	g := newStage(t, 100, w)
	id := g.create()
	s, row := made(CreateComponent(g.s, Position.Kind()))
	g.s = s
	g.looks(w, nil, nil)
	g.s = sure(Mount(g.s, id, Position.Kind(), row))
	g.looks(w, nil, ids{id})
	g.s = DisposeComponent(g.s, Position.Kind(), row)
	g.looks(w, ids{id}, nil)
}

// TestSeed_A15_Clear: everything is removed, every leave is delivered, and what watches goes on.
func TestSeed_A15_Clear(t *testing.T) {
	w, bare := NewWatcher(NewQuery(With(kindA))), NewWatcher(NewQuery(Without(kindA)))
	g := newStage(t, 5000, w, bare)
	var with, without ids
	for i := range 5000 {
		if i%3 == 0 {
			with = append(with, g.create(kindA, markX))
		} else {
			without = append(without, g.create(kindB))
		}
	}
	g.looks(w, nil, with)
	g.looks(bare, nil, without)
	g.dispose(slices.Collect(GameObjects(g.s))...)
	g.looks(w, with, nil)
	g.looks(bare, without, nil)
	assert.Empty(t, slices.Collect(w.Members(g.s)))
	id := g.create(kindA)
	g.looks(w, nil, ids{id})
	g.looks(bare, nil, nil)
}
