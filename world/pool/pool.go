package pool

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// ErrTaken is the error of a pool without free worlds.
var ErrTaken = errors.New("no world is left; put some back, or make the pool larger")

// A Pool is a set of worlds of equal counts, some of them taken.
type Pool struct {
	first world.State // what worlds are when they are taken
	bytes []byte      // of all worlds, one after the other; nil: each has its own
	size  int         // bytes of a world there
	free  func()      // releases bytes

	mutex sync.Mutex
	slots []slot
	left  []int32         // slots that are not taken, as a stack
	where map[*byte]int32 // slots, by their first bytes
	spare []int32         // for the slots of a call of Step
}

// A slot is a world's place.
type slot struct {
	state world.State // while it is not taken
	at    *byte       // the first byte of the world
	taken bool
	steps bool // in a call of Step
}

// New returns a pool of n copies of s; s is unchanged. Go values are copied, but not the memory to
// which they point. The error is that of [world.Clone]. It panics if n is not positive.
func New(s world.State, n int) (*Pool, error) {
	if n <= 0 {
		panic(fmt.Sprintf("pool: New of %d worlds; a pool has at least one", n))
	}
	const align = 64
	size := (len(world.Bytes(s)) + align - 1) &^ (align - 1)
	if int64(n) > tool.Memory()/int64(size) {
		return nil, tooMany(n, size)
	}
	first, err := world.Clone(s)
	if err != nil {
		return nil, err
	}
	p := &Pool{
		first: first, size: size, free: func() {},
		slots: make([]slot, n), left: make([]int32, 0, n), where: make(map[*byte]int32, n),
	}
	if flat(s) {
		if p.bytes, p.free = tool.Reserve(n * p.size); p.bytes == nil {
			p.Close()
			return nil, tooMany(n, size)
		}
	}
	for i := n - 1; i >= 0; i-- { // the first one is taken first
		if err := p.fill(int32(i)); err != nil {
			p.Close()
			return nil, err
		}
		p.left = append(p.left, int32(i))
	}
	return p, nil
}

func tooMany(n, size int) error {
	return fmt.Errorf("pool: %d worlds of %d bytes: %w; make fewer, or with lower counts", n, size,
		systems.ErrMemory)
}

// fill resets the world of a slot.
func (p *Pool) fill(i int32) (err error) {
	s := &p.slots[i]
	if p.bytes == nil {
		s.state, err = world.Clone(p.first)
	} else {
		b := p.bytes[int(i)*p.size:][:p.size]
		clear(b)
		s.state, err = systems.CloneIn(p.first, b)
	}
	if err != nil {
		return err
	}
	delete(p.where, s.at)
	s.at = &world.Bytes(s.state)[0]
	p.where[s.at] = i
	return nil
}

// flat reports whether all of a world is bytes.
func flat(s world.State) bool {
	for _, k := range world.CountsOf(s).Complete().Kinds {
		if k.Kind.Spec().Values != nil {
			return false
		}
	}
	return true
}

// Close closes all worlds of the pool, also those that are taken; see [world.Close]. Closing twice
// is allowed. It panics while a call of Step steps some.
func (p *Pool) Close() {
	if p == nil {
		panic(notMade)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for i := range p.slots {
		if p.slots[i].steps {
			panic("pool: Close while worlds are stepped; close it after Step")
		}
	}
	for i := range p.slots {
		systems.Discard(p.slots[i].state)
	}
	systems.Discard(p.first)
	if p.slots, p.left, p.where, p.bytes = nil, nil, nil, nil; p.free != nil {
		p.free()
	}
	p.free = nil
}

const notMade = "pool: this Pool was closed, or not made; make one by New, and close it at last"

// made returns p. It panics if that is no pool.
func (p *Pool) made() *Pool {
	if p == nil || p.free == nil {
		panic(notMade)
	}
	return p
}

// Left returns how many worlds are not taken.
func (p *Pool) Left() int {
	p.made().mutex.Lock()
	defer p.mutex.Unlock()
	return len(p.left)
}

// Take returns a world that is as the first one was. The error wraps [ErrTaken].
func (p *Pool) Take() (world.State, error) {
	p.made().mutex.Lock()
	defer p.mutex.Unlock()
	if err := p.room(1); err != nil {
		return world.State{}, err
	}
	return p.take(), nil
}

// room returns nil if n worlds can be taken.
func (p *Pool) room(n int) error {
	if n > len(p.left) {
		return fmt.Errorf("pool: %d of %d worlds are taken, and %d more are asked for: %w",
			len(p.slots)-len(p.left), len(p.slots), n, ErrTaken)
	}
	return nil
}

// take takes a world that is left.
func (p *Pool) take() world.State {
	last := len(p.left) - 1
	s := &p.slots[p.left[last]]
	p.left = p.left[:last]
	s.taken = true
	return s.state
}

// Put puts a world back that was taken, and uses it up. It panics if it is none of the pool, was
// put back already, is being stepped, or a walk of it is open.
func (p *Pool) Put(s world.State) {
	b := bytesOf("Put", s)
	p.made().mutex.Lock()
	defer p.mutex.Unlock()
	i := p.slotOf("Put", b)
	slot := &p.slots[i]
	if slot.steps {
		panic("pool: Put of a world that is being stepped; put it back after Step")
	}
	s, err := systems.RestoreFrom(s, p.first)
	if err != nil {
		panic(err)
	}
	slot.state, slot.taken = s, false
	p.left = append(p.left, i)
}

// bytesOf returns the bytes of a world. It panics if the State is stale.
func bytesOf(what string, s world.State) []byte {
	defer func() {
		if v := recover(); v != nil {
			panic("pool: " + what + ": " + strings.TrimPrefix(fmt.Sprint(v), "flatecs: ") +
				"; a world that was put back must be taken again")
		}
	}()
	return world.Bytes(s)
}

// slotOf returns the slot of a world that is taken, by its bytes.
func (p *Pool) slotOf(what string, b []byte) int32 {
	i, ok := p.where[&b[0]]
	if !ok {
		panic("pool: " + what + " of a world that is none of this pool; it was taken from " +
			"another one, or is to be closed by world.Close")
	}
	if !p.slots[i].taken {
		panic("pool: " + what + " of a world that was put back; take one again")
	}
	return i
}

// Fork takes n worlds, makes each of them what from is now, and appends them to dst. from is a
// world of the pool or another one of the same counts, and is unchanged; it may be forked by
// several goroutines at once. The error wraps [ErrTaken], [world.ErrWalking] or
// [systems.ErrOther]; then no world is taken.
func (p *Pool) Fork(dst []world.State, from world.State, n int) ([]world.State, error) {
	if n < 0 {
		panic(fmt.Sprintf("pool: Fork to %d worlds; a number is positive, or 0", n))
	}
	p.made().mutex.Lock()
	if err := p.room(n); err != nil {
		p.mutex.Unlock()
		return dst, err
	}
	had := len(dst)
	for range n {
		dst = append(dst, p.take())
	}
	p.mutex.Unlock()
	for i := range dst[had:] {
		s, err := Copy(dst[had+i], from)
		if err != nil {
			for _, s := range dst[had:] { // all of them: it is from that is wrong
				p.Put(s)
			}
			return dst[:had], err
		}
		dst[had+i] = s
	}
	return dst, nil
}

// Copy copies the world from into s, another world of the same counts: [Pool.Fork] into an existing
// world. The error wraps [world.ErrWalking] or [systems.ErrOther].
func Copy(s, from world.State) (world.State, error) { return systems.RestoreFrom(s, from) }
