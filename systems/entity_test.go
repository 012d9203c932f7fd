package systems

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
)

// entityWorld has room for fewer components than objects, in a packed kind and in others.
func entityWorld(t *testing.T) State {
	t.Helper()
	s, err := CreateState(Counts{GameObjects: 100, Kinds: []layout.Count{
		kindA.Count(60),
		{Kind: kindB, Rows: 50, Packed: true},
		kindC.Count(100),
		markX.Count(0), markY.Count(0),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAllocEntity(t *testing.T) {
	s := entityWorld(t)
	s, id, _ := CreateWith(s, kindC)
	mask := mask.New(8)
	if n := testing.AllocsPerRun(50, func() {
		s, _ = addSome(s, id, kindA, kindB, markX)
		s, _, _ = Ensure(s, id, kindA)
		s, _, _ = Renew(s, id, kindB)
		_ = ArenaOf(s).Mask(&mask, id)
		s, _ = Remove(s, id, kindA, kindB, markX)
		s, id, _ = CreateWith(s, kindA, markY)
		s, _ = DisposeGameObject(s, id)
		s, id, _ = CreateWith(s, kindC)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func TestEntitiesWhileAWalkIsOpen(t *testing.T) {
	s := entityWorld(t)
	s, id, _ := CreateWith(s, kindA, markX)
	before := bytes.Clone(Bytes(s))
	for range NewQuery(Read(fieldA)).In(s) {
		_, _, ensured := Ensure(s, id, kindC)
		_, _, renewed := Renew(s, id, kindA)
		_, added := addSome(s, id, kindC)
		_, removed := Remove(s, id, kindA)
		_, _, created := CreateWith(s, kindC)
		for i, err := range []error{ensured, renewed, added, removed, created} {
			if !errors.Is(err, ErrWalking) {
				t.Error(i, err)
			}
		}
		if m, err := maskOf(s, id); err != nil || m.String() != "0-3" {
			t.Error("reading is allowed:", m, err)
		}
		if key, err := NewQuery(Only(kindA)).Key(s); err != nil || key != "onlyOf:0" {
			t.Error("so is asking for keys:", key, err)
		}
	}
	if !bytes.Equal(before, Bytes(s)) {
		t.Error("what is refused changes nothing")
	}
}

// An entityModel is a world beside maps of what its objects have and keep.
type entityModel struct {
	s         State
	r         *rand.Rand
	ids       []GameObject
	has, kept map[GameObject]map[Kind]bool
	refused   int
	done      int
}

// TestEntitiesAgainstModel: random sets of kinds added, removed, ensured, renewed and suspended;
// each call does all of what the maps allow, or nothing.
func TestEntitiesAgainstModel(t *testing.T) {
	seed := rand.Uint64()
	m := entityModel{
		s: entityWorld(t), r: rand.New(rand.NewPCG(seed, 1)),
		has: map[GameObject]map[Kind]bool{}, kept: map[GameObject]map[Kind]bool{},
	}
	for op := range 20_000 {
		before := bytes.Clone(Bytes(m.s))
		want := m.step()
		if err := m.check(before, want); err != nil {
			t.Fatalf("seed %d, operation %d: %v", seed, op, err)
		}
	}
	if m.refused < 1000 || m.done < 1000 {
		t.Errorf("%d refused, %d done; want many of both", m.refused, m.done)
	}
}

// An outcome is what an operation should return and did.
type outcome struct {
	name      string
	want, got error
}

func (m *entityModel) step() outcome {
	if len(m.ids) == 0 || m.r.IntN(6) == 0 {
		return m.createWith(m.kinds())
	}
	at := m.r.IntN(len(m.ids))
	id, k := m.ids[at], tried[m.r.IntN(len(tried))]
	o := outcome{}
	switch m.r.IntN(8) {
	case 0:
		o.name = "dispose"
		m.s, o.got = DisposeGameObject(m.s, id)
		m.ids = slices.Delete(m.ids, at, at+1)
		delete(m.has, id)
		delete(m.kept, id)
	case 1, 2:
		kinds := m.kinds()
		o.name, o.want = fmt.Sprint("add ", kinds), m.addable(id, kinds)
		if m.s, o.got = addSome(m.s, id, kinds...); o.got == nil {
			m.gain(id, kinds...)
		}
	case 3, 4:
		kinds := m.kinds()
		o.name, o.want = fmt.Sprint("remove ", kinds), m.removable(id, kinds)
		if m.s, o.got = Remove(m.s, id, kinds[0], kinds[1:]...); o.got == nil {
			for _, k := range kinds {
				delete(m.has[id], k)
			}
		}
	case 5:
		o.name = "ensure " + k.String()
		if !m.has[id][k] {
			o.want = m.addable(id, []Kind{k})
		}
		if m.s, _, o.got = Ensure(m.s, id, k); o.got == nil {
			m.gain(id, k)
		}
	case 6:
		o.name = "renew " + k.String()
		if !m.has[id][k] {
			o.want = m.addable(id, []Kind{k})
		}
		if m.s, _, o.got = Renew(m.s, id, k); o.got == nil {
			m.gain(id, k)
		}
	default:
		if o.name = "suspend"; m.has[id][kindA] {
			m.s, o.got = Suspend(m.s, id, kindA)
			delete(m.has[id], kindA)
			m.kept[id][kindA] = true
		}
	}
	return o
}

func (m *entityModel) createWith(kinds []Kind) outcome {
	o := outcome{name: fmt.Sprint("create with ", kinds), want: m.addable(0, kinds)}
	if o.want == nil && len(m.ids) == 100 {
		o.want = ErrTooMany
	}
	var id GameObject
	if m.s, id, o.got = CreateWith(m.s, kindList(kinds)...); o.got == nil {
		m.ids = append(m.ids, id)
		m.has[id], m.kept[id] = map[Kind]bool{}, map[Kind]bool{}
		m.gain(id, kinds...)
	}
	return o
}

// kinds returns up to four random kinds, now and then one of them twice.
func (m *entityModel) kinds() []Kind {
	kinds := slices.Clone(tried)
	m.r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	kinds = kinds[:1+m.r.IntN(3)]
	if m.r.IntN(8) == 0 {
		kinds = append(kinds, kinds[0])
	}
	return kinds
}

func (m *entityModel) gain(id GameObject, kinds ...Kind) {
	for _, k := range kinds {
		m.has[id][k] = true
		delete(m.kept[id], k)
	}
}

// addable returns the error of the first kind that cannot be added.
func (m *entityModel) addable(id GameObject, kinds []Kind) error {
	for i, k := range kinds {
		rows := 0
		for _, id := range m.ids {
			if m.has[id][k] || m.kept[id][k] {
				rows++
			}
		}
		switch {
		case m.has[id][k] || slices.Contains(kinds[:i], k):
			return ErrTwice
		case !k.Spec().Mark && rows == managed(m.s, k).Cap() && !m.kept[id][k]:
			return ErrFull
		}
	}
	return nil
}

func (m *entityModel) removable(id GameObject, kinds []Kind) error {
	for i, k := range kinds {
		if !m.has[id][k] || slices.Contains(kinds[:i], k) {
			return ErrRemove
		}
	}
	return nil
}

// check compares the outcome, the bytes and what everybody has.
func (m *entityModel) check(before []byte, o outcome) error {
	if !errors.Is(o.got, o.want) || (o.want == nil) != (o.got == nil) {
		return fmt.Errorf("%s: error %w, want %w", o.name, o.got, o.want)
	}
	if m.done++; o.got != nil {
		m.done--
		m.refused++
		if !bytes.Equal(before, Bytes(m.s)) {
			return fmt.Errorf("%s: refused, and the world is another", o.name)
		}
	}
	if m.r.IntN(20) != 0 {
		return nil
	}
	for _, id := range m.ids {
		mask, err := maskOf(m.s, id)
		if err != nil || mask.Len() != len(m.has[id]) {
			return fmt.Errorf("%s: %v has %v, want %v: %w", o.name, id, mask, m.has[id], err)
		}
		for n, k := range tried {
			if mask.Has(n) != m.has[id][k] {
				return fmt.Errorf("%s: %v has %v, want %v", o.name, id, mask, m.has[id])
			}
		}
	}
	return ArenaOf(m.s).Verify()
}
