// Package program checks arguments of the packages below world: pointers, and the States that
// functions of the program return. It also takes snapshots for them.
package program

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/flatecs/flatecs/systems"
)

// There returns p. It panics with what, which names the argument and the fix, if p is nil.
func There[T any](p *T, what string) *T {
	if p == nil {
		Refuse(what)
	}
	return p
}

// Kept returns after, the State that a function of the program returned for before. It panics if
// that is the zero State, or is stale. of and name identify the function, as in "hooks: Update of
// system " and "fall".
func Kept(before, after systems.State, of, name string) systems.State {
	if before == (systems.State{}) {
		return after
	}
	if after == (systems.State{}) {
		Refuse(of + name + " returned the zero State; return the one that its last call returned")
	}
	defer func() {
		if p := recover(); p != nil {
			panic(of + name + " returned another State than its last call: " +
				strings.TrimPrefix(fmt.Sprint(p), "flatecs: "))
		}
	}()
	systems.Len(after)
	return after
}

// Caught calls f in a goroutine of its own. It returns what f panicked with, or that f ended its
// goroutine, or nil.
func Caught(name string, f func()) (fault *systems.PanicError) {
	returned := false
	var one sync.WaitGroup
	one.Go(func() {
		defer func() {
			if v := recover(); v != nil || !returned {
				fault = systems.PanicOf(name,
					cmp.Or[any](v, "it ended its goroutine; return from it, or panic"))
			}
		}()
		f()
		returned = true
	})
	one.Wait()
	return fault
}

// Said returns what a fault that was [Caught] says, without its stack.
func Said(fault *systems.PanicError) string {
	if inner, ok := fault.Value.(*systems.PanicError); ok {
		return inner.Cause()
	}
	return fmt.Sprint(fault.Value)
}

// Snapshot returns a new snapshot of a world.
func Snapshot(s systems.State) (*systems.Snapshot, error) {
	p, err := systems.NewSnapshot(s)
	if err != nil {
		return nil, err
	}
	if err := p.Take(s); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// NoFrame returns the error of a frame that a package's past does not have: it wraps err, and names
// the frames that are kept, first ≤ frame < next, and the fix.
func NoFrame(of string, err error, frame, first, next int) error {
	there, cure := "none is kept yet", "record it first"
	if next > first {
		there = fmt.Sprintf("%d to %d are kept", first, next-1)
	}
	if frame < first {
		cure = "keep more frames by New"
	}
	return fmt.Errorf("%s: frame %d: %w: %s; %s", of, frame, err, there, cure)
}

// Refuse panics. It is a function of its own so that its callers can be inlined.
//
//go:noinline
func Refuse(what string) { panic(what) }
