package list_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

type item struct {
	What  uint32
	Count uint16
	Rare  bool
	Grade uint8
}

var (
	bag   = layout.NewList[item]("bag")
	marks = layout.NewListField[uint8]("marks")
	seen  = layout.NewListField[world.GameObject]("seen")
	level = layout.NewField[uint32]("level")
	mind  = layout.NewKind("mind", level, marks, seen)
	title = layout.NewText("title")
	flag  = layout.NewField[uint8]("flag")
	best  = layout.NewListField[uint64]("best")
	score = world.NewResource("score", flag, best)
	hero  = world.NewRecipe("hero", bag, mind)

	bags = world.NewQuery(world.Write(bag))
)

// A life is what the model has of an object.
type life struct {
	bag, hidden  []item
	hasBag, kept bool
	mind         bool
	marks        []uint8
	seen         []world.GameObject
	title        string
	hasTitle     bool
}

func (l *life) clone() *life {
	twin := *l
	twin.bag, twin.hidden = slices.Clone(l.bag), slices.Clone(l.hidden)
	twin.marks, twin.seen = slices.Clone(l.marks), slices.Clone(l.seen)
	return &twin
}

// A model is a world of Go slices beside a world of bytes.
type model struct {
	t     *testing.T
	r     *rand.Rand
	state world.State
	lives map[world.GameObject]*life
	best  []uint64
}

func counts(objects, elements int) world.Counts {
	return world.Counts{
		GameObjects: objects, Recipes: []world.Recipe{hero},
		Kinds: []layout.Count{
			bag.Count(objects, elements),
			{Kind: mind, Rows: objects, Elements: uint32(elements)},
			title.Count(objects, 4*elements),
		},
		Resources: []world.ResourceKind{score}, Queries: []world.Query{bags},
	}
}

func (m *model) item() item {
	return item{m.r.Uint32(), uint16(m.r.Uint32()), m.r.IntN(2) == 0, uint8(m.r.Uint32())}
}

func (m *model) items(n int) []item {
	list := make([]item, n)
	for i := range list {
		list[i] = m.item()
	}
	return list
}

// size returns a number of elements, most often a small one.
func (m *model) size() int { return m.r.IntN([]int{2, 4, 10, 40, 200}[m.r.IntN(5)]) }

func (m *model) any() (id world.GameObject, l *life) {
	if len(m.lives) == 0 {
		return 0, nil
	}
	ids := slices.Sorted(maps.Keys(m.lives))
	id = ids[m.r.IntN(len(ids))]
	return id, m.lives[id]
}

func (m *model) must(s world.State, err error) {
	m.t.Helper()
	require.NoError(m.t, err)
	m.state = s
}

// step makes one random change of both.
func (m *model) step() {
	id, l := m.any()
	op := m.r.IntN(24)
	if l == nil {
		op = 0
	}
	switch op {
	case 0, 1:
		m.create()
	case 2:
		m.must(world.Dispose(m.state, id))
		delete(m.lives, id)
	case 3:
		m.toggleBag(id, l)
	case 4:
		s, twin, err := world.Copy(m.state, id)
		m.must(s, err)
		m.lives[twin] = l.clone()
		m.lives[twin].kept = false
	case 5:
		if l.mind {
			m.must(world.Remove(m.state, id, mind))
			l.mind, l.marks, l.seen = false, nil, nil
		} else {
			m.must(world.Add(m.state, id, mind))
			l.mind = true
		}
	case 6:
		if !l.hasTitle {
			m.must(world.Add(m.state, id, title))
			l.hasTitle = true
		}
		l.title = fmt.Sprintf("%*s", m.size(), "ü")
		m.must(list.SetText(m.state, id, title, l.title))
	case 7, 8:
		if l.mind {
			m.thinks(id, l)
		}
	case 9:
		m.best = append(m.best, m.r.Uint64())
		m.must(list.Append(m.state, 0, best, m.best[len(m.best)-1]))
	case 10:
		m.walk()
	case 11:
		m.later(id, l)
	default:
		if l.hasBag {
			m.packs(id, l, op-12)
		}
	}
}

func (m *model) create() {
	if len(m.lives) >= 60 {
		return
	}
	var s world.State
	var id world.GameObject
	var err error
	if m.r.IntN(2) == 0 {
		s, id, err = world.Spawn(m.state, hero)
		m.lives[id] = &life{hasBag: true, mind: true}
	} else {
		s, id, err = world.Create(m.state)
		m.lives[id] = &life{}
	}
	m.must(s, err)
}

// packed reports whether the rows of bags have no gaps, and so cannot be suspended.
func (m *model) packed() bool { return world.CountsOf(m.state).Kinds[0].Packed }

func (m *model) toggleBag(id world.GameObject, l *life) {
	switch {
	case l.hasBag && !m.packed() && m.r.IntN(2) == 0:
		m.must(world.Suspend(m.state, id, bag))
		l.hasBag, l.kept, l.hidden, l.bag = false, true, l.bag, nil
	case l.hasBag:
		m.must(world.Remove(m.state, id, bag))
		l.hasBag, l.bag = false, nil
	default:
		m.must(world.Add(m.state, id, bag))
		if l.hasBag = true; l.kept {
			l.bag, l.kept = l.hidden, false
		}
		l.hidden = nil
	}
}

func (m *model) thinks(id world.GameObject, l *life) {
	if m.r.IntN(2) == 0 {
		more := make([]uint8, m.size())
		for i := range more {
			more[i] = uint8(m.r.Uint32())
		}
		at := m.r.IntN(len(l.marks) + 1)
		l.marks = slices.Insert(l.marks, at, more...)
		m.must(list.Insert(m.state, id, marks, at, more...))
		return
	}
	other, _ := m.any()
	l.seen = append(l.seen, other)
	m.must(list.Append(m.state, id, seen, other))
}

// packs changes a bag by id.
func (m *model) packs(id world.GameObject, l *life, op int) {
	at := m.r.IntN(len(l.bag) + 1)
	switch op {
	case 0, 1:
		more := m.items(m.size())
		l.bag = append(l.bag, more...)
		m.must(list.Append(m.state, id, bag, more...))
	case 2, 3:
		more := m.items(m.r.IntN(3) * m.r.IntN(12))
		l.bag = slices.Insert(l.bag, at, more...)
		m.must(list.Insert(m.state, id, bag, at, more...))
	case 4, 5:
		if at < len(l.bag) {
			l.bag = slices.Delete(l.bag, at, at+1)
			m.must(list.RemoveAt(m.state, id, bag, at))
		}
	case 6:
		if at < len(l.bag) {
			l.bag[at] = m.item()
			m.must(list.SetAt(m.state, id, bag, at, l.bag[at]))
			l.bag[at] = l.bag[len(l.bag)-1]
			l.bag = l.bag[:len(l.bag)-1]
			m.must(list.SwapRemove(m.state, id, bag, at))
		}
	case 7:
		l.bag = m.items(m.size())
		m.must(list.Set(m.state, id, bag, l.bag...))
	case 8:
		own, err := list.Of(m.state, id, bag)
		require.NoError(m.t, err)
		l.bag = slices.Insert(l.bag, at, l.bag...)
		m.must(list.Insert(m.state, id, bag, at, own...))
	case 9:
		own, err := list.Of(m.state, id, bag)
		require.NoError(m.t, err)
		l.bag = slices.Clone(l.bag[at:])
		m.must(list.Set(m.state, id, bag, own[at:]...))
	case 10:
		l.bag = nil
		m.must(list.Clear(m.state, id, bag))
	default:
		m.must(list.Shrink(m.state, id, bag))
	}
	if len(l.bag) > 400 {
		l.bag = nil
		m.must(list.Set(m.state, id, bag))
		m.must(list.Shrink(m.state, id, bag))
	}
}

// walk changes all bags, in batches.
func (m *model) walk() {
	for b := range bags.In(m.state) {
		lists := list.Column(b, bag)
		for i := range lists.Len() {
			l := m.lives[b.ID(i)]
			require.Len(m.t, lists.At(i), len(l.bag))
			switch m.r.IntN(3) {
			case 0:
				more := m.item()
				l.bag = append(l.bag, more)
				got, err := lists.Append(i, more)
				require.NoError(m.t, err)
				require.Equal(m.t, l.bag, got)
			case 1:
				n := m.r.IntN(len(l.bag) + 1)
				l.bag = l.bag[:n]
				lists.Cut(i, n)
			default:
				for k := range lists.At(i) {
					lists.At(i)[k].Grade++
					l.bag[k].Grade++
				}
			}
		}
	}
}

// later changes by commands.
func (m *model) later(id world.GameObject, l *life) {
	c := world.Record(m.state)
	made := c.Spawn(hero)
	born := m.item()
	list.AppendLater(c, made, bag, born)
	list.AppendLater(c, made, seen, made)
	if l.hasBag {
		more := m.item()
		l.bag = append(l.bag, more)
		list.AppendLater(c, id, bag, more)
	}
	if len(m.lives) >= 60 {
		c.Dispose(made)
	}
	s, err := world.Apply(m.state)
	m.must(s, err)
	if len(m.lives) < 60 {
		twin, err := world.Applied(m.state, made)
		require.NoError(m.t, err)
		m.lives[twin] = &life{
			hasBag: true, mind: true, bag: []item{born}, seen: []world.GameObject{twin},
		}
	}
}
