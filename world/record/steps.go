package record

import (
	"bytes"
	"encoding/binary"
)

// A mark is the digest of the world before a step.
type mark struct {
	step   int // counted from the block's frame
	digest uint64
}

const markSize = 12

// The ways in which a place of the input changes from step to step in a block.
const (
	still  uint8 = iota // never changes
	apart               // changes in the steps of its own mask
	alike               // changes in the same steps as the previous place
	alike2              // changes in the same steps as the place before that
)

// A stepCoder encodes and decodes the steps of a segment: the differences of inputs, place by
// place.
type stepCoder struct {
	before []byte    // the last input
	masks  [2][]byte // of the two previous masks; a bit per step
	ways   []uint8   // per place
	own    []byte    // the masks of places with their own mask
	values []byte    // the differences other than 0
}

func newStepCoder(size int) *stepCoder { return &stepCoder{before: make([]byte, size)} }

// append appends the payload of steps: the number of marks, the marks, a way per place, the masks
// and the differences.
func (c *stepCoder) append(dst, inputs []byte, steps int, marks []mark) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, uint32(len(marks)))
	for _, m := range marks {
		dst = le.AppendUint64(le.AppendUint32(dst, uint32(m.step)), m.digest)
	}
	c.masks = [2][]byte{}
	c.ways, c.own, c.values = c.ways[:0], c.own[:0], c.values[:0]
	for place := range c.before {
		c.ways = append(c.ways, c.see(inputs, place, steps))
	}
	return append(append(append(dst, c.ways...), c.own...), c.values...)
}

// see finds the differences of a place, and returns its way.
func (c *stepCoder) see(inputs []byte, place, steps int) (way uint8) {
	begin, many := len(c.own), len(c.values)
	c.own = append(c.own, make([]byte, (steps+7)/8)...)
	mask, last := c.own[begin:], &c.before[place]
	for i := range steps {
		if x := inputs[i*len(c.before)+place]; x != *last {
			mask[i/8] |= 1 << (i % 8)
			c.values = append(c.values, x-*last)
			*last = x
		}
	}
	switch {
	case len(c.values) == many:
		way = still
	case bytes.Equal(mask, c.maskOf(alike)):
		way = alike
	case bytes.Equal(mask, c.maskOf(alike2)):
		way = alike2
	default:
		c.follow(mask)
		return apart
	}
	c.own = c.own[:begin]
	c.follow(c.maskOf(way))
	return way
}

// maskOf returns the mask for a way without a mask of its own.
func (c *stepCoder) maskOf(way uint8) []byte {
	if way == still {
		return nil
	}
	return c.masks[way-alike]
}

// follow makes mask the previous mask.
func (c *stepCoder) follow(mask []byte) { c.masks = [2][]byte{mask, c.masks[0]} }

// take is the inverse of append. It appends to the inputs of a segment, up to maxInputs bytes.
func (c *stepCoder) take(inputs, payload []byte, steps int) (_ []byte, marks []mark, ok bool) {
	size, begin := len(c.before), len(inputs)
	marks, payload, ok = takeMarks(payload, steps)
	if !ok || len(payload) < size || int64(steps)*int64(size) > int64(maxInputs-begin) {
		return inputs, nil, false
	}
	ways, own := payload[:size], payload[size:]
	each := (steps + 7) / 8
	long := bytes.Count(ways, []byte{apart}) * each
	if long > len(own) {
		return inputs, nil, false
	}
	values := own[long:]
	inputs = append(inputs, make([]byte, steps*size)...)
	c.masks = [2][]byte{}
	for place, way := range ways {
		switch {
		case way > alike2:
			return inputs, nil, false
		case way == apart:
			c.follow(own[:each])
			own = own[each:]
		default:
			c.follow(c.maskOf(way))
		}
		if values, ok = c.put(inputs[begin:], place, steps, values); !ok {
			return inputs, nil, false
		}
	}
	return inputs, marks, len(values) == 0
}

// put adds the differences of a place, and returns the remaining ones.
func (c *stepCoder) put(to []byte, place, steps int, values []byte) (_ []byte, ok bool) {
	mask, last := c.masks[0], &c.before[place]
	for i := range steps {
		if i/8 < len(mask) && mask[i/8]>>(i%8)&1 != 0 {
			if len(values) == 0 {
				return nil, false
			}
			*last, values = *last+values[0], values[1:]
		}
		to[i*len(c.before)+place] = *last
	}
	return values, true
}

// takeMarks decodes marks, whose steps must ascend.
func takeMarks(payload []byte, steps int) (marks []mark, rest []byte, ok bool) {
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
	return marks, rest, steps > 0
}
