// Command recover says which calls recover from a panic.
package main

import "fmt"

type recoverer interface{ Recover() }

type (
	direct  struct{}
	through struct{ int }
	outer   struct{ direct }
)

func (direct) Recover() { told = recover() }

// Recover is compiled into the method of the pointer, which the compiler makes: two calls from the
// panic, one of them in a function of the compiler's.
func (through) Recover() { farther() }

//go:noinline
func farther() { told = recover() }

var told any

// panics reports what a panic is to its caller, and to what is deferred.
func panics(deferred func()) (text string) {
	told = nil
	defer func() {
		text = fmt.Sprintf("%v, then %v", told, recover())
	}()
	defer deferred()
	panic("fell")
}

//go:noinline
func deferring(r recoverer) (text string) {
	told = nil
	defer func() {
		text = fmt.Sprintf("%v, then %v", told, recover())
	}()
	defer r.Recover()
	panic("fell")
}

func main() {
	fmt.Println("a function:", panics(func() { told = recover() }))
	fmt.Println("a function that it calls:", panics(func() { farther() }))
	fmt.Println("a method:", deferring(direct{}))
	fmt.Println("of a pointer:", deferring(&direct{}))
	fmt.Println("of a part:", deferring(&outer{}))
	fmt.Println("a function that a method calls:", deferring(&through{}))
}
