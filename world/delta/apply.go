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

// Apply turns the base world of a delta into the resulting one, and rebuilds what is derived. The
// delta may be any bytes: Apply takes no more memory than a Coder has, and the world is unchanged
// if the error is [ErrDamaged], [ErrBase] or [world.ErrWalking]. State beside the world's bytes is
// unchanged, except that Go values in rows that are not in use any more become the default.
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
	done, ok := r.run(r.records, -1)
	if ok = ok && r.emptied(); ok {
		r.trim(false)
		next, err := tool.Rebuild(s)
		if s = next; err == nil && r.fits(s) && c.result.world(s) == le.Uint64(delta[24:]) {
			r.clearDerived(s)
			return r.freeValues(s), nil
		}
		r.clear(true)
	}
	r.run(r.records, done)
	r.trim(true)
	r.forgetDerived()
	s, err := tool.Rebuild(s)
	if err != nil {
		panic("delta: the world was broken before; see tool.Verify: " + err.Error())
	}
	return s, ErrDamaged
}

const rowsPart = "objects" // the part that says which rows are in use

// A run is the application of a delta, or its reversal.
type run struct {
	*Coder
	parts   []tool.Part
	resized []byte // number and length of each part whose used length changes
	records []byte
}

// read reads the lengths of the parts, and checks the new ones.
func (c *Coder) read(s world.State, delta []byte) (r run, ok bool) {
	le := binary.LittleEndian
	r = run{Coder: c, parts: tool.Parts(s)}
	n, rest := le.Uint64(delta[32:]), delta[headerSize:]
	if n > uint64(len(rest)/resizeSize) {
		return r, false
	}
	r.resized, r.records = rest[:n*resizeSize], rest[n*resizeSize:]
	c.lengths, c.rows = c.lengths[:0], c.rows[:0]
	for i := range r.parts {
		c.lengths = append(c.lengths, len(tool.Used(s, &r.parts[i])))
	}
	last := -1
	for b := r.resized; len(b) > 0; b = b[resizeSize:] {
		i, length := int(le.Uint16(b)), le.Uint64(b[2:])
		if i <= last || i >= len(r.parts) || !r.parts[i].Truth ||
			length > uint64(len(r.parts[i].Bytes)) || length%uint64(r.parts[i].Unit) != 0 {
			return r, false
		}
		last = i
	}
	return r, true
}

// each calls f for each part whose used length changes, with the length before and after; swapped
// if out is set.
func (r *run) each(out bool, f func(p *tool.Part, before, after int)) {
	for b := r.resized; len(b) > 0; b = b[resizeSize:] {
		i := int(binary.LittleEndian.Uint16(b))
		before, after := r.lengths[i], int(binary.LittleEndian.Uint64(b[2:]))
		if out {
			before, after = after, before
		}
		f(&r.parts[i], before, after)
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
func (r *run) longest(number int) int {
	n := r.lengths[number]
	r.each(false, func(p *tool.Part, _, after int) {
		if p == &r.parts[number] {
			n = max(n, after)
		}
	})
	return n
}

// run applies records, at most most of them unless most is negative, and returns how many. Applying
// them twice restores the bytes.
func (r *run) run(records []byte, most int) (done int, ok bool) {
	part, chunk, length := -1, -1, 0
	for ; len(records) > 0 && done != most; done++ {
		if len(records) < recordSize {
			return done, false
		}
		le := binary.LittleEndian
		p, changed := int(le.Uint16(records)), int(le.Uint16(records[2:]))+1
		n, size := int(le.Uint32(records[4:])), uint64(le.Uint32(records[8:]))
		if size > uint64(len(records)-recordSize) || p >= len(r.parts) || !r.parts[p].Truth ||
			p < part || p == part && n <= chunk {
			return done, false
		}
		if p != part {
			part, length = p, r.longest(p)
			r.noteRows(p)
			r.grain.see(&r.parts[p])
		}
		if chunk = n; n >= (length+chunkSize-1)/chunkSize {
			return done, false
		}
		b := r.parts[p].Bytes[n*chunkSize : min(length, (n+1)*chunkSize)]
		payload := records[recordSize : recordSize+size]
		if !r.change(b, payload, n, changed) {
			return done, false
		}
		records = records[recordSize+size:]
	}
	return done, true
}

// noteRows records a part that says which rows of Go values are in use.
func (r *run) noteRows(number int) {
	p := &r.parts[number]
	if p.Kind != nil && p.Kind.Values != nil && (p.Name == rowsPart || p.Name == "mounted") {
		r.rows = append(r.rows, number)
	}
}

// freeValues resets the Go values of rows that are not in use any more.
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

// fits reports whether the used length of each part is as the delta says.
func (r *run) fits(s world.State) bool {
	for i := range r.parts {
		if p := &r.parts[i]; p.Truth && len(tool.Used(s, p)) != r.length(i) {
			return false
		}
	}
	return true
}

// length returns the used length of a part after the delta.
func (r *run) length(number int) int {
	n := r.lengths[number]
	r.each(false, func(p *tool.Part, _, after int) {
		if p == &r.parts[number] {
			n = after
		}
	})
	return n
}

// clearDerived clears derived bytes of rows and objects that are not used any more.
func (r *run) clearDerived(s world.State) {
	for i := range r.parts {
		if p := &r.parts[i]; !p.Truth {
			used := len(tool.Used(s, p))
			clear(p.Bytes[used:max(used, r.lengths[i])])
		}
	}
}

// forgetDerived clears derived bytes that an invalid delta may have caused.
func (r *run) forgetDerived() {
	for i := range r.parts {
		if p := &r.parts[i]; !p.Truth {
			kernel.Clear(p.Bytes)
		}
	}
}

// Apply is [Coder.Apply] of a new Coder.
func Apply(s world.State, delta []byte) (world.State, error) {
	var c Coder
	return c.Apply(s, delta)
}
