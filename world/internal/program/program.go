// Package program checks what a program hands to the packages below world: pointers, and the States
// that its functions return.
package program

import (
	"fmt"

	"github.com/flatecs/flatecs/systems"
)

// There returns p. It panics when p is nil, with what that is and the cure.
func There[T any](p *T, what string) *T {
	if p == nil {
		Refuse(what)
	}
	return p
}

// Kept returns what a function of the program made of a State. It panics if that is the zero State,
// or one that was used up; of and name say which function it is, as in "hooks: Update of system "
// and "fall".
func Kept(before, after systems.State, of, name string) systems.State {
	if before == (systems.State{}) {
		return after
	}
	if after == (systems.State{}) {
		Refuse(of + name + " returned the zero State; return the one that its last call returned")
	}
	defer func() {
		if p := recover(); p != nil {
			panic(fmt.Sprintf("%s%s returned another State than its last call: %v", of, name, p))
		}
	}()
	systems.Live(after)
	return after
}

// Refuse panics. It stands apart, so that what checks is inlined.
//
//go:noinline
func Refuse(what string) { panic(what) }
