package share

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/memory"
)

// Options are the options of a [Publisher].
type Options struct {
	Slots int // copies of the world: readers + 2, at most 64; 0: 4
}

// A Publisher shows a world to other programs. It belongs to the goroutine that steps the world.
type Publisher struct {
	file    *os.File
	bytes   []byte
	words   []uint64
	slots   []*world.Snapshot
	frame   uint64 // latest
	latest  int    // slot of the latest frame
	skipped uint64
}

// Publish creates a file that shows the world of s to other programs, and later each offered world
// with the same counts. It replaces an existing regular file, whose readers keep the old one; other
// kinds of files are refused. Prefer a folder in memory, such as /dev/shm. Publish returns the
// errors of the file system and of [memory.NewSnapshot], and [errors.ErrUnsupported], wrapped.
func Publish(path string, s world.State, o Options) (*Publisher, error) {
	if info, err := os.Lstat(path); err == nil {
		if err := failure.Regular("share", info); err != nil {
			return nil, unpublished(path, err)
		}
	}
	f, err := createTemp(filepath.Dir(path))
	if err != nil {
		return nil, unpublished(path, err)
	}
	name := f.Name()
	p, err := publishIn(f, s, o)
	if err == nil {
		if err = os.Rename(name, path); err != nil {
			err = errors.Join(err, p.Close())
		}
	}
	if err != nil {
		return nil, unpublished(path, errors.Join(err, os.Remove(name)))
	}
	return p, nil
}

const temporary = ".publishing." // and a number

// createTemp creates a file in a folder, and locks it for its publisher. It removes those that
// killed publishers left there.
func createTemp(dir string) (*os.File, error) {
	left, _ := fs.Glob(os.DirFS(dir), temporary+"*")
	for _, name := range left {
		name = filepath.Join(dir, name)
		if f, _, err := failure.Open("share", name, published); err == nil { // of this user
			if free, _ := mapping.Lock(f, lockWriter, mapping.Reading); free {
				_ = os.Remove(name)
			}
			_ = f.Close()
		}
	}
	for {
		f, err := os.CreateTemp(dir, temporary+"*")
		if err != nil {
			return nil, err
		}
		locked, err := mapping.Lock(f, lockWriter, mapping.Writing)
		if err != nil {
			return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
		if _, err = os.Lstat(f.Name()); locked && err == nil {
			return f, nil
		}
		_ = f.Close() // another publisher removed it before the lock was taken
	}
}

func unpublished(path string, err error) error {
	return failure.About("share", path, err, "publish where a file can be written")
}

// sizeOf checks the options, and returns the size of the file in bytes.
func sizeOf(s world.State, o *Options) (int, error) {
	o.Slots = cmp.Or(o.Slots, usual)
	if o.Slots < 2 || o.Slots > maxSlots {
		return 0, fmt.Errorf("share: Options.Slots is %d; give 2 to %d, two more than readers",
			o.Slots, maxSlots)
	}
	slot, err := memory.SizeOf(world.CountsOf(s))
	return page + o.Slots*((slot+page-1)&^(page-1)), err
}

// publishIn takes over f, also if it fails.
func publishIn(f *os.File, s world.State, o Options) (p *Publisher, err error) {
	p = &Publisher{file: f, latest: -1}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
			p = nil
		}
	}()
	size, err := sizeOf(s, &o)
	if err == nil {
		used := page + o.Slots*world.Used(s)
		err = failure.Sized(mapping.Grow(f, size, used), int64(used))
	}
	if err != nil {
		return p, err
	}
	if p.bytes, err = mapping.Map(f, size, mapping.Shared); err != nil {
		return p, unpublished(f.Name(), err)
	}
	slot := (size - page) / o.Slots
	for k := range o.Slots {
		snapshot, err := memory.NewSnapshot(s, p.bytes[page+k*slot:][:slot])
		if err != nil {
			return p, err
		}
		p.slots = append(p.slots, snapshot)
	}
	p.words = tool.Words(p.bytes[:page])
	little.PutUint32(p.bytes[atOrder:], byteOrder)
	little.PutUint32(p.bytes[atVersion:], version)
	little.PutUint64(p.bytes[atSlot:], uint64(slot))
	little.PutUint64(p.bytes[atSlots:], uint64(o.Slots))
	copy(p.bytes, magic)
	return p, nil
}

// Offer publishes the world of s as the latest frame. It copies rows stamped since the slot was
// last used, allocates nothing, and never waits: if readers pin every slot, it returns [ErrPinned],
// wrapped, and the previous frame stays the latest. Recorded commands are not included. Offer also
// returns the errors of Snapshot.Take.
func (p *Publisher) Offer(s world.State) error {
	k, err := p.mustBeOpen().free()
	if err != nil {
		return err
	}
	n := p.frame + 1
	at := &p.words[atFrames/8+k]
	atomic.StoreUint64(at, 2*n+1)
	err = p.slots[k].Take(s)
	if err == nil {
		atomic.StoreUint64(at, 2*n)
	} else {
		atomic.StoreUint64(at, 1) // no frame
	}
	_, unlock := mapping.Lock(p.file, lockSlots+int64(k), mapping.Free)
	if err := errors.Join(err, unlock); err != nil {
		return err
	}
	atomic.StoreUint64(&p.words[atLatest/8], n<<8|uint64(k)) // readers can lock it now
	p.frame, p.latest = n, k
	return nil
}

// free locks a slot that no reader has pinned and that is not the latest.
func (p *Publisher) free() (int, error) {
	for i := range len(p.slots) {
		k := (p.latest + 1 + i) % len(p.slots)
		if k == p.latest {
			continue
		}
		switch ok, err := mapping.Lock(p.file, lockSlots+int64(k), mapping.Writing); {
		case err != nil:
			return 0, fmt.Errorf("share: locking slot %d: %w", k, err)
		case ok:
			return k, nil
		}
	}
	p.skipped++
	return 0, wrap(ErrPinned, "%d slots; give two more than there are readers", len(p.slots))
}

// Counts returns the numbers of published frames, and of frames skipped because every slot was
// pinned.
func (p *Publisher) Counts() (published, skipped uint64) { return p.mustBeOpen().frame, p.skipped }

// Close ends publishing. The file stays, with the last frame. Closing twice is allowed.
func (p *Publisher) Close() error {
	if p == nil {
		panic(noPublisher)
	}
	if p.file == nil {
		return nil
	}
	for _, snapshot := range p.slots {
		snapshot.Close()
	}
	var err error
	if p.bytes != nil {
		err = mapping.Unmap(p.bytes)
	}
	err = errors.Join(err, p.file.Close())
	*p = Publisher{}
	return err
}

const noPublisher = "share: this Publisher is nil, closed, or was not made; make one by Publish"

func (p *Publisher) mustBeOpen() *Publisher {
	if p == nil || p.file == nil {
		panic(noPublisher)
	}
	return p
}
