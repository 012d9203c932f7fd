package delta

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/s2"
)

// A method is the encoding of a plane.
type method uint16

const (
	packed  method = iota // in the s2 block, with others
	asIs                  // uncompressed
	nonzero               // a bit per byte that is not zero; then those bytes
)

const methodBits = 2 // per plane, in a word for all planes of a chunk

// choose selects the method of a plane by samples. Noise is stored uncompressed. Noise with zeros
// has many short matches, which are slow in s2, so its zeros are removed first. In a short plane,
// equal bytes with zeros between them count as order: they are often defaults, which repeat, and
// the time of s2 does not matter.
func choose(plane []byte) method {
	const samples, sample, short = 4, 64, 4096
	if len(plane) < samples*sample {
		return packed
	}
	zeros, order := 0, 0
	for i := range samples {
		b := plane[i*(len(plane)/samples):][:sample]
		if len(plane) <= short {
			order += repeats(b)
		}
		for j := 1; j < sample; j++ {
			switch b[j] {
			case 0:
				zeros++
			case b[j-1]:
				order++
			}
		}
	}
	const tenth = samples * sample / 10
	switch {
	case order > tenth, zeros > 9*tenth+tenth/2:
		return packed
	case zeros < 2*tenth:
		return asIs
	}
	return nonzero
}

// repeats returns the number of nonzero bytes that are equal to the previous nonzero byte, with
// zeros in between.
func repeats(b []byte) (n int) {
	last := byte(0)
	for i, x := range b {
		if x != 0 {
			if x == last && b[i-1] == 0 {
				n++
			}
			last = x
		}
	}
	return n
}

// appendPlanes appends the planes of the measured grain.
func (c *Coder) appendPlanes(dst []byte) []byte {
	at, rest := len(dst), c.changes[:0]
	dst = append(dst, 0, 0, 0, 0)[:at+c.grain.methodBytes()]
	methods := uint32(0)
	for k := range c.grain.planes {
		plane := c.grain.plane(c.planes[:], k)
		m := choose(plane)
		switch m {
		case packed:
			rest = append(rest, plane...)
		case asIs:
			dst = append(dst, plane...)
		case nonzero:
			dst = appendNonzero(dst, plane)
		}
		methods |= uint32(m) << (methodBits * k)
	}
	for i := range c.grain.methodBytes() {
		dst[at+i] = byte(methods >> (8 * i))
	}
	most := s2.MaxEncodedLen(len(rest))
	dst = slices.Grow(dst, most)
	return dst[:len(dst)+len(s2.Encode(dst[len(dst):cap(dst)], rest))]
}

// appendNonzero appends a plane of a multiple of 8 bytes without its zeros.
func appendNonzero(dst, plane []byte) []byte {
	at := len(dst)
	dst = slices.Grow(dst, len(plane)/8+len(plane)+8)
	which := dst[at:][:len(plane)/8]
	to := dst[at+len(which) : at+len(which)+len(plane)+8]
	used := 0
	for i := range which {
		w := binary.LittleEndian.Uint64(plane[8*i:])
		if which[i] = nonzeros(w); w == 0 {
			continue
		}
		b := to[used:][:8] // writes each byte, and advances if it is not zero
		n := 0
		for m := uint64(which[i]); w != 0; w, m = w>>8, m>>1 {
			b[n&7] = byte(w)
			n += int(m & 1)
		}
		used += n
	}
	return dst[:at+len(which)+used]
}

// nonzeros returns a bit per byte of w that is not zero.
func nonzeros(w uint64) byte {
	const low7, top = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	t := ((w&low7 + low7) | w) & top
	return byte(t >> 7 * 0x0102040810204080 >> 56)
}

// takePlanes decodes payload into planes of the measured grain, if it is valid.
func (r *run) takePlanes(payload []byte) bool {
	g := &r.grain
	if len(payload) < g.methodBytes() {
		return false
	}
	methods := uint64(0) // has more bits than there are methods
	for i, b := range payload[:g.methodBytes()] {
		methods |= uint64(b) << (8 * i)
	}
	payload = payload[g.methodBytes():]
	others := 0
	for k := range g.planes {
		var taken int
		switch plane := g.plane(r.planes[:], k); method(methods >> (methodBits * k) & 3) {
		case packed:
			others += len(plane)
			continue
		case asIs:
			taken = copy(plane, payload)
			if taken < len(plane) {
				return false
			}
		case nonzero:
			taken = takeNonzero(plane, payload)
		default:
			return false
		}
		if taken < 0 {
			return false
		}
		payload = payload[taken:]
	}
	if most, err := s2.DecodedLen(payload); err != nil || most != others {
		return false
	}
	rest, err := s2.Decode(r.changes[:others], payload)
	if err != nil {
		return false
	}
	for k := range g.planes {
		if method(methods>>(methodBits*k)&3) == packed {
			rest = rest[copy(g.plane(r.planes[:], k), rest):]
		}
	}
	return methods>>(methodBits*g.planes) == 0
}

// takeNonzero is the inverse of appendNonzero. It returns the number of bytes read, or -1.
func takeNonzero(plane, b []byte) int {
	words := len(plane) / 8
	if len(b) < words {
		return -1
	}
	which, from := b[:words], b[words:]
	used := 0
	for i, m := range which {
		n := bits.OnesCount8(m)
		if used+n > len(from) {
			return -1
		}
		var w uint64
		for x := m; x != 0; x &= x - 1 {
			w |= uint64(from[used]) << (8 * bits.TrailingZeros8(x))
			used++
		}
		binary.LittleEndian.PutUint64(plane[8*i:], w)
	}
	return words + used
}
