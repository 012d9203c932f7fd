package deflate

import "encoding/binary"

const (
	hashBits = 16
	deepest  = 256 // nodes that are looked at for a place

	kept = 2 * window // nodes, of which the older half is not looked at
)

// A finder finds matches. Places whose next three bytes have one hash are a binary tree, ordered by
// the bytes that follow them; a node is newer than those below it. So the search for a place meets,
// on one way down, the nearest place for each length, and the way is where the new root cuts the
// tree in two.
type finder struct {
	content []byte
	roots   [1 << hashBits]int32 // by hash: a place, or -1
	below   [2 * kept]int32      // by place modulo kept: the nodes that come before it, and after
}

func newFinder(content []byte) *finder {
	f := &finder{content: content}
	for i := range f.roots {
		f.roots[i] = -1
	}
	return f
}

// A found is the matches of a stretch of content.
type found struct {
	content []byte // the stretch
	matches []token
	first   []uint32 // by place, and one more: where its matches begin, by length
}

// matches returns the matches of the places from at to end, which come after those of the call
// before. A place within a match of the greatest length has none.
func (f *finder) matches(at, end int) *found {
	m := &found{content: f.content[at:end], first: make([]uint32, 0, end-at+1)}
	within := 0
	for ; at < end; at++ {
		before := len(m.matches)
		m.first = append(m.first, uint32(before))
		m.matches = f.insert(at, m.matches)
		if within--; within > 0 {
			m.matches = m.matches[:before]
		} else if n := len(m.matches); n > before && m.matches[n-1].length() == longest {
			within = longest
		}
	}
	m.first = append(m.first, uint32(len(m.matches)))
	return m
}

// insert makes a place the root of its tree, and appends its matches, each longer than those before
// it, and farther.
func (f *finder) insert(at int, dst []token) []token {
	here := f.content[at:]
	if len(here) < shortest {
		return dst
	}
	here = here[:min(len(here), longest)]
	three := uint32(binary.LittleEndian.Uint16(here)) | uint32(here[2])<<16
	root := &f.roots[three*0x9e3779b1>>(32-hashBits)]
	node := int(*root)
	*root = int32(at)
	before, after := f.children(at)
	best, sameBefore, sameAfter := shortest-1, 0, 0
	for range deepest {
		if node < 0 || at-node > window {
			break
		}
		n := same(here, f.content[node:], min(sameBefore, sameAfter))
		if n > best {
			best = n
			dst = append(dst, match(n, at-node))
		}
		nodeBefore, nodeAfter := f.children(node)
		switch {
		case n == len(here):
			*before, *after = *nodeBefore, *nodeAfter
			return dst
		case f.content[node+n] < here[n]:
			*before, before, sameBefore = int32(node), nodeAfter, n
			node = int(*nodeAfter)
		default:
			*after, after, sameAfter = int32(node), nodeBefore, n
			node = int(*nodeBefore)
		}
	}
	*before, *after = -1, -1
	return dst
}

func (f *finder) children(at int) (before, after *int32) {
	i := 2 * (at % kept)
	return &f.below[i], &f.below[i+1]
}

// same returns how many bytes here and there begin with in common, of which n are known.
func same(here, there []byte, n int) int {
	for n < len(here) && here[n] == there[n] {
		n++
	}
	return n
}
