package share

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
)

// A Reader reads a world that another program publishes. It belongs to one goroutine.
type Reader struct {
	file   *os.File
	bytes  []byte
	words  []uint64
	slot   int // size in bytes
	slots  []world.State
	attach func(b []byte) (world.State, error)
	frame  Frame
}

// A Frame is a pinned slot.
type Frame struct {
	reader *Reader
	slot   int
	number uint64
	state  world.State
}

// Open opens the file of a [Publisher], for worlds of these counts, in the same order, as
// [memory.Attach] requires; [OpenAny] takes the kinds from the file. Open returns the errors of the
// file system and of [memory.Attach], and [ErrFormat], wrapped.
func Open(path string, c world.Counts) (*Reader, error) {
	return open(path, func(b []byte) (world.State, error) { return memory.Attach(c, b) })
}

// OpenAny is [Open] for worlds with unknown kinds: it reads the kinds from the file, as
// [memory.Read] does.
func OpenAny(path string) (*Reader, error) { return open(path, nil) }

func open(path string, attach func([]byte) (world.State, error)) (*Reader, error) {
	f, _, err := failure.Open("share", path, published)
	if err != nil {
		return nil, err
	}
	return newReader(f, attach)
}

// newReader takes over f, also if it fails.
func newReader(f *os.File, attach func([]byte) (world.State, error)) (*Reader, error) {
	r := &Reader{file: f, attach: attach}
	if err := r.begin(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Reader) begin() error {
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size < page || size != int64(int(size)) {
		return wrap(ErrFormat, "%s has %d bytes", r.file.Name(), size)
	}
	if r.bytes, err = mapping.Map(r.file, int(size), mapping.Read); err != nil {
		return failure.About("share", r.file.Name(), err, published)
	}
	b := r.bytes
	slot, slots := little.Uint64(b[atSlot:]), little.Uint64(b[atSlots:])
	room := uint64(size - page)
	switch {
	case string(b[:8]) != magic || little.Uint32(b[atOrder:]) != byteOrder:
		return wrap(ErrFormat, "%s begins with %q", r.file.Name(), b[:16])
	case little.Uint32(b[atVersion:]) != version:
		return wrap(ErrFormat, "%s has version %d, and this program knows %d; update it",
			r.file.Name(), little.Uint32(b[atVersion:]), version)
	case slots < 2 || slots > maxSlots || slot == 0 || slot%page != 0 || slot > room/slots:
		return wrap(ErrFormat, "%s: %d slots of %d bytes in %d", r.file.Name(), slots, slot, size)
	}
	r.slot, r.slots = int(slot), make([]world.State, slots)
	r.words = tool.Words(b[:page])
	head, err := memory.Read(r.memory(0))
	if err == nil && r.attach == nil {
		r.attach = head.Attach
	}
	return err
}

func (r *Reader) memory(slot int) []byte { return r.bytes[page+slot*r.slot:][:r.slot] }

// Writing reports whether the publisher is alive and open.
func (r *Reader) Writing() bool {
	held, err := mapping.Held(r.mustBeOpen().file, lockWriter)
	return err == nil && held
}

// Pin pins the latest frame: its bytes do not change, and its State is valid, until Unpin. A Reader
// pins one frame at a time: Pin unpins the previous one. Pin returns [ErrNone], wrapped, and the
// errors of [memory.Attach].
func (r *Reader) Pin() (*Frame, error) {
	r.mustBeOpen().frame.Unpin()
	for range 100 * len(r.slots) {
		latest := atomic.LoadUint64(&r.words[atLatest/8])
		k := int(latest & 0xff)
		if latest == 0 || k >= len(r.slots) {
			break
		}
		ok, err := mapping.Lock(r.file, lockSlots+int64(k), mapping.Reading)
		if err != nil {
			return nil, fmt.Errorf("share: locking slot %d: %w", k, err)
		}
		if !ok {
			runtime.Gosched()
			continue // it stopped being the latest
		}
		if n := atomic.LoadUint64(&r.words[atFrames/8+k]); n&1 == 0 && n != 0 {
			return r.pinned(k, n/2)
		}
		r.unlock(k)
	}
	return nil, wrap(ErrNone, "in %s; try again after the next", r.file.Name())
}

// pinned returns the frame in a locked slot.
func (r *Reader) pinned(k int, number uint64) (*Frame, error) {
	r.frame = Frame{reader: r, slot: k, number: number}
	if r.slots[k] == (world.State{}) {
		s, err := r.attach(r.memory(k))
		if err != nil {
			r.frame.Unpin()
			return nil, err
		}
		r.slots[k] = s
	}
	r.frame.state = r.slots[k]
	if err := tool.CheckCounters(r.frame.state); err != nil {
		r.frame.Unpin()
		return nil, wrap(ErrFormat, "%v", err)
	}
	return &r.frame, nil
}

// State returns the world of the frame, for reading: calls that write panic with
// [memory.ErrReadOnly]. The State is valid until Unpin; State panics after that.
func (f *Frame) State() world.State {
	if f == nil || f.reader == nil {
		panic("share: this Frame is nil, or was unpinned; get one by Pin, and look before Unpin")
	}
	return f.state
}

// Number returns the number of the frame, from 1.
func (f *Frame) Number() uint64 { f.State(); return f.number }

// Unpin releases the slot to the publisher. Unpinning twice is allowed.
func (f *Frame) Unpin() {
	if f == nil || f.reader == nil {
		return
	}
	r, k := f.reader, f.slot
	if f.state != (world.State{}) {
		r.slots[k] = systems.Anew(f.state)
	}
	*f = Frame{}
	r.unlock(k)
}

func (r *Reader) unlock(k int) {
	_, _ = mapping.Lock(r.file, lockSlots+int64(k), mapping.Free) // cannot fail: the file is open
}

// Close ends reading, and invalidates the States of all frames. Closing twice is allowed.
func (r *Reader) Close() error {
	if r == nil {
		panic(noReader)
	}
	if r.file == nil {
		return nil
	}
	r.frame.Unpin()
	for _, s := range r.slots {
		if s != (world.State{}) {
			world.Close(s)
		}
	}
	var err error
	if r.bytes != nil {
		err = mapping.Unmap(r.bytes)
	}
	err = errors.Join(err, r.file.Close())
	*r = Reader{}
	return err
}

const noReader = "share: this Reader is nil, closed, or was not made; get one by Open"

func (r *Reader) mustBeOpen() *Reader {
	if r == nil || r.file == nil {
		panic(noReader)
	}
	return r
}
