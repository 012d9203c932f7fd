package deflate

import "encoding/binary"

// The forms of blocks (RFC 1951, 3.2.3).
const (
	stored    = iota // the content as it is
	usesFixed        // tokens in codes that every reader has
	usesOwn          // tokens in codes that the block begins with

	mostStored = 1<<16 - 1 // bytes
)

// A writer writes bits, the lowest of a byte first.
type writer struct {
	bytes []byte
	held  uint64
	count int // bits in held
}

func (w *writer) put(value uint32, count int) {
	w.held |= uint64(value) << w.count
	w.count += count
	if w.count >= 32 {
		w.bytes = binary.LittleEndian.AppendUint32(w.bytes, uint32(w.held))
		w.held >>= 32
		w.count -= 32
	}
}

// align fills the last byte.
func (w *writer) align() {
	for ; w.count > 0; w.count -= 8 {
		w.bytes = append(w.bytes, byte(w.held))
		w.held >>= 8
	}
	w.held, w.count = 0, 0
}

// block writes a block.
func (w *writer) block(b *block, last bool) {
	final := uint32(0)
	if last {
		final = 1
	}
	p := b.plan()
	if p.form == stored {
		w.store(b.content, final)
		return
	}
	w.put(final|p.form<<1, 3)
	if p.form == usesOwn {
		w.header(&p.header)
	}
	w.tokens(b.tokens, p.symbols, p.distances)
}

// store writes content as it is.
func (w *writer) store(content []byte, final uint32) {
	for {
		part := content[:min(len(content), mostStored)]
		content = content[len(part):]
		if len(content) > 0 {
			w.put(stored<<1, 3)
		} else {
			w.put(final|stored<<1, 3)
		}
		w.align()
		w.bytes = binary.LittleEndian.AppendUint16(w.bytes, uint16(len(part)))
		w.bytes = binary.LittleEndian.AppendUint16(w.bytes, ^uint16(len(part)))
		w.bytes = append(w.bytes, part...)
		if len(content) == 0 {
			return
		}
	}
}

// header writes the codes of a block.
func (w *writer) header(h *header) {
	w.put(uint32(len(h.symbols)-lengths), 5)
	w.put(uint32(len(h.distances)-1), 5)
	w.put(uint32(h.innerCount-4), 4)
	for _, symbol := range innerOrder[:h.innerCount] {
		w.put(uint32(h.inner[symbol]), 3)
	}
	words := h.inner.words()
	for _, r := range h.list {
		w.put(words[r.symbol], int(h.inner[r.symbol]))
		w.put(uint32(r.extra), int(extraBits[r.symbol]))
	}
}

// tokens writes tokens, and the end of the block.
func (w *writer) tokens(tokens []token, s, d code) {
	symbols, distances := s.words(), d.words()
	for _, t := range tokens {
		if t.length() == 0 {
			w.put(symbols[t], int(s[t]))
			continue
		}
		slot, extra := lengthSlot(t.length())
		w.put(symbols[lengths+slot], int(s[lengths+slot]))
		w.put(uint32(t.length()-shortest)&(1<<extra-1), extra)
		slot, extra = distanceSlot(t.distance())
		w.put(distances[slot], int(d[slot]))
		w.put(uint32(t.distance()-1)&(1<<extra-1), extra)
	}
	w.put(symbols[endBlock], int(s[endBlock]))
}
