package index

import (
	"math"
	"slices"
)

const (
	leafSize = 128 // entries of a leaf
	leafFill = 96  // entries of a new leaf
)

// An entry is an object and the key of its value.
type entry struct {
	key    uint64
	object uint32
}

// A tree holds entries in order. The entries of leaf n begin at n × leafSize in keys and objects.
// The directory lists the leaves in order.
type tree struct {
	keys    []uint64
	objects []uint32
	sizes   []uint32 // per leaf: its number of entries

	leaves     int      // includes leaves that have become empty
	lows       []uint64 // per place: the key of the lowest entry that the leaf may have;
	lowObjects []uint32 // its object; unspecified for the first leaf
	at         []uint32 // the leaf
	last       int      // the place of the last change
	valid      bool
}

// leavesFor returns the room for leaves in a tree of n entries: twice as many as new ones.
func leavesFor(n int) int { return 2*n/leafFill + 8 }

// carve cuts a tree for n entries.
func (t *tree) carve(c *Cutter, n int) {
	n = leavesFor(n)
	t.keys = Cut[uint64](c, n*leafSize)
	t.objects = Cut[uint32](c, n*leafSize)
	t.sizes = Cut[uint32](c, n)
	t.lows, t.lowObjects = Cut[uint64](c, n), Cut[uint32](c, n)
	t.at = Cut[uint32](c, n)
	t.leaves, t.valid = 0, false
}

// A place is the position of an entry, or the position where it belongs.
type place struct {
	leaf int // in the directory
	i    int // in the leaf
}

// before returns the number of ascending keys below a key. It takes the same steps for any key, and
// the compiler turns its branch into a conditional move: hot path.
func before(keys []uint64, key uint64) int {
	base, n := 0, len(keys)
	for n > 1 {
		half := n >> 1
		next := base + half
		if keys[next-1] < key {
			base = next
		}
		n -= half
	}
	if n == 1 && keys[base] < key {
		base++
	}
	return base
}

// beforeEntry is before for entries.
func beforeEntry(keys []uint64, objects []uint32, e entry) int {
	i := before(keys, e.key)
	if e.object == 0 || i == len(keys) || keys[i] != e.key || objects[i] >= e.object {
		return i
	}
	end := len(keys)
	if e.key != math.MaxUint64 {
		end = i + before(keys[i:], e.key+1)
	}
	n, _ := slices.BinarySearch(objects[i:end], e.object)
	return i + n
}

// leafOf returns the place of an entry's leaf in the directory.
func (t *tree) leafOf(e entry) int {
	lows, objects := t.lows[1:t.leaves], t.lowObjects[1:t.leaves]
	return beforeEntry(lows, objects, entry{e.key, e.object + 1})
}

// near is leafOf for changes, which come in order: it first tries the leaf of the last change, and
// the next one.
func (t *tree) near(e entry) int {
	for range 2 {
		if t.last == 0 || e.compare(t.low(t.last)) >= 0 {
			if t.last+1 >= t.leaves || e.compare(t.low(t.last+1)) < 0 {
				return t.last
			}
			t.last++
		}
	}
	t.last = t.leafOf(e)
	return t.last
}

// low returns the lowest entry that a leaf, except the first, may have.
func (t *tree) low(place int) entry { return entry{t.lows[place], t.lowObjects[place]} }

// seek returns the place of the first entry that is not before e. It may be behind the end of its
// leaf.
func (t *tree) seek(e entry) place {
	if t.leaves == 0 {
		return place{}
	}
	return t.place(e, t.leafOf(e))
}

// place is seek in a leaf.
func (t *tree) place(e entry, leaf int) place {
	keys, objects := t.leaf(leaf)
	return place{leaf, beforeEntry(keys, objects, e)}
}

// leaf returns the entries of the leaf at a place of the directory.
func (t *tree) leaf(place int) (keys []uint64, objects []uint32) {
	n := t.at[place]
	from := int(n) * leafSize
	to := from + int(t.sizes[n])
	return t.keys[from:to], t.objects[from:to]
}

// get returns the entry at a place. Behind the end of a leaf it moves the place to the next entry.
func (t *tree) get(p *place) (e entry, ok bool) {
	for p.leaf < t.leaves {
		n := t.at[p.leaf]
		if p.i < int(t.sizes[n]) {
			i := int(n)*leafSize + p.i
			return entry{t.keys[i], t.objects[i]}, true
		}
		p.leaf, p.i = p.leaf+1, 0
	}
	return entry{}, false
}

// remove removes an entry. It returns false if there is no such entry.
func (t *tree) remove(e entry) bool {
	p := t.place(e, t.near(e))
	if found, ok := t.get(&p); !ok || found != e {
		return false
	}
	n := t.at[p.leaf]
	keys, objects := t.leaf(p.leaf)
	copy(keys[p.i:], keys[p.i+1:])
	copy(objects[p.i:], objects[p.i+1:])
	t.sizes[n]--
	return true
}

// insert inserts an entry. It returns false if there is no leaf left; then everything must be
// derived.
func (t *tree) insert(e entry) bool {
	p := t.place(e, t.near(e))
	if t.sizes[t.at[p.leaf]] == leafSize {
		if !t.split(p.leaf) {
			return false
		}
		p = t.place(e, t.near(e))
	}
	t.sizes[t.at[p.leaf]]++
	keys, objects := t.leaf(p.leaf)
	copy(keys[p.i+1:], keys[p.i:])
	copy(objects[p.i+1:], objects[p.i:])
	keys[p.i], objects[p.i] = e.key, e.object
	return true
}

// split moves the upper half of a full leaf to a new leaf.
func (t *tree) split(place int) bool {
	if t.leaves == len(t.sizes) {
		return false
	}
	n := uint32(t.leaves)
	keys, objects := t.leaf(place)
	const half = leafSize / 2
	t.sizes[t.at[place]], t.sizes[n] = half, leafSize-half
	t.leaves++
	place++
	copy(t.at[place+1:t.leaves], t.at[place:])
	copy(t.lows[place+1:t.leaves], t.lows[place:])
	copy(t.lowObjects[place+1:t.leaves], t.lowObjects[place:])
	t.at[place], t.lows[place], t.lowObjects[place] = n, keys[half], objects[half]
	copy(t.keys[n*leafSize:], keys[half:])
	copy(t.objects[n*leafSize:], objects[half:])
	return true
}

// fill fills the tree with entries in order.
func (t *tree) fill(keys []uint64, objects []uint32) {
	t.leaves = max(1, (len(keys)+leafFill-1)/leafFill)
	t.last = 0
	for n := range t.leaves {
		from := n * leafFill
		size := min(leafFill, len(keys)-from)
		copy(t.keys[n*leafSize:], keys[from:from+size])
		copy(t.objects[n*leafSize:], objects[from:from+size])
		t.at[n], t.sizes[n] = uint32(n), uint32(size)
		if size > 0 {
			t.lows[n], t.lowObjects[n] = keys[from], objects[from]
		}
	}
}
