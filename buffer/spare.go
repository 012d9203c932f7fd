package buffer

import (
	"slices"
	"sync"
)

// Limits of the freed mappings that are kept: reusing a page costs a few percent of getting one
// from the system.
const (
	spareMost  = 16       // mappings
	spareBytes = 64 << 20 // of memory, in sum
	spareRange = 1 << 30  // addresses of one: finding its memory takes time in proportion
)

// A spare is a mapping of zeros that a Range used before.
type spare struct {
	bytes    []byte
	resident int // bytes with memory
	huge     int // as in Range
}

// spares are the mappings that this program keeps, the oldest first.
var spares spareList

type spareList struct {
	sync.Mutex

	list     []spare
	resident int // in sum
}

// take returns a mapping of n bytes, if there is one of that size.
func (l *spareList) take(n int) (s spare, ok bool) {
	l.Lock()
	defer l.Unlock()
	for i, s := range slices.Backward(l.list) {
		if len(s.bytes) == n {
			return l.remove(i), true
		}
	}
	return spare{}, false
}

// put keeps a mapping that is no longer used, or unmaps it.
func (l *spareList) put(s spare) {
	ok := keepsSpares && !scarce && len(s.bytes) <= spareRange
	if ok {
		s.resident, ok = zeroResident(s.bytes, spareBytes)
	}
	if !ok {
		unmapBytes(s.bytes)
		return
	}
	l.Lock()
	defer l.Unlock()
	l.list, l.resident = append(l.list, s), l.resident+s.resident
	for len(l.list) > spareMost || l.resident > spareBytes {
		unmapBytes(l.remove(0).bytes)
	}
}

// drop unmaps all mappings, and reports whether there were any.
func (l *spareList) drop() bool {
	l.Lock()
	defer l.Unlock()
	more := len(l.list) > 0
	for len(l.list) > 0 {
		unmapBytes(l.remove(0).bytes)
	}
	return more
}

// remove takes mapping i off the list.
func (l *spareList) remove(i int) spare {
	s := l.list[i]
	l.list = append(l.list[:i], l.list[i+1:]...)
	l.list[:len(l.list)+1][len(l.list)] = spare{}
	l.resident -= s.resident
	return s
}
