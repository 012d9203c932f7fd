package buffer

import "github.com/flatecs/flatecs/unsafeutil"

const (
	hugePage   = 2 << 20 // bytes
	hugeFrom   = 4 << 20 // bytes in use from which huge pages are faster
	hugeRanges = 16      // of one Range: each may split its mapping in three
	heapMost   = 4 << 20 // larger Ranges are mapped
)

// A Range is a range of addresses for the bytes of a world, or of a copy of a world. Up to 4 MB are
// in Go's heap, as is any size with the race detector, which does not see mapped memory. More are
// reserved: pages are committed when first written, and only [Range.Free] releases them, or keeps
// them for the next Range of the same size: at most 16 Ranges, and 64 MB in all. Do not copy a
// Range.
type Range struct {
	Bytes  []byte // all of it, zero until written
	mapped []byte // Bytes, unless they are in Go's heap
	small  bool   // never ask for huge pages
	huge   int    // ranges with huge pages so far
	maker
}

// Reserve returns a Range of n zeroed bytes aligned to Align, of which written will certainly be
// used. It returns false if there are not enough addresses, or if more bytes than [Memory] would be
// used.
func Reserve(n, written int) (*Range, bool) {
	r, ok := reserve(n, written)
	if !ok && spares.drop() {
		r, ok = reserve(n, written)
	}
	return r, ok
}

func reserve(n, written int) (*Range, bool) {
	if int64(n) > MaxSize || written > heapMost && int64(written) > Memory() {
		return nil, false
	}
	if n <= heapMost || instrumented || !mappable {
		b, ok := New(n)
		return &Range{Bytes: b}, ok
	}
	if !addressable(n) {
		return nil, false
	}
	s, ok := spares.take(n)
	if !ok {
		s.bytes, ok = mapBytes(n)
	}
	if !ok {
		return nil, false
	}
	r := &Range{Bytes: s.bytes[:n:n], mapped: s.bytes, huge: s.huge}
	r.watch(r)
	return r, true
}

// Over returns a Range of the first n bytes of b, which the caller owns: Free does not release
// them. It returns false if b is shorter, or is not aligned to Align.
func Over(b []byte, n int) (*Range, bool) {
	if len(b) < n || unsafeutil.Address(b)%Align != 0 {
		return nil, false
	}
	return &Range{Bytes: b[:n:n]}, true
}

// Mapped reports whether the bytes are released by [Range.Free], not by the garbage collector.
func (r *Range) Mapped() bool { return r.mapped != nil }

// Small sets whether huge pages are never used, so that sparse writes take little memory.
func (r *Range) Small(small bool) {
	if r.small = small; small && r.huge > 0 { // another Range used the memory before
		adviseSmall(r.mapped)
		r.huge = 0
	}
}

// Free releases mapped bytes, or keeps them for the next Range. Reading them afterwards crashes the
// program, or shows bytes of that Range; with -tags ecsdebug, which keeps none, it always crashes.
// Free may be called twice, and on nil.
func (r *Range) Free() {
	if r == nil {
		return
	}
	if r.mapped != nil {
		r.closed()
		spares.put(spare{bytes: r.mapped, huge: r.huge})
	}
	r.Bytes, r.mapped = nil, nil
}

// Use announces that the bytes in [lo, hi) will be used in order, and that used of them are in use
// now. It makes them writable, and returns how many may be used before the next call. From 4 MB in
// use on it asks for huge pages for all of them.
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

// Open makes the bytes in [lo, hi) writable, without committing memory if the system allows it.
func (r *Range) Open(lo, hi int) {
	if r.mapped != nil && lo < hi {
		commitBytes(r.mapped[lo:hi], hi-lo)
	}
}

// Fill calls Use for all bytes in [lo, hi), and commits their pages.
func (r *Range) Fill(lo, hi int) {
	if r.mapped != nil && lo < hi {
		r.Use(lo, hi, hi-lo)
		populate(r.mapped[lo:hi])
	}
}

// Commit commits the pages of the bytes in [lo, hi), which will be written next: in one call, where
// writing to them takes one fault per page. It changes no byte. Systems without such a call commit
// pages as they are written.
func (r *Range) Commit(lo, hi int) {
	if r.mapped != nil && lo < hi {
		commitPages(r.mapped, lo, hi)
	}
}

// touch writes to each page of zeroed bytes, to commit it.
func touch(b []byte) {
	for i := 0; i < len(b); i += page {
		b[i] = 0
	}
	b[len(b)-1] = 0
}

// page is the smallest page size of any machine, in bytes.
const page = 4 << 10

// LittleEndian reports whether this machine is little-endian, as worlds are.
func LittleEndian() bool { return unsafeutil.LittleEndian() }
