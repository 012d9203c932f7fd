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
	"github.com/flatecs/flatecs/world"
)

// A StepError says which of the worlds of [Pool.Step] could not be stepped, and why.
type StepError struct {
	World int   // its index
	Err   error // that step returned; of a panic, a [*systems.PanicError]
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

// Step calls step once for each world of a list, on so many goroutines, 0 for as many as run at the
// same time, and sets the list to the States that it returns. step gets the index of the world, and
// may be called by several goroutines at once. What it leads to does not depend on their number, as
// long as it reads and writes nothing else.
//
// The other worlds are stepped even if one is not. The error joins a [*StepError] for each of
// those, by their order; errors.As finds the first one. A world whose step panicked is reset to the
// first world. Step panics if a world is there twice, or is not taken from p.
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
	r.slots = p.made().begin(states)
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

// begin notes that worlds are being stepped, and returns their slots.
func (p *Pool) begin(states []world.State) (slots []int32) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	slots, p.spare = p.spare[:0], nil
	defer func() {
		if len(slots) < len(states) { // it panics
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
	by     int          // worlds that a goroutine steps before it asks for more
	next   atomic.Int64 // world
	group  sync.WaitGroup
	guard  sync.Mutex
	failed []*StepError
}

// work steps worlds until all are.
func (r *round) work() {
	for {
		end := int(r.next.Add(int64(r.by)))
		r.some(end-r.by, min(end, len(r.states)))
		if end >= len(r.states) {
			return
		}
	}
}

// some steps the worlds from n up to end. If one ends the goroutine, another one goes on.
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

// one steps a world, and notes why it could not be stepped.
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
