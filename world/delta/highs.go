package delta

import (
	"encoding/binary"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A high is the number of indexes of objects, or of rows of a kind, that a world used. The used
// bytes of each part are derived from it.
type high struct{ used, room int }

// highs are the highs of a world: of its objects, then of each kind. A kind without rows has room
// 0.
type highs []high

// read reads the highs of a world, limited to its room: counters may hold anything.
func (h *highs) read(s world.State) {
	a := systems.ArenaOf(s)
	*h = append((*h)[:0], highOf(int(a.Objects.Count.High), a.Objects.Cap()))
	for i := range a.Managers {
		*h = append(*h, highOf(a.Managers[i].Rows.High(), a.Managers[i].Rows.Cap()))
	}
}

func highOf(used, room int) high { return high{min(used, room), room} }

// usedOf returns the used bytes of a part of the truth.
func (h highs) usedOf(p *tool.Part) int {
	rows := 0
	if n := 1 + p.Place; p.Kind != nil && n < len(h) {
		rows = h[n].used
	}
	return p.UsedOf(h[0].used, rows)
}

// appendTo appends the number of highs that differ in to, and for each the number of equal ones
// before it, and the difference.
func (h highs) appendTo(dst []byte, to highs) []byte {
	n, last := 0, -1
	for i := range h {
		if to[i].used != h[i].used {
			n++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(n))
	for i := range h {
		if more := to[i].used - h[i].used; more != 0 {
			dst = binary.AppendUvarint(dst, uint64(i-last-1))
			dst = binary.AppendVarint(dst, int64(more))
			last = i
		}
	}
	return dst
}

// change applies the result of appendTo, if it is valid, and returns the rest of b.
func (h highs) change(b []byte) (rest []byte, ok bool) {
	count, n := binary.Uvarint(b)
	if n <= 0 || count > uint64(len(h)) {
		return b, false
	}
	b = b[n:]
	for at := -1; count > 0; count-- {
		skip, n := binary.Uvarint(b)
		if n <= 0 || skip >= uint64(len(h)-1-at) {
			return b, false
		}
		at += 1 + int(skip)
		more, m := binary.Varint(b[n:])
		if x := &h[at]; m <= 0 || more < int64(-x.used) || more > int64(x.room-x.used) {
			return b, false
		}
		h[at].used += int(more)
		b = b[n+m:]
	}
	return b, true
}
