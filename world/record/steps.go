package record

import (
	"bytes"
	"encoding/binary"
)

// A mark is the digest of the world before the step of a frame.
type mark struct {
	step   int // from the block's frame on
	digest uint64
}

const markSize = 12

func appendDigest(dst []byte, digest uint64) []byte {
	return binary.LittleEndian.AppendUint64(dst, digest)
}

// How the places of an input changed in a block: from each step to the next, in some steps or not.
const (
	still  uint8 = iota // in no step
	apart               // in the steps of a mask of its own
	alike               // in those in which the place before did
	alike2              // in those of the place two before
)

// A stepCoder encodes the steps of a segment: the differences of inputs, place by place.
type stepCoder struct {
	before []byte   // the last input
	ways   []uint8  // per place
	masks  []byte   // a bit per step, of places that are apart
	last   [][]byte // the masks of the two places before
	values []byte   // the differences that are not 0
}

func newStepCoder(size int) *stepCoder {
	return &stepCoder{before: make([]byte, size), ways: make([]uint8, size)}
}

// reset begins a segment, or a block if the last input stays.
func (c *stepCoder) reset(segment bool) {
	if segment {
		clear(c.before)
	}
	c.masks, c.values, c.last = c.masks[:0], c.values[:0], append(c.last[:0], nil, nil)
}

// append appends the payload of steps: how many marks there are, the marks, a way per place, the
// masks and the differences.
func (c *stepCoder) append(dst, inputs []byte, steps int, marks []mark) []byte {
	c.reset(false)
	for place := range c.before {
		c.ways[place] = c.see(inputs, place, steps)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(marks)))
	for _, m := range marks {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(m.step))
		dst = appendDigest(dst, m.digest)
	}
	dst = append(append(dst, c.ways...), c.masks...)
	return append(dst, c.values...)
}

// see finds the differences of a place, and returns its way.
func (c *stepCoder) see(inputs []byte, place, steps int) uint8 {
	begin, many := len(c.masks), len(c.values)
	c.masks = append(c.masks, make([]byte, (steps+7)/8)...)
	mask, last := c.masks[begin:], c.before[place]
	for i := range steps {
		x := inputs[i*len(c.before)+place]
		if x != last {
			mask[i/8] |= 1 << (i % 8)
			c.values = append(c.values, x-last)
		}
		last = x
	}
	c.before[place] = last
	way := apart
	switch {
	case len(c.values) == many:
		way = still
	case bytes.Equal(mask, c.last[0]):
		way = alike
	case bytes.Equal(mask, c.last[1]):
		way = alike2
	}
	if way != apart {
		c.masks = c.masks[:begin]
		mask = c.maskOf(way)
	}
	c.last[0], c.last[1] = mask, c.last[0]
	return way
}

// maskOf returns the mask of a place that has none of its own.
func (c *stepCoder) maskOf(way uint8) []byte {
	if way == still {
		return nil
	}
	return c.last[way-alike]
}

// take is the inverse of append; it appends to the inputs of a segment, of maxInputs at most.
func (c *stepCoder) take(inputs, payload []byte, steps int) (_ []byte, marks []mark, ok bool) {
	size := len(c.before)
	if payload, marks, ok = takeMarks(payload, steps); !ok || len(payload) < size ||
		int64(steps)*int64(size) > int64(maxInputs-len(inputs)) {
		return inputs, nil, false
	}
	ways, rest := payload[:size], payload[size:]
	long := bytes.Count(ways, []byte{apart}) * ((steps + 7) / 8)
	if long > len(rest) {
		return inputs, nil, false
	}
	c.reset(false)
	c.masks, c.values = append(c.masks, rest[:long]...), append(c.values, rest[long:]...)
	masks, values, begin := c.masks, c.values, len(inputs)
	inputs = append(inputs, make([]byte, steps*size)...)
	for place, way := range ways {
		var mask []byte
		switch {
		case way > alike2:
			return inputs, nil, false
		case way == apart:
			mask, masks = masks[:(steps+7)/8], masks[(steps+7)/8:]
		default:
			mask = c.maskOf(way)
		}
		if values, ok = c.put(inputs[begin:], place, steps, mask, values); !ok {
			return inputs, nil, false
		}
		c.last[0], c.last[1] = mask, c.last[0]
	}
	return inputs, marks, len(values) == 0
}

// put adds the differences of a place, and returns those that are left.
func (c *stepCoder) put(to []byte, place, steps int, mask, values []byte) (_ []byte, ok bool) {
	last := c.before[place]
	for i := range steps {
		if i/8 < len(mask) && mask[i/8]>>(i%8)&1 != 0 {
			if len(values) == 0 {
				return nil, false
			}
			last, values = last+values[0], values[1:]
		}
		to[i*len(c.before)+place] = last
	}
	c.before[place] = last
	return values, true
}

// takeMarks takes the marks of steps, which are in order.
func takeMarks(payload []byte, steps int) (rest []byte, marks []mark, ok bool) {
	if len(payload) < 4 {
		return nil, nil, false
	}
	n, rest := int(binary.LittleEndian.Uint32(payload)), payload[4:]
	if n > len(rest)/markSize {
		return nil, nil, false
	}
	for least := 0; n > 0; n, rest = n-1, rest[markSize:] {
		m := mark{int(binary.LittleEndian.Uint32(rest)), binary.LittleEndian.Uint64(rest[4:])}
		if m.step < least || m.step >= steps {
			return nil, nil, false
		}
		marks, least = append(marks, m), m.step+1
	}
	return rest, marks, steps > 0
}
