package walk

import (
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Each yields the matching objects of the walk's blocks, in batches.
func (w *Walk) Each(yield func(*Batch) bool) {
	if w.since != 0 && !w.plan.Since {
		panic("flatecs: Since needs a query with a Changed term; add one")
	}
	first, end := w.walks.span()
	if end-first == 1 {
		w.block(first, yield)
		return
	}
	single := w.since == 0 && len(w.plan.Terms) == 1 && manager.IsSingle(&w.plan.Match) &&
		!w.plan.Forced && !w.plan.RowWise && !w.plan.Optional
	for g := first >> 6; g<<6 < end; g++ {
		some, whole := w.group(int(g))
		part := within(first, end, g)
		for some, whole = some&part, whole&part; some != 0; {
			i := uint32(bits.TrailingZeros64(some))
			k := g<<6 + i
			if c := uint32(bits.TrailingZeros64(^(whole >> i))); c > 0 {
				some &^= full >> (64 - c) << i
				if !w.extend(k, c, yield) {
					return
				}
				continue
			}
			some &= some - 1
			var x uint64
			if single {
				x = addFew(w, k)
			} else {
				x = w.matching(k)
			}
			if w.joined>>i&1 != 0 && w.join(k, x) {
				continue
			}
			if x != 0 && !w.Collect(k, x, yield) {
				return
			}
		}
	}
	w.Flush(yield)
}

// block yields the matching objects of a block, for a walk over one block.
func (w *Walk) block(k uint32, yield func(*Batch) bool) {
	b := &w.batch
	p, x := w.plan, w.matching(k)
	s := uint32(bits.TrailingZeros64(x))
	switch run := x >> s; {
	case x == 0:
	case run&(run+1) == 0 && !p.Optional && !p.Forced && w.findRows(&b.row, k, k<<6+s)&x == 0:
		b.n = uint32(bits.OnesCount64(x))
		w.send(yield)
	case w.Collect(k, x, yield):
		w.Flush(yield)
	}
}

// One yields the object with an id, if it matches.
func (w *Walk) One(id gameobject.ID, yield func(*Batch) bool) {
	i := id.Index()
	if w.walks.Objects.Alive(id) && w.plan.Match.Object(i) && w.Collect(i>>6, 1<<(i&63), yield) {
		w.Flush(yield)
	}
}

// matching returns the objects of a block that the walk includes.
func (w *Walk) matching(k uint32) uint64 {
	x := w.plan.Match.Block(k)
	if w.since != 0 {
		x = w.changedOf(k, x)
	}
	return x
}

// changedOf returns the objects among x of a block that may have changed since.
func (w *Walk) changedOf(k uint32, x uint64) (c uint64) {
	for _, m := range w.plan.Changed {
		c |= m.Changed(k, x&m.Blocks.Present(k), w.since)
	}
	return c
}

// group returns the blocks of a group that may have matching objects, and the blocks that extend
// long runs.
func (w *Walk) group(g int) (some, whole uint64) {
	some, whole = w.plan.Match.Group(g)
	if w.plan.Optional {
		for t := bits.OnesCount32(w.plan.Required); t < len(w.plan.Terms); t++ {
			if w.plan.Terms[t].Blocks.Groups[g].Any != 0 {
				whole = 0
			}
		}
	}
	if w.plan.Forced || w.since != 0 {
		whole = 0
	}
	if w.joined = 0; w.plan.RowWise && !w.plan.Optional && !w.plan.Forced {
		w.joined = w.joins(g)
	}
	return some, whole
}

// IDs yields the objects that match a plan.
func (l *Walks) IDs(p *query.Plan, yield func(gameobject.ID) bool) {
	first, end := l.span()
	for g := first >> 6; g<<6 < end; g++ {
		some, _ := p.Match.Group(int(g))
		for some &= within(first, end, g); some != 0; some &= some - 1 {
			k := g<<6 + uint32(bits.TrailingZeros64(some))
			for x := p.Match.Block(k); x != 0; x &= x - 1 {
				if !yield(l.Objects.At(k<<6 + uint32(bits.TrailingZeros64(x)))) {
					return
				}
			}
		}
	}
}

// Count counts the objects that match a plan.
func (l *Walks) Count(p *query.Plan) (n int) {
	first, end := l.span()
	for g := first >> 6; g<<6 < end; g++ {
		some, whole := p.Match.Group(int(g))
		part := within(first, end, g)
		n += 64 * bits.OnesCount64(whole&part)
		for some &= part &^ whole; some != 0; some &= some - 1 {
			n += bits.OnesCount64(p.Match.Block(g<<6 + uint32(bits.TrailingZeros64(some))))
		}
	}
	return n
}

// Blocks returns the number of blocks in which an object was ever created.
func (l *Walks) Blocks() uint32 { return blocksOf(l.Objects) }

func blocksOf(r *gameobject.Registry) uint32 { return uint32(r.High()+63) / 64 }

// span returns the range of the walks' blocks: the first one, and the one after the last.
func (l *Walks) span() (first, end uint32) { return l.From, min(l.To, l.Blocks()) }

// within returns the blocks of group g in the range from first to end, a bit each.
func within(first, end, g uint32) uint64 {
	x := full
	if lo := g << 6; lo < first {
		x <<= first - lo
	}
	if rest := end - g<<6; rest < 64 {
		x &= 1<<rest - 1
	}
	return x
}
