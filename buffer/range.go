package buffer

import "github.com/flatecs/flatecs/unsafeutil"

const (
	hugePage   = 2 << 20 // bytes
	hugeFrom   = 4 << 20 // bytes in use from which huge pages pay
	hugeRanges = 16      // of one Range: each may split its mapping in three
	heapMost   = 4 << 20 // bytes that stay in Go's heap
)

// A Range is a stretch of addresses for the bytes of a world, or of a copy of one. Up to 4 MB lie
// in Go's heap, and all of them where the race detector runs, which sees nothing else. More are
// reserved: the machine gives a page when it is first written, and [Range.Free] alone gives them
// back. Copies of a Range are not meant to be made: hold its address.
type Range struct {
	Bytes  []byte // all of it, zeros where nothing was written
	mapped []byte // Bytes, unless they are Go's
	small  bool   // no huge pages are asked for
	huge   int    // ranges for which huge pages were asked for
	maker
}

// Reserve returns a Range of n zeroed bytes that start on a multiple of Align, so many of which
// will be written for sure, or false: there are not so many addresses, or those to be written, or
// all of them in Go's heap, are more than [Memory].
func Reserve(n, written int) (*Range, bool) {
	if int64(n) > MaxSize || written > heapMost && int64(written) > Memory() {
		return nil, false
	}
	if n <= heapMost || instrumented || !mappable {
		b, ok := New(n)
		return &Range{Bytes: b}, ok
	}
	b, ok := mapBytes(n)
	if !ok {
		return nil, false
	}
	r := &Range{Bytes: b[:n:n], mapped: b}
	r.watch(r)
	return r, true
}

// Mapped reports whether the bytes end by [Range.Free], and not when nobody has them any more.
func (r *Range) Mapped() bool { return r.mapped != nil }

// Small says whether huge pages are never asked for: what is written here and there takes no more
// than it has to then.
func (r *Range) Small(small bool) { r.small = small }

// Free gives mapped bytes back: whoever reads them from now on ends the program. It may be called
// again, and of nil.
func (r *Range) Free() {
	if r == nil {
		return
	}
	if r.mapped != nil {
		r.closed()
		unmapBytes(r.mapped)
	}
	r.Bytes, r.mapped = nil, nil
}

// Use says that the bytes from lo to hi will be used from the first on, so many of them by now, and
// returns how many may be used before it is to be asked again. It makes them ready to be written;
// from 4 MB in use on it asks for huge pages for them all.
func (r *Range) Use(lo, hi, used int) int {
	if r.mapped == nil {
		return hi - lo
	}
	ready := commitBytes(r.mapped[lo:hi], used)
	if !hugePages || hi-lo < hugeFrom {
		return ready
	}
	if used < hugeFrom {
		return min(ready, hugeFrom-1)
	}
	if !r.small && r.huge < hugeRanges {
		r.huge++
		adviseHuge(r.mapped[lo:hi])
	}
	return ready
}

// Open makes the bytes from lo to hi ready to be written, without memory where the machine gives
// that as they are.
func (r *Range) Open(lo, hi int) {
	if r.mapped != nil && lo < hi {
		commitBytes(r.mapped[lo:hi], hi-lo)
	}
}

// Fill is Use of all bytes from lo to hi, which have their pages when it returns.
func (r *Range) Fill(lo, hi int) {
	if r.mapped != nil && lo < hi {
		r.Use(lo, hi, hi-lo)
		populate(r.mapped[lo:hi])
	}
}

// touch writes to each page of zeroed bytes, so that it is there.
func touch(b []byte) {
	for i := 0; i < len(b); i += page {
		b[i] = 0
	}
	b[len(b)-1] = 0
}

// page is the smallest page that any machine has. Bytes.
const page = 4 << 10

// LittleEndian reports whether this machine's bytes are the world's bytes.
func LittleEndian() bool { return unsafeutil.LittleEndian() }
