package kin

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// ErrReferred is the error of disposing a target of a relation that refuses this.
var ErrReferred = errors.New("dispose the objects that refer to it in the same call, or " +
	"change their references")

// A Root is an object to be disposed, together with the objects that its policies dispose with it.
type Root struct {
	ID     gameobject.ID
	Number int   // of the command that disposes it
	Err    error // why it is not disposed
}

// Targeted reports whether other objects refer to an object.
func (w *World) Targeted(object uint32) bool {
	if w == nil {
		return false
	}
	for _, l := range w.lists {
		if l.IsTarget(object) {
			return true
		}
	}
	return false
}

// TargetedIn returns the objects of a block that may have referrers.
func (w *World) TargetedIn(block uint32) (x uint64) {
	if w != nil {
		for _, l := range w.lists {
			l.Know()
			x |= l.Targets(block)
		}
	}
	return x
}

// Begin begins a disposal. Add its objects next.
func (w *World) Begin() { w.roots = w.roots[:0] }

// Add adds an object to the disposal.
func (w *World) Add(object uint32, number int) {
	w.roots = append(w.roots, Root{ID: w.a.Objects.At(object), Number: number})
}

// Doom is Add, and no new reference to the object is allowed until DisposeSome.
func (w *World) Doom(object uint32, number int) {
	w.Add(object, number)
	w.doomed[object>>6] |= 1 << (object & 63)
}

// Doomed reports whether DisposeSome will dispose an object.
func (w *World) Doomed(object uint32) bool { return w.doomed[object>>6]>>(object&63)&1 != 0 }

// AddBlock adds the objects x of a block to the disposal.
func (w *World) AddBlock(block uint32, x uint64) {
	for ; x != 0; x &= x - 1 {
		w.Add(block<<6+uint32(bits.TrailingZeros64(x)), 0)
	}
}

// Dispose disposes the added objects and the objects that the policies dispose with them, or none
// if one of them is refused.
func (w *World) Dispose() error {
	w.spread()
	if n := w.refuse(); n != 0 {
		w.forget()
		for _, r := range w.roots {
			if r.Err != nil {
				return r.Err
			}
		}
	}
	w.carryOut()
	return nil
}

// DisposeSome disposes the added objects that are not refused, and returns all roots.
func (w *World) DisposeSome() []Root {
	for w.spread(); w.refuse() != 0; w.spread() {
		w.forget()
	}
	for _, r := range w.roots {
		w.doomed[r.ID.Index()>>6] = 0
	}
	w.carryOut()
	return w.roots
}

// spread queues the roots that are not refused, and all objects that are disposed with them. It
// skips a root that was disposed since it was added, because another object may have its index.
func (w *World) spread() {
	for i, r := range w.roots {
		if r.Err == nil && w.a.Objects.Alive(r.ID) {
			w.push([]uint32{r.ID.Index()}, uint32(i))
		}
	}
	w.spreadBy(false)
}

// spreadBy queues all objects that are disposed or, with disables, disabled with the queued
// objects, and so on.
func (w *World) spreadBy(disables bool) {
	for _, l := range w.lists {
		l.Know() // needed for refusing and clearing, too
	}
	for more := true; more; {
		more = false
		for _, l := range w.lists {
			by := l.Disposed == layout.Cascade
			if disables {
				by = l.Disables
			}
			if by && w.spreadOnce(l) {
				more = true
			}
		}
	}
}

// spreadOnce queues the objects that refer to the queued objects by one relation, and reports
// whether there were any.
func (w *World) spreadOnce(l *Lists) (more bool) {
	queued, at := len(w.queue), l.followed
	for ; at < len(w.queue); at++ {
		if o := w.queue[at]; l.MayBeTarget(o) {
			w.follow(l, o, w.root[at])
		}
	}
	l.followed = at
	return len(w.queue) > queued
}

// follow queues the objects that refer to a queued object.
func (w *World) follow(l *Lists, object, root uint32) {
	l.List()
	list, all := l.Listed(object)
	if all {
		w.push(list, root)
		return
	}
	id := w.a.Objects.At(object)
	for i, c := range list {
		if l.Refers(c, id) {
			w.push(list[i:i+1], root)
		}
	}
}

// push queues the objects that are not queued yet. There is room for all objects.
func (w *World) push(objects []uint32, root uint32) {
	dying, n := w.dying, len(w.queue)
	queue, roots := w.queue[:cap(w.queue)], w.root
	for _, o := range objects {
		k, bit := o>>6, uint64(1)<<(o&63)
		x := dying[k]
		if x&bit != 0 {
			continue
		}
		if x == 0 {
			w.blocks = append(w.blocks, k)
		}
		dying[k] = x | bit
		queue[n], roots[n] = o, root
		n++
	}
	w.queue = queue[:n]
}

func (w *World) isDying(object uint32) bool { return w.dying[object>>6]>>(object&63)&1 != 0 }

// refuse sets the errors of roots that cannot be disposed, and returns their number.
func (w *World) refuse() (refused int) {
	for _, l := range w.lists {
		if l.Disposed != layout.Refuse {
			continue
		}
		for at, o := range w.queue {
			r := &w.roots[w.root[at]]
			if r.Err != nil || !l.MayBeTarget(o) {
				continue
			}
			if first, n := w.staying(l, o); n != 0 {
				r.Err = w.refusal(l, r.ID, o, first, n)
				refused++
			}
		}
	}
	return refused
}

// staying returns the first referrer of an object that is not queued, and the number of such
// referrers.
func (w *World) staying(l *Lists, object uint32) (first uint32, n int) {
	l.List()
	list, _ := l.Listed(object)
	for _, c := range list {
		if !w.isDying(c) && l.Refers(c, w.a.Objects.At(object)) {
			if n == 0 {
				first = c
			}
			n++
		}
	}
	return first, n
}

//go:noinline
func (w *World) refusal(l *Lists, root gameobject.ID, object, first uint32, n int) error {
	at := w.a.Objects.At
	with, kind := "", layout.Quoted(l.M.Kind.Name)
	if root.Index() != object {
		with = fmt.Sprintf("game object %v goes with it, and ", at(object))
	}
	who := fmt.Sprintf("%v refers to %v by %s", at(first), at(object), kind)
	if n > 1 {
		who = fmt.Sprintf("%d refer to %v by %s, the first is %v", n, at(object), kind, at(first))
	}
	return fmt.Errorf("flatecs: game object %v is not disposed: %s%s: %w",
		root, with, who, ErrReferred)
}

// forget empties the queue.
func (w *World) forget() {
	for _, k := range w.blocks {
		w.dying[k] = 0
	}
	for _, l := range w.lists {
		l.followed = 0
	}
	w.queue, w.blocks = w.queue[:0], w.blocks[:0]
}

// Reset drops a disposal that did not finish.
func Reset(w *World) {
	if w != nil {
		w.forget()
		clear(w.doomed)
	}
}

// carryOut disposes the queued objects, block by block, and clears the other objects' references to
// them.
func (w *World) carryOut() {
	for _, l := range w.lists {
		// With Cascade, the referrers are queued, too, except objects that keep a reference
		// suspended.
		if l.Disposed != layout.Cascade || l.M.Rows.Suspended() != 0 {
			w.clear(l)
		}
	}
	for _, l := range w.lists {
		l.staying = l.StayBare(w.leaving(l), w.dying)
	}
	w.sortBlocks()
	w.disposeBlocks()
	for _, l := range w.lists {
		if l.staying {
			l.KeepBare(w.blocks, w.dying)
		}
	}
	w.forget()
}

// disposeBlocks disposes the queued objects of each block. In a large world it prefetches blocks
// ahead of their turn: first the records of their components, then the components.
func (w *World) disposeBlocks() {
	const ahead = 4
	large, n := manager.Large(w.a), len(w.blocks)
	i := 0
	if large {
		i = -2 * ahead
	}
	for ; i < n; i++ {
		if later := i + 2*ahead; large && later < n {
			manager.ForeseeBlock(w.a, w.blocks[later])
		}
		if soon := i + ahead; large && 0 <= soon && soon < n {
			manager.ForeseeRows(w.a, w.blocks[soon], w.dying[w.blocks[soon]])
		}
		if i >= 0 {
			structure.DisposeBlock(w.a, w.blocks[i], w.dying[w.blocks[i]])
		}
	}
}

// leaving returns the queued objects that may refer to objects outside the queue by a relation.
// With a single cascade, the objects that it queued do not.
func (w *World) leaving(l *Lists) []uint32 {
	if l.Disposed == layout.Cascade && w.cascades == 1 {
		return w.queue[:min(len(w.queue), len(w.roots))]
	}
	return w.queue
}

// clear clears the references to queued objects in all objects that are not queued.
func (w *World) clear(l *Lists) {
	listed := false
	for _, o := range w.queue {
		if !l.MayBeTarget(o) {
			continue
		}
		if !listed { // cleared objects are looked at again
			l.List()
			listed = true
		}
		id := w.a.Objects.At(o)
		list, _ := l.Listed(o)
		for _, c := range list { // objects disposed with it need no look at their reference
			if !w.isDying(c) && l.Reference(c) == id {
				row, _ := l.M.Blocks.HeldRow(c)
				l.Write(c, row, gameobject.Nobody)
			}
		}
	}
}

// sortBlocks sorts the blocks of the queue, ascending.
func (w *World) sortBlocks() {
	if slices.IsSorted(w.blocks) {
		return
	}
	first, last := slices.Min(w.blocks), slices.Max(w.blocks)
	if int(last-first) > sparse*len(w.blocks) {
		slices.SortFunc(w.blocks, cmp.Compare) // shares code with others, unlike slices.Sort
		return
	}
	w.blocks = w.blocks[:0]
	for k := first; k <= last; k++ {
		if w.dying[k] != 0 {
			w.blocks = append(w.blocks, k)
		}
	}
}

// sparse is the number of blocks that can be skipped in the time of sorting one.
const sparse = 16
