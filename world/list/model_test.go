package list_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/pack"
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
	armed = world.NewRecipe("armed", bag, mind).With(bag.Value(arms...))
	arms  = []item{{What: 1}, {Rare: true}, {}, {Count: 7}, {}, {}, {}, {}, {Grade: 9}}
	near  = layout.NewRelation("near", layout.Relation{Disposed: layout.Clear})

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

// copied is clone without suspended components.
func (l *life) copied() *life {
	twin := l.clone()
	twin.kept, twin.hidden = false, nil
	return twin
}

// A model is a world of Go slices beside a world of bytes. As long as all bags together have at
// most as many elements as the count, no element is refused, whatever happened to the room before.
type model struct {
	t        *testing.T
	r        *rand.Rand
	state    world.State
	lives    map[world.GameObject]*life
	best     []uint64
	most     int // objects
	elements int // of bags: the count
}

// newModel returns the model of a world with counts, such as the counts of narrow.
func newModel(t *testing.T, seed uint64, c world.Counts, most, elements int) *model {
	t.Helper()
	return &model{
		t: t, r: rand.New(rand.NewPCG(seed, 2)), state: world.Must(world.CreateState(c)),
		lives: map[world.GameObject]*life{}, most: most, elements: elements,
	}
}

// narrow counts so many bags and elements of them, and more than enough of all else.
func narrow(most, elements int) world.Counts {
	c := counts(most, 40000)
	c.Kinds[0] = bag.Count(most, elements)
	c.Kinds = append(c.Kinds, near.Count(most))
	c.Recipes = append(c.Recipes, armed)
	return c
}

// left returns the number of elements of the count that no bag has.
func (m *model) left() int {
	n := m.elements
	for _, l := range m.lives {
		n -= len(l.bag) + len(l.hidden)
	}
	return n
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

// size returns a number of elements up to most: rarely all, often one more than a run holds, which
// takes most rows.
func (m *model) size(most int) int {
	each := max(m.elements/m.most, 1)
	switch m.r.IntN(20) {
	case 0:
		return m.r.IntN(most + 1)
	case 1:
		return most
	case 2, 3, 4, 5:
		return min(most, m.r.IntN(2*each))
	}
	rows := []int{0, 1, 2, 4, 8, 16, 32, 64, 128, 256}
	last := 1
	for last < len(rows) && 8*rows[last] <= 2*each {
		last++
	}
	return min(most, 8*rows[m.r.IntN(last)]+1)
}

// few returns a number, most often a small one.
func (m *model) few() int { return m.r.IntN([]int{2, 4, 10, 40, 200}[m.r.IntN(5)]) }

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
	op := m.r.IntN(26)
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
		if len(m.lives) < m.most && len(l.bag) <= m.left() {
			s, twin, err := world.Copy(m.state, id)
			m.must(s, err)
			m.lives[twin] = l.copied()
		}
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
		l.title = fmt.Sprintf("%*s", m.few(), "ü")
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
	case 12, 13:
		m.together(id)
	default:
		if l.hasBag {
			m.packs(id, l, op-14)
		}
	}
}

func (m *model) create() {
	if len(m.lives) == m.most {
		return
	}
	var s world.State
	var id world.GameObject
	var err error
	if m.r.IntN(8) > 0 {
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
		more := make([]uint8, m.few())
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
	at, left := m.r.IntN(len(l.bag)+1), m.left()
	switch op {
	case 0, 1:
		more := m.items(m.size(left))
		l.bag = append(l.bag, more...)
		m.must(list.Append(m.state, id, bag, more...))
	case 2, 3:
		more := m.items(m.size(left))
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
		l.bag = m.items(m.size(left + len(l.bag)))
		m.must(list.Set(m.state, id, bag, l.bag...))
	case 8: // elements of a list of the field
		from, other := m.any()
		if m.r.IntN(2) == 0 {
			from, other = id, l
		}
		if other.hasBag {
			own := world.Must(list.Of(m.state, from, bag))[:min(len(other.bag), left)]
			l.bag = slices.Insert(l.bag, at, slices.Clone(other.bag[:len(own)])...)
			m.must(list.Insert(m.state, id, bag, at, own...))
		}
	case 9:
		own := world.Must(list.Of(m.state, id, bag))
		l.bag = slices.Clone(l.bag[at:])
		m.must(list.Set(m.state, id, bag, own[at:]...))
	case 10:
		l.bag = nil
		m.must(list.Clear(m.state, id, bag))
	default:
		m.must(list.Shrink(m.state, id, bag))
	}
}

// together creates several objects by one call: by a recipe whose bags have elements, or as copies
// of two, as a tree or by a pack.
func (m *model) together(id world.GameObject) {
	other, o := m.any()
	l, pair := m.lives[id], []world.GameObject{id, other}
	elements := len(l.bag) + len(o.bag) + len(l.hidden) + len(o.hidden)
	switch way := m.r.IntN(3); {
	case len(m.lives) > m.most-2:
	case way == 0 && m.left() >= 2*len(arms):
		m.must(world.SpawnN(m.state, armed, 2, func(b world.Batch) {
			for i := range b.Len() {
				m.lives[b.ID(i)] = &life{bag: slices.Clone(arms), hasBag: true, mind: true}
			}
		}))
	case id == other || m.left() < elements:
	case way == 1:
		m.must(world.Add(m.state, id, near))
		m.must(world.Add(m.state, other, near))
		m.must(world.Set(m.state, other, near, id))
		s, twin, err := family.Copy(m.state, near, id)
		m.must(s, err)
		made := append([]world.GameObject{twin}, slices.Collect(family.Children(s, near, twin))...)
		for i := range made {
			m.lives[made[i]] = m.lives[pair[i]].copied()
			m.must(world.Remove(m.state, made[i], near))
			m.must(world.Remove(m.state, pair[i], near))
		}
		m.refer(pair, made, false)
	case way == 2:
		packer := pack.Packer{Find: pack.SameID}
		s, made, err := packer.Unpack(nil, m.state, world.Must(pack.Pack(nil, m.state, pair...)))
		m.must(s, err)
		for i := range made {
			m.lives[made[i]] = m.lives[pair[i]].clone()
		}
		m.refer(pair, made, true)
	}
}

// refer has copies of a pair that refer to the pair refer to each other. What is dead may be lost.
func (m *model) refer(pair, made []world.GameObject, lost bool) {
	for _, id := range made {
		l := m.lives[id]
		for k, to := range l.seen {
			if i := slices.Index(pair, to); i >= 0 {
				l.seen[k] = made[i]
			} else if lost && !world.Alive(m.state, to) {
				l.seen[k] = world.Nobody
			}
		}
	}
}

// walk changes all bags, in batches.
func (m *model) walk() {
	for b := range bags.In(m.state) {
		lists := list.Column(b, bag)
		for i := range lists.Len() {
			l := m.lives[b.ID(i)]
			require.Len(m.t, lists.At(i), len(l.bag))
			switch way := m.r.IntN(3); {
			case way == 0 && m.left() > 0:
				more := m.item()
				got, err := lists.Append(i, more)
				if errors.Is(err, world.ErrFull) { // lists do not move here to make room side by side
					require.Len(m.t, lists.At(i), len(l.bag))
					continue
				}
				require.NoError(m.t, err)
				l.bag = append(l.bag, more)
				require.Equal(m.t, l.bag, got)
			case way == 1:
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
	if len(m.lives) == m.most || m.left() < 2 {
		return
	}
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
	m.must(world.Apply(m.state))
	twin := world.Must(world.Applied(m.state, made))
	m.lives[twin] = &life{
		hasBag: true, mind: true, bag: []item{born}, seen: []world.GameObject{twin},
	}
}
