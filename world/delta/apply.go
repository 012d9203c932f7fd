package delta

import (
	"encoding/binary"
	"math/bits"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Apply changes the base world of a delta into the resulting one, and rebuilds derived data. The
// delta may be any bytes: Apply allocates no more memory than a Coder holds, and the world is
// unchanged if the error is [ErrDamaged], [ErrBase] or [world.ErrWalking]. Commands stay recorded.
// Go values stay in their rows; in freed rows they become the default.
func (c *Coder) Apply(s world.State, delta []byte) (world.State, error) {
	c.check()
	le := binary.LittleEndian
	switch {
	case tool.Walking(s):
		return s, world.ErrWalking
	case len(delta) < headerSize || string(delta[:8]) != magic ||
		le.Uint64(delta[8:]) != xxh3.Hash(delta[16:]):
		return s, ErrDamaged
	case le.Uint64(delta[16:]) != c.base.world(s):
		return s, ErrBase
	}
	r, ok := c.read(s, delta)
	if !ok {
		return s, ErrDamaged
	}
	s = tool.SetResimulating(s, systems.Resimulating(s)) // panics for a snapshot's State
	r.clear(false)
	done, ok := r.run(-1)
	if ok = ok && r.emptied(); ok {
		r.trim(false)
		next, err := tool.Rebuild(s)
		if s = next; err == nil && r.fits(s) && c.result.world(s) == le.Uint64(delta[24:]) {
			r.clearDerived(s)
			return r.freeValues(s), nil
		}
		r.forgetDerived(s)
		r.clear(true)
	}
	r.run(done)
	r.trim(true)
	s, err := tool.Rebuild(s)
	if err != nil {
		panic("delta: the world was broken before; see tool.Verify: " + err.Error())
	}
	return s, ErrDamaged
}

// A run is the application of a delta, or its reversal.
type run struct {
	*Coder
	parts   []tool.Part
	records []byte
	part    int // of the current record, or -1
	at      int // where the next record may begin in the part
}

// read reads the lengths of the parts, and checks the new lengths.
func (c *Coder) read(s world.State, delta []byte) (r run, ok bool) {
	r = run{Coder: c, parts: tool.Parts(s)}
	c.lengths, c.rows = c.lengths[:0], c.rows[:0]
	for i := range r.parts {
		c.lengths = append(c.lengths, len(tool.Used(s, &r.parts[i])))
	}
	c.highs.read(s)
	if r.records, ok = c.highs.change(delta[headerSize:]); !ok {
		return r, false
	}
	c.after = append(c.after[:0], c.lengths...)
	for i := range r.parts {
		if p := &r.parts[i]; p.Truth {
			c.after[i] = c.highs.usedOf(p)
		}
	}
	return r, true
}

// each calls f for each part whose used length changes, with the length before and after; with out,
// the lengths are swapped.
func (r *run) each(out bool, f func(p *tool.Part, before, after int)) {
	for i, before := range r.lengths {
		after := r.after[i]
		switch {
		case before == after:
		case out:
			f(&r.parts[i], after, before)
		default:
			f(&r.parts[i], before, after)
		}
	}
}

// clear zeros the bytes by which parts become longer, because a delta is relative to zeros. It
// writes only to bytes that are not zero, because a delta may claim more room than it has data for.
func (r *run) clear(out bool) {
	r.each(out, func(p *tool.Part, before, after int) {
		if prefilled(p) {
			clear(p.Bytes[before:max(before, after)])
		}
	})
}

// trim resets the bytes by which parts became shorter to their initial state.
func (r *run) trim(out bool) {
	r.each(out, func(p *tool.Part, before, after int) { reset(p, after, before) })
}

// emptied reports whether the bytes by which parts become shorter are zero, as they must be, so
// that trim loses no change.
func (r *run) emptied() bool {
	zeros := true
	r.each(false, func(p *tool.Part, before, after int) {
		for _, b := range p.Bytes[after:max(before, after)] {
			zeros = zeros && b == 0
		}
	})
	return zeros
}

// longest returns the length of a part that a delta may change.
func (r *run) longest(number int) int { return max(r.lengths[number], r.after[number]) }

// run applies records, at most most of them unless most is negative, and returns how many. Applying
// them twice restores the bytes.
func (r *run) run(most int) (done int, ok bool) {
	r.part, r.at = -1, 0
	for b := r.records; len(b) > 0 && done != most; done++ {
		head, n := binary.Uvarint(b)
		if n <= 0 || !r.enter(head>>1) {
			return done, false
		}
		b = b[n:]
		if head&fewRecord != 0 {
			n = r.few(b)
		} else {
			n = r.chunk(b)
		}
		if n == 0 {
			return done, false
		}
		b = b[n:]
	}
	return done, true
}

// enter moves skip parts ahead, or stays in the current part.
func (r *run) enter(skip uint64) bool {
	if skip >= uint64(len(r.parts)-max(r.part, 0)) {
		return false
	}
	if skip == 0 && r.part >= 0 {
		return true
	}
	r.part, r.at = max(r.part, 0)+int(skip), 0
	p := &r.parts[r.part]
	if !p.Truth {
		return false
	}
	r.addRowsPart(r.part)
	r.grain.see(p)
	return true
}

// few applies a record of single bytes, and returns its length, or 0 if it is not valid.
func (r *run) few(b []byte) (size int) {
	size, end := readFew(b, r.at, r.longest(r.part))
	flipFew(r.parts[r.part].Bytes, b[:size], r.at)
	r.at = (end + chunkSize - 1) / chunkSize * chunkSize
	return size
}

// chunk applies the record of a chunk, and returns its length, or 0 if it is not valid.
func (r *run) chunk(b []byte) (size int) {
	length := r.longest(r.part)
	chunks := (length + chunkSize - 1) / chunkSize
	first := (r.at + chunkSize - 1) / chunkSize
	skipped, n := binary.Uvarint(b)
	changed, m := binary.Uvarint(b[max(n, 0):])
	if n <= 0 || m <= 0 || skipped >= uint64(max(chunks-first, 0)) || changed >= chunkLines ||
		len(b) < n+m+sizeBytes {
		return 0
	}
	b = b[n+m:]
	size = int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	if b = b[sizeBytes:]; size > len(b) {
		return 0
	}
	number := first + int(skipped)
	r.at = min(length, (number+1)*chunkSize)
	if !r.change(r.parts[r.part].Bytes[number*chunkSize:r.at], b[:size], number, int(changed)+1) {
		return 0
	}
	return n + m + sizeBytes + size
}

const rowsPart = "objects" // the part of a kind of Go values that records which rows are in use

// addRowsPart adds a part that records which rows of Go values are in use.
func (r *run) addRowsPart(number int) {
	p := &r.parts[number]
	if p.Kind != nil && p.Kind.Values != nil && (p.Name == rowsPart || p.Name == "mounted") {
		r.rows = append(r.rows, number)
	}
}

// freeValues resets the Go values of rows that are no longer in use.
func (r *run) freeValues(s world.State) world.State {
	for _, i := range r.rows {
		for r.parts[i].Name != rowsPart { // it is among the first parts
			i--
		}
		p := &r.parts[i]
		column, used := tool.ValueColumn(s, p.Kind.Handle())
		for row := used; row < r.lengths[i]/p.Unit; row++ {
			column.Reset(row)
		}
		s = tool.ResetIdle(s, p.Kind.Handle())
	}
	return s
}

// change applies the payload of a chunk, if it is valid.
func (r *run) change(b, payload []byte, chunk, changed int) bool {
	total := lines(len(b))
	if changed > total {
		return false
	}
	words := (total + 63) / 64
	clear(r.lines[:])
	if changed < total {
		if len(payload) < 8*words {
			return false
		}
		for i := range words {
			r.lines[i] = binary.LittleEndian.Uint64(payload[8*i:])
		}
		if n, ok := r.count(total); !ok || n != changed {
			return false
		}
		payload = payload[8*words:]
	} else {
		for i := range words {
			r.lines[i] = 1<<min(total-64*i, 64) - 1
		}
	}
	n := changed * lineSize
	end := r.grain.measure(r.lines[:], chunk, n)
	if !r.takePlanes(payload) {
		return false
	}
	r.grain.join(r.changes[:n], r.planes[:end], r.lines[:], chunk)
	if changed == total {
		kernel.Xor(b, r.changes[:len(b)])
		return true
	}
	r.flip(b)
	return true
}

// flip xors the changed lines of a chunk.
func (r *run) flip(b []byte) {
	changes := r.changes[:]
	for i, w := range r.lines {
		for ; w != 0; w &= w - 1 {
			line := b[(64*i+bits.TrailingZeros64(w))*lineSize:]
			line = line[:min(len(line), lineSize)]
			kernel.Xor(line, changes[:len(line)])
			changes = changes[lineSize:]
		}
	}
}

// fits reports whether the used length of each part is the length in the delta.
func (r *run) fits(s world.State) bool {
	for i := range r.parts {
		if p := &r.parts[i]; p.Truth && len(tool.Used(s, p)) != r.after[i] {
			return false
		}
	}
	return true
}

// clearDerived clears derived bytes of rows and objects that are no longer in use.
func (r *run) clearDerived(s world.State) {
	for i := range r.parts {
		if p := &r.parts[i]; !p.Truth {
			used := len(tool.Used(s, p))
			clear(p.Bytes[used:max(used, r.lengths[i])])
		}
	}
}

// forgetDerived clears derived bytes of the old world, and derived bytes of an invalid delta. The
// counters of a part follow the part.
func (r *run) forgetDerived(s world.State) {
	for i := range r.parts {
		if p := &r.parts[i]; !p.Truth {
			kernel.Clear(p.Bytes[:max(r.lengths[i], len(tool.Used(s, p)))])
		}
	}
}

// Apply is [Coder.Apply] of a new Coder.
func Apply(s world.State, delta []byte) (world.State, error) {
	var c Coder
	return c.Apply(s, delta)
}
