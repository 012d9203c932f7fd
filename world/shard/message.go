package shard

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"
)

var little = binary.LittleEndian

// The layout of a part of a message:
//
//	0   magic
//	8   digest of the data that the two shards have in common
//	16  digest of the whole body
//	24  size of the whole body
//	32  epoch of the sender's lease
//	40  tick, sender and receiver, number of this part, number of parts, round, zeros
//	72  this part of the body
const (
	magic      = "fshard02"
	headerSize = 72
)

// A header describes a part of a message.
type header struct {
	common, sum, size, epoch, tick uint64
	from, to, part, parts, round   uint32
}

func (h *header) append(b []byte) []byte {
	b = append(b, magic...)
	for _, v := range []uint64{h.common, h.sum, h.size, h.epoch, h.tick} {
		b = little.AppendUint64(b, v)
	}
	for _, v := range []uint32{h.from, h.to, h.part, h.parts, h.round, 0} {
		b = little.AppendUint32(b, v)
	}
	return b
}

// parse parses a part of a message. The input may be any bytes.
func (h *header) parse(b []byte) (body []byte, err error) {
	if len(b) < headerSize || string(b[:8]) != magic {
		return nil, fmt.Errorf("%w: %d bytes that do not begin like one", ErrMessage, len(b))
	}
	for i, v := range []*uint64{&h.common, &h.sum, &h.size, &h.epoch, &h.tick} {
		*v = little.Uint64(b[8+8*i:])
	}
	for i, v := range []*uint32{&h.from, &h.to, &h.part, &h.parts, &h.round} {
		*v = little.Uint32(b[48+4*i:])
	}
	if h.part >= h.parts || uint64(len(b)-headerSize) > h.size {
		return nil, fmt.Errorf("%w: part %d of %d has %d bytes of %d",
			ErrMessage, h.part, h.parts, len(b)-headerSize, h.size)
	}
	return b[headerSize:], nil
}

// cut divides a body into parts of at most limit bytes.
func cut(h header, body []byte, limit int) (parts [][]byte) {
	room := max(limit-headerSize, 1)
	h.sum, h.size = xxh3.Hash(body), uint64(len(body))
	h.parts = uint32(max(1, (len(body)+room-1)/room))
	for h.part = range h.parts {
		n := min(room, len(body))
		parts = append(parts, append(h.append(make([]byte, 0, headerSize+n)), body[:n]...))
		body = body[n:]
	}
	return parts
}

// join returns the body of a message. h is the header of its first part and body the bytes of that
// part; next returns the other parts.
func join(h header, body []byte, next func(part int) ([]byte, error)) ([]byte, error) {
	for part := 1; part < int(h.parts); part++ {
		b, err := next(part)
		if err != nil {
			return nil, err
		}
		other := h
		more, err := other.parse(b)
		if err != nil {
			return nil, err
		}
		if other.part = 0; other.sum != h.sum || other.parts != h.parts || other.size != h.size {
			return nil, fmt.Errorf("%w: part %d is of another one", ErrMessage, part)
		}
		body = append(slices.Clip(body), more...)
	}
	if uint64(len(body)) != h.size || xxh3.Hash(body) != h.sum {
		return nil, fmt.Errorf("%w: %d bytes that are damaged", ErrMessage, len(body))
	}
	return body, nil
}
