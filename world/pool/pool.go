package pool

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// ErrTaken is the error of a pool without free worlds.
var ErrTaken = errors.New("no world is left; put some back, or make the pool larger")

// A Pool is a set of worlds of equal counts, some of them taken.
type Pool struct {
	first world.State // the contents of a world when it is taken
	bytes []byte      // of all worlds, contiguous; nil: each has its own
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
// which they point. It returns the errors of [world.Clone]. It panics if n is not positive.
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
	for i := n - 1; i >= 0; i-- { // so that the first one is taken first
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

// flat reports whether a world consists of bytes only.
func flat(s world.State) bool {
	for _, k := range world.CountsOf(s).Complete().Kinds {
		if k.Kind.Spec().Values != nil {
			return false
		}
	}
	return true
}

// Close closes all worlds of the pool, including taken ones; see [world.Close]. Closing twice is
// allowed. It panics during a call of Step.
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

// mustBeOpen returns p. It panics if p is nil, closed, or was not created by New.
func (p *Pool) mustBeOpen() *Pool {
	if p == nil || p.free == nil {
		panic(notMade)
	}
	return p
}

// Left returns the number of free worlds.
func (p *Pool) Left() int {
	p.mustBeOpen().mutex.Lock()
	defer p.mutex.Unlock()
	return len(p.left)
}

// Take returns a free world, equal to the first world. The error wraps [ErrTaken].
func (p *Pool) Take() (world.State, error) {
	p.mustBeOpen().mutex.Lock()
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

// take takes a free world.
func (p *Pool) take() world.State {
	last := len(p.left) - 1
	s := &p.slots[p.left[last]]
	p.left = p.left[:last]
	s.taken = true
	return s.state
}

// Put puts a taken world back, and invalidates s. It panics if s does not belong to the pool, was
// put back already, is being stepped, or has an open walk.
func (p *Pool) Put(s world.State) {
	b := bytesOf("Put", s)
	p.mustBeOpen().mutex.Lock()
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

// slotOf returns the slot of a taken world, by its bytes.
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

// Fork takes n worlds, makes each of them equal to from, and appends them to dst. from is a world
// of the pool or another world of the same counts, and is unchanged; several goroutines may fork it
// at once. The error wraps [ErrTaken], [world.ErrWalking] or [systems.ErrOther]; then no world is
// taken.
func (p *Pool) Fork(dst []world.State, from world.State, n int) ([]world.State, error) {
	if n < 0 {
		panic(fmt.Sprintf("pool: Fork to %d worlds; a number is positive, or 0", n))
	}
	bytesOf("Fork", from) // a panic later would leave worlds taken
	p.mustBeOpen().mutex.Lock()
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
			for _, s := range dst[had:] { // all of them, because from caused the error
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

// A StepError is the error of one of the worlds of [Pool.Step].
type StepError struct {
	World int   // its index
	Err   error // returned by step; for a panic, a [*systems.PanicError]
}

// Error returns the error in one line. [fmt] prints the stack of a panic only for %+v.
func (e *StepError) Error() string {
	if e == nil {
		return "pool: every world was stepped"
	}
	text := fmt.Sprint(e.Err)
	if p, ok := errors.AsType[*systems.PanicError](e.Err); ok {
		text = p.Cause()
	}
	return fmt.Sprintf("pool: world %d: %s", e.World, strings.TrimPrefix(text, "flatecs: "))
}

// Format implements [fmt.Formatter].
func (e *StepError) Format(f fmt.State, verb rune) {
	_, _ = fmt.Fprint(f, e.Error())
	if p, ok := errors.AsType[*systems.PanicError](e.Unwrap()); ok && verb == 'v' && f.Flag('+') {
		_, _ = fmt.Fprint(f, "\n\n", p.Stack)
	}
}

// Unwrap returns Err.
func (e *StepError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Step calls step once for each world of a list, on the given number of goroutines, or on as many
// as can run at the same time for 0, and sets the list to the returned States. step gets the index
// of the world, and may be called by several goroutines at once. The results do not depend on their
// number, as long as step uses nothing but its world.
//
// The other worlds are stepped even if one fails. The error joins a [*StepError] for each failed
// world, in order; errors.As finds the first one. A world whose step panicked is reset to the first
// world. Step panics if the list contains a world twice, or a world that is not taken from p.
func (p *Pool) Step(
	states []world.State, workers int, step func(i int, s world.State) (world.State, error),
) error {
	if workers < 0 || step == nil {
		panic("pool: Step needs a function, and a number of goroutines or 0; give it both")
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	r := round{Pool: p, states: states, step: step, by: len(states)/(8*workers) + 1}
	r.slots = p.mustBeOpen().begin(states)
	defer func() { p.end(r.slots) }()
	defer r.group.Wait()
	for range min(workers, (len(states)+r.by-1)/r.by) - 1 {
		r.group.Go(r.work)
	}
	r.work()
	r.group.Wait()
	slices.SortFunc(r.failed, func(a, b *StepError) int { return cmp.Compare(a.World, b.World) })
	var all []error
	for _, err := range r.failed {
		all = append(all, err)
	}
	return errors.Join(all...)
}

// begin marks worlds as being stepped, and returns their slots.
func (p *Pool) begin(states []world.State) (slots []int32) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	slots, p.spare = p.spare[:0], nil
	defer func() {
		if len(slots) < len(states) { // begin panics
			p.ended(slots)
		}
	}()
	for n, s := range states {
		i := p.slotOf("Step", bytesOf("Step", s))
		if p.slots[i].steps {
			panic(fmt.Sprintf("pool: Step of world %d, which is being stepped: it is in the list "+
				"twice, or in that of another call", n))
		}
		p.slots[i].steps = true
		slots = append(slots, i)
	}
	return slots
}

// end notes that worlds are no longer stepped.
func (p *Pool) end(slots []int32) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.ended(slots)
}

func (p *Pool) ended(slots []int32) {
	for _, i := range slots {
		p.slots[i].steps = false
	}
	p.spare = slots
}

// A round is a call of Step.
type round struct {
	*Pool
	states []world.State
	slots  []int32
	step   func(i int, s world.State) (world.State, error)
	by     int          // worlds that a goroutine takes at a time
	next   atomic.Int64 // world
	group  sync.WaitGroup
	guard  sync.Mutex
	failed []*StepError
}

// work steps worlds until all are stepped.
func (r *round) work() {
	for {
		end := int(r.next.Add(int64(r.by)))
		r.some(end-r.by, min(end, len(r.states)))
		if end >= len(r.states) {
			return
		}
	}
}

// some steps the worlds [n, end). If a step ends the goroutine, another one continues.
func (r *round) some(n, end int) {
	defer func() {
		if n < end {
			r.group.Go(func() { r.some(n+1, end) })
		}
	}()
	for ; n < end; n++ {
		r.one(n)
	}
}

// one steps a world, and records its error.
func (r *round) one(n int) {
	var err error
	returned := false
	defer func() {
		if v := recover(); v != nil || !returned {
			err = r.renew(n, cmp.Or[any](v, "step ended its goroutine; return from it, or panic"))
		}
		if err != nil {
			r.guard.Lock()
			defer r.guard.Unlock()
			r.failed = append(r.failed, &StepError{n, err})
		}
	}()
	s, err := r.step(n, r.states[n])
	if s == (world.State{}) {
		panic("step returned the zero State; return that of its last call, also with an error")
	}
	if &world.Bytes(s)[0] != r.Pool.slots[r.slots[n]].at {
		panic("step returned the State of another world")
	}
	r.states[n], returned = s, true
}

// renew resets a world whose step panicked, and returns the error.
func (r *round) renew(n int, value any) error {
	fault := systems.PanicOf(fmt.Sprint("world ", n), value)
	systems.Discard(r.states[n])
	r.mutex.Lock()
	defer r.mutex.Unlock()
	slot := &r.Pool.slots[r.slots[n]]
	if err := r.fill(r.slots[n]); err != nil {
		return errors.Join(fault, err)
	}
	r.states[n] = slot.state
	return fault
}
