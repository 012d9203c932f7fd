package walk

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// wrong walks by every query in every way, and compares with the model.
func (s *sketch) wrong(r *rand.Rand) error {
	for i := range asks {
		if err := s.wrongOf(&asks[i], r); err != nil {
			return fmt.Errorf("%s: %w", asks[i].name, err)
		}
	}
	for o, x := range s.model {
		for i, f := range columns {
			m := &s.a.Managers[i]
			row, ok := m.RowOf(uint32(o))
			if ok != (x.has>>i&1 != 0) || ok && f.Rows(m.Data.Columns[0].Bytes)[row] != x.value[i] {
				return fmt.Errorf("after walks, object %d of kind %d: %v", o, i, x)
			}
		}
	}
	return s.a.Verify()
}

func (s *sketch) wrongOf(q *ask, r *rand.Rand) error {
	want := s.matching(q)
	v, err := s.in(q, 0, (*Walk).Each)
	if slices.ContainsFunc(q.terms, func(t query.Term) bool { return t.Mode == query.RowWise }) {
		for _, o := range want {
			v.wrote(o)
		}
		if err == nil && v.rows != len(want) {
			err = fmt.Errorf("%d match, not %d", len(want), v.rows)
		}
		return err
	}
	if err != nil || !slices.Equal(v.seen, want) {
		return fmt.Errorf("%v match, not %v: %w", want, v.seen, err)
	}
	p := s.plans.Of(&s.table, query.Declare(q.terms))
	var ids []uint32
	s.walks.IDs(p, func(id gameobject.ID) bool {
		ids = append(ids, id.Index())
		return true
	})
	if n := s.walks.Count(p); n != len(want) || !slices.Equal(ids, want) {
		return fmt.Errorf("%v match, not %v, and %d are counted", want, ids, n)
	}
	for _, way := range []func(*ask, []uint32, *rand.Rand) error{
		s.wrongPart, s.wrongOne, s.wrongListed, s.wrongOrder, s.wrongDepths, s.wrongBreak,
	} {
		if err := way(q, want, r); err != nil {
			return err
		}
	}
	return nil
}

// wrongPart looks at walks that see some blocks.
func (s *sketch) wrongPart(q *ask, want []uint32, r *rand.Rand) error {
	blocks := int(s.walks.Blocks())
	from := r.IntN(blocks + 1)
	to := from + r.IntN(blocks-from+1)
	s.walks.From, s.walks.To = uint32(from), uint32(to)
	defer func() { s.walks.From, s.walks.To = 0, math.MaxUint32 }()
	v, err := s.in(q, 0, (*Walk).Each)
	part := slices.DeleteFunc(slices.Clone(want), func(o uint32) bool {
		return int(o>>6) < from || int(o>>6) >= to
	})
	if err != nil || !slices.Equal(v.seen, part) {
		return fmt.Errorf("%v match in blocks from %d to %d, not %v: %w", part, from, to, v.seen, err)
	}
	return nil
}

// wrongOne looks at walks of one object each.
func (s *sketch) wrongOne(q *ask, want []uint32, r *rand.Rand) error {
	for range 3 {
		o := uint32(r.IntN(len(s.model)))
		id := s.a.Objects.At(o)
		v, err := s.in(q, 0, func(w *Walk, yield func(*Batch) bool) { w.One(id, yield) })
		_, match := slices.BinarySearch(want, o)
		if err != nil || match != slices.Equal(v.seen, []uint32{o}) || !match && v.seen != nil {
			return fmt.Errorf("object %d matches: %v, not %v: %w", o, match, v.seen, err)
		}
	}
	return nil
}

// A crowd is some objects: as what a relation holds, as an order, and as a tree of two levels.
type crowd struct {
	*sketch
	list   []uint32 // ascending
	order  []uint32 // the same
	target uint32
}

// gather gathers another crowd.
func (s *sketch) gather(r *rand.Rand) *crowd {
	c := &s.crowd
	*c = crowd{sketch: s}
	for o, x := range s.model {
		if x.alive && r.IntN(4) != 0 {
			c.list = append(c.list, uint32(o))
		}
	}
	c.order = slices.Clone(c.list)
	r.Shuffle(len(c.order), func(i, j int) { c.order[i], c.order[j] = c.order[j], c.order[i] })
	s.changes++ // the set of matching objects changed
	return c
}

func (c *crowd) Held(block uint32) (x uint64) {
	for _, o := range c.list {
		if o>>6 == block {
			x |= 1 << (o & 63)
		}
	}
	return x
}

func (c *crowd) Version() uint64              { return c.changes }
func (c *crowd) Shape() uint64                { return c.changes }
func (c *crowd) Append(dst []uint32) []uint32 { return append(dst, c.order...) }
func (c *crowd) Levels() int                  { return 2 }

// Level has each second one at depth 1, and the others at depth 2.
func (c *crowd) Level(depth int) (objects, targets []uint32) {
	for i, o := range c.list {
		if i%2 == depth-1 {
			objects, targets = append(objects, o), append(targets, c.target)
		}
	}
	return objects, targets
}

func (c *crowd) TargetOf(uint32) uint32 { return c.target }

func (c *crowd) Targets(block uint32) uint64 {
	if c.target>>6 == block {
		return 1 << (c.target & 63)
	}
	return 0
}

// among returns the elements of list that are in want.
func among(want, list []uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(list), func(o uint32) bool {
		_, ok := slices.BinarySearch(want, o)
		return !ok
	})
}

// wrongListed compares walks of listed objects, of all or of some of them.
func (s *sketch) wrongListed(q *ask, want []uint32, r *rand.Rand) error {
	c := s.gather(r)
	for range 2 { // the second time, steps may be known
		v, err := s.in(q, 0, func(w *Walk, yield func(*Batch) bool) {
			w.Listed(c.list, c, true, nil, yield)
		})
		if all := among(want, c.list); err != nil || !slices.Equal(v.seen, all) {
			return fmt.Errorf("of %v, %v match, not %v: %w", c.list, all, v.seen, err)
		}
	}
	keep := func(o uint32) bool { return o%3 != 0 }
	v, err := s.in(q, 0, func(w *Walk, yield func(*Batch) bool) {
		w.Listed(c.list, c, true, keep, yield)
	})
	kept := slices.DeleteFunc(among(want, c.list), func(o uint32) bool { return !keep(o) })
	if err != nil || !slices.Equal(v.seen, kept) {
		return fmt.Errorf("of %v, %v match and are kept, not %v: %w", c.list, kept, v.seen, err)
	}
	return nil
}

// wrongOrder looks at walks in an order of their own.
func (s *sketch) wrongOrder(q *ask, want []uint32, r *rand.Rand) error {
	c := s.gather(r)
	v, err := s.in(q, 0, func(w *Walk, yield func(*Batch) bool) { w.InOrder(c, yield) })
	if all := among(want, c.order); err != nil || !slices.Equal(v.seen, all) {
		return fmt.Errorf("in the order %v, %v match, not %v: %w", c.order, all, v.seen, err)
	}
	return nil
}

// wrongDepths looks at walks down and up a tree, and at the parents of the batches.
func (s *sketch) wrongDepths(q *ask, want []uint32, r *rand.Rand) error {
	c := s.gather(r)
	c.target = uint32(r.IntN(len(s.model)))
	roots := slices.DeleteFunc(slices.Clone(want), func(o uint32) bool {
		return slices.Contains(c.list, o)
	})
	first, _ := c.Level(1)
	second, _ := c.Level(2)
	down := slices.Concat(roots, among(want, first), among(want, second))
	up := slices.Concat(among(want, second), among(want, first), roots)
	for from, way := range map[int][]uint32{0: down, 2: up} {
		to, at, x := 2-from, 0, s.model[c.target]
		var wrong error
		v, err := s.in(q, 0, func(w *Walk, yield func(*Batch) bool) {
			w.ByDepth(c, from, to, func(b *Batch) bool {
				for i, value := range Parents(b, &s.a.Managers[0], sketchA) {
					expect := uint64(7)
					if _, root := slices.BinarySearch(roots, way[at+i]); !root && x.has&hasA != 0 {
						expect = x.value[0]
					}
					if value != expect && (q.writes&hasA == 0 || x.has&hasA == 0) {
						wrong = fmt.Errorf("the parent of %d has %d, not %d", way[at+i], expect, value)
					}
				}
				at += b.Len()
				return yield(b)
			})
		})
		if err == nil {
			err = wrong
		}
		if err != nil || !slices.Equal(v.seen, way) {
			return fmt.Errorf("from depth %d to %d, %v match, not %v: %w", from, to, way, v.seen, err)
		}
	}
	return nil
}

// wrongBreak looks at a walk that ends after its first batch, of changes that were made since.
func (s *sketch) wrongBreak(q *ask, want []uint32, _ *rand.Rand) error {
	*s.a.Tick++
	v, err := s.in(q, 0, func(w *Walk, yield func(*Batch) bool) {
		w.Each(func(b *Batch) bool { return yield(b) && false })
	})
	if err != nil || !slices.Equal(v.seen, want[:len(v.seen)]) {
		return fmt.Errorf("%v match first, not %v: %w", want, v.seen, err)
	}
	changed := ask{
		name: "changed", needs: hasA,
		terms: []query.Term{reads(query.Read, sketchA), kinds(query.Changed, sketchA)},
	}
	late, err := s.in(&changed, *s.a.Tick-1, (*Walk).Each)
	for _, o := range s.matching(&changed) {
		if s.model[o].wrote[0] >= *s.a.Tick && !slices.Contains(late.seen, o) {
			return fmt.Errorf("object %d was written, and is not among %v", o, late.seen)
		}
	}
	return err
}

// TestWalksAgainstAList: random objects, sparse and dense, in whole blocks and across them, gain,
// lose and swap kinds; every way to walk yields the matching objects, in its order, with their
// values.
func TestWalksAgainstAList(t *testing.T) {
	lives := 16
	if testing.Short() {
		lives = 4
	}
	for seed := range uint64(lives) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			s := sketchOf(64 * (2 + r.IntN(12)))
			defer s.a.Free()
			s.create(r.IntN(3), r.IntN(8)) // rows are not where objects are
			s.create(1+r.IntN(600), hasA|hasB)
			for range 40 {
				o, has := r.IntN(len(s.model)), r.IntN(8)
				switch r.IntN(6) {
				case 0:
					s.create(1+r.IntN(70), has)
				case 1:
					s.dispose(o)
				case 2:
					for ; o < len(s.model) && r.IntN(80) != 0; o++ { // a stretch
						s.change(o, has)
					}
				case 3:
					for ; o < len(s.model); o += 1 + r.IntN(20) { // some among many
						s.change(o, s.model[o].has^isMarked)
					}
				default:
					s.change(o, has)
				}
				require.NoError(t, s.wrong(r))
			}
		})
	}
}

// A deed is one of the operations; the test tries all sequences of them.
type deed struct {
	name string
	do   func(s *sketch)
}

// deeds returns all of them, on the first two objects and the first one of another block: 29.
func deeds() (list []deed) {
	for _, o := range []int{0, 1, 64} {
		for has := range 8 {
			list = append(list, deed{
				fmt.Sprintf("give %d %03b", o, has), func(s *sketch) { s.change(o, has) },
			})
		}
		list = append(list, deed{fmt.Sprint("dispose ", o), func(s *sketch) { s.dispose(o) }})
	}
	return append(list, deed{"create", func(s *sketch) { s.create(1, hasA|hasB) }})
}

var length = flag.Int("length", 2, "of the sequences of operations; 3 takes a minute")

// TestEverySequence carries out all sequences of operations on three objects of two blocks; after
// each, every way to walk yields the matching objects.
func TestEverySequence(t *testing.T) {
	all, r := deeds(), rand.New(rand.NewPCG(1, 2))
	for n := range int(math.Pow(float64(len(all)), float64(*length))) {
		s := sketchOf(66)
		s.create(2, hasA)
		s.create(62, 0)
		s.create(1, hasA|hasB)
		var names []string
		for ; len(names) < *length; n /= len(all) {
			d := all[n%len(all)]
			d.do(s)
			names = append(names, d.name)
		}
		if err := s.wrong(r); err != nil {
			t.Fatalf("after %s: %v", strings.Join(names, ", "), err)
		}
		s.a.Free()
	}
}
