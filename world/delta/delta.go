package delta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

const (
	magic      = "fldelta\x03"
	headerSize = 32
	sizeBytes  = 3 // of a chunk's payload
	fewRecord  = 1 // in the first number of a record: it lists single bytes
)

// A Coder encodes and applies deltas. It holds only working memory; the zero Coder is ready to use.
// It belongs to one goroutine.
type Coder struct {
	base, result hasher
	lengths      []int // used length of each part, in the current world
	after        []int // and in the resulting one
	highs, to    highs
	rows         []int    // parts by which rows of Go values were taken into use or freed
	last         position // of the previous record
	lines        [chunkLines / 64]uint64
	grain        grain                   // of the current part
	changes      [chunkSize + slack]byte // xor of the changed lines
	planes       [chunkSize + slack]byte
}

// Append appends to dst the delta from one world to another, and returns the extended slice. Both
// must be worlds of the same counts, in the same order, or States of their snapshots; otherwise the
// error wraps [systems.ErrOther] and names the first part that differs. After the first call it
// allocates only to extend dst.
func (c *Coder) Append(dst []byte, from, to world.State) ([]byte, error) {
	c.check()
	a, b := tool.Parts(from), tool.Parts(to)
	if i := firstOther(a, b); i >= 0 {
		return dst, fmt.Errorf("delta: %w: part %d is %s of one and %s of the other; Resized "+
			"brings one to the other's counts", systems.ErrOther, i, nameOf(a, i), nameOf(b, i))
	}
	begin := len(dst)
	dst = append(dst, make([]byte, headerSize)...)
	c.highs.read(from)
	c.to.read(to)
	dst = c.highs.appendTo(dst, c.to)
	c.base, c.result, c.last = c.base[:0], c.result[:0], position{}
	for i := range a {
		if a[i].Truth {
			dst = c.appendPart(dst, i, &a[i], tool.Used(from, &a[i]), tool.Used(to, &b[i]))
		}
	}
	le, h := binary.LittleEndian, dst[begin:]
	copy(h, magic)
	names := systems.ToolsOf(from).Names()
	le.PutUint64(h[16:], c.base.sum(names))
	le.PutUint64(h[24:], c.result.sum(names))
	le.PutUint64(h[8:], xxh3.Hash(h[16:]))
	return dst, nil
}

// check panics if c is nil.
func (c *Coder) check() {
	if c == nil {
		panic("delta: this Coder is nil; hand in the address of one")
	}
}

// firstOther returns the number of the first part that differs in two worlds' lists, or -1.
func firstOther(a, b []tool.Part) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return i
		}
		x, y := &a[i], &b[i]
		if x.Owner != y.Owner || x.Name != y.Name || x.Unit != y.Unit || x.Field != y.Field ||
			len(x.Bytes) != len(y.Bytes) {
			return i
		}
	}
	return -1
}

// nameOf describes a part: its name and its number of bytes.
func nameOf(parts []tool.Part, i int) string {
	if i >= len(parts) {
		return "missing"
	}
	return fmt.Sprintf("%s.%s, of %d bytes,", parts[i].Owner, parts[i].Name, len(parts[i].Bytes))
}

// appendPart appends a record for each changed chunk of a part, and hashes both versions.
func (c *Coder) appendPart(dst []byte, number int, p *tool.Part, from, to []byte) []byte {
	c.base.add(uint64(len(from)))
	c.result.add(uint64(len(to)))
	c.grain.see(p)
	for chunk := 0; chunk == 0 || len(from) > 0 || len(to) > 0; chunk++ {
		x, y := from[:min(len(from), chunkSize)], to[:min(len(to), chunkSize)]
		from, to = from[len(x):], to[len(y):]
		hash := xxh3.Hash(x)
		same := bytes.Equal(x, y)
		if len(x) > 0 || chunk == 0 {
			c.base.add(hash)
		}
		switch {
		case same && (len(y) > 0 || chunk == 0):
			c.result.add(hash)
		case len(y) > 0 || chunk == 0:
			c.result.add(xxh3.Hash(y))
		}
		if same {
			continue
		}
		if changed := c.compare(x, y); changed > 0 { // without changes, the part only grew by zeros
			dst = c.appendChanges(dst, number, chunk, changed, lines(max(len(x), len(y))))
		}
	}
	return dst
}

// lines returns the number of lines of n bytes.
func lines(n int) int { return (n + lineSize - 1) / lineSize }

// A position is the end of a record: a part, and the offset behind the last byte that it may
// change.
type position struct{ part, at int }

// appendChanges appends the record of a chunk, in the shorter of two forms.
func (c *Coder) appendChanges(dst []byte, part, chunk, changed, total int) []byte {
	if part != c.last.part {
		c.last.at = 0
	}
	begin, head, at := len(dst), uint64(part-c.last.part)<<1, c.last.at
	c.last = position{part, (chunk + 1) * chunkSize}
	dst, few := c.appendFew(dst, head, at, chunk, changed)
	middle := len(dst)
	if few && middle-begin <= lineSize {
		return dst
	}
	dst = c.appendChunk(dst, head, chunk-(at+chunkSize-1)/chunkSize, chunk, changed, total)
	if n := len(dst) - middle; few && n >= middle-begin {
		return dst[:middle]
	} else if few {
		dst = dst[:begin+copy(dst[begin:], dst[middle:])]
	}
	return dst
}

// appendChunk appends the record of a chunk that follows unchanged chunks.
func (c *Coder) appendChunk(dst []byte, head uint64, skipped, chunk, changed, total int) []byte {
	dst = binary.AppendUvarint(dst, head)
	dst = binary.AppendUvarint(dst, uint64(skipped))
	dst = binary.AppendUvarint(dst, uint64(changed-1))
	at := len(dst)
	dst = append(dst, make([]byte, sizeBytes)...) // length of the payload, set below
	if changed < total {
		for _, w := range c.lines[:(total+63)/64] {
			dst = binary.LittleEndian.AppendUint64(dst, w)
		}
	}
	n := changed * lineSize
	end := c.grain.measure(c.lines[:], chunk, n)
	c.grain.split(c.planes[:end], c.changes[:n], c.lines[:], chunk)
	dst = c.appendPlanes(dst)
	for i, size := 0, len(dst)-at-sizeBytes; i < sizeBytes; i++ {
		dst[at+i] = byte(size >> (8 * i))
	}
	return dst
}

// compare finds the changed lines of a chunk, computes their xor, and returns their number. It
// extends the shorter slice by zeros.
func (c *Coder) compare(from, to []byte) (changed int) {
	clear(c.lines[:])
	whole := min(len(from), len(to)) &^ (lineSize - 1)
	changed = c.compareWhole(from[:whole], to[:whole])
	for at := whole; at < max(len(from), len(to)); at += lineSize {
		var x, y [lineSize]byte
		copy(x[:], from[min(at, len(from)):])
		copy(y[:], to[min(at, len(to)):])
		if x != y {
			for i := range x {
				c.changes[changed*lineSize+i] = x[i] ^ y[i]
			}
			c.lines[at/lineSize/64] |= 1 << (at / lineSize % 64)
			changed++
		}
	}
	return changed
}

// compareWhole is compare for whole lines.
func (c *Coder) compareWhole(from, to []byte) (changed int) {
	le := binary.LittleEndian
	dst := c.changes[:]
	for line := 0; len(from) >= lineSize && len(to) >= lineSize; line++ {
		x, y := from[:lineSize], to[:lineSize]
		from, to = from[lineSize:], to[lineSize:]
		d0, d1 := le.Uint64(x)^le.Uint64(y), le.Uint64(x[8:])^le.Uint64(y[8:])
		d2, d3 := le.Uint64(x[16:])^le.Uint64(y[16:]), le.Uint64(x[24:])^le.Uint64(y[24:])
		d4, d5 := le.Uint64(x[32:])^le.Uint64(y[32:]), le.Uint64(x[40:])^le.Uint64(y[40:])
		d6, d7 := le.Uint64(x[48:])^le.Uint64(y[48:]), le.Uint64(x[56:])^le.Uint64(y[56:])
		if d0|d1|d2|d3|d4|d5|d6|d7 == 0 || len(dst) < lineSize {
			continue
		}
		d := dst[:lineSize]
		le.PutUint64(d, d0)
		le.PutUint64(d[8:], d1)
		le.PutUint64(d[16:], d2)
		le.PutUint64(d[24:], d3)
		le.PutUint64(d[32:], d4)
		le.PutUint64(d[40:], d5)
		le.PutUint64(d[48:], d6)
		le.PutUint64(d[56:], d7)
		dst = dst[lineSize:]
		c.lines[line>>6&(len(c.lines)-1)] |= 1 << (line & 63)
		changed++
	}
	return changed
}

// count returns the number of lines in a record's bits, and whether they are all in the chunk.
func (c *Coder) count(total int) (n int, ok bool) {
	for i, w := range c.lines {
		n += bits.OnesCount64(w)
		if left := total - 64*i; left < 64 && w>>max(left, 0) != 0 {
			return n, false
		}
	}
	return n, true
}

// Append is [Coder.Append] of a new Coder.
func Append(dst []byte, from, to world.State) ([]byte, error) {
	var c Coder
	return c.Append(dst, from, to)
}

var (
	// ErrBase is the error of a delta for another world.
	ErrBase = errors.New("delta: made for another world; apply it to the one that it was made for")

	// ErrDamaged is the error of bytes that are not a valid delta.
	ErrDamaged = errors.New("delta: damaged; send it again")
)

const (
	lineSize   = 64       // unit of change
	chunkSize  = 64 << 10 // unit of coding: from, to and scratch fit into a cache
	chunkLines = chunkSize / lineSize
)

// A hasher hashes a world's truth: the used bytes of each part and a hash of each chunk of them.
type hasher []byte

func (h *hasher) add(n uint64) { *h = binary.LittleEndian.AppendUint64(*h, n) }

// world hashes a whole world.
func (h *hasher) world(s world.State) uint64 {
	*h = (*h)[:0]
	parts := tool.Parts(s)
	for i := range parts {
		if p := &parts[i]; p.Truth {
			used := tool.Used(s, p)
			h.add(uint64(len(used)))
			for ; len(used) > chunkSize; used = used[chunkSize:] {
				h.add(xxh3.Hash(used[:chunkSize]))
			}
			h.add(xxh3.Hash(used))
		}
	}
	return h.sum(systems.ToolsOf(s).Names())
}

func (h *hasher) sum(names uint64) uint64 { return xxh3.HashSeed(*h, names) }

// prefilled reports whether unused bytes of a part are not zero.
func prefilled(p *tool.Part) bool { return p.Field != nil && !p.Free }

// reset sets zeroed bytes of a part to their initial state: zeros, or the defaults in a column of a
// counted kind.
func reset(p *tool.Part, from, to int) {
	if from >= to || !prefilled(p) {
		return
	}
	for b := p.Bytes[from:to]; len(b) > 0; {
		b = b[copy(b, p.Field.Default):]
	}
}
