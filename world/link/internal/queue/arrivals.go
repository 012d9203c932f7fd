package queue

import "slices"

// Arrivals are clients that came, in their order, until the program takes them in. Those that are
// gone by then are dropped. It belongs to one goroutine at a time.
type Arrivals[C interface{ Err() error }] struct{ list []C }

// Put appends a client. If there are as many as may be connected at once, of a program that does
// not ask, those that are gone make room.
func (a *Arrivals[C]) Put(c C, most int) {
	if len(a.list) >= most {
		a.list = slices.DeleteFunc(a.list, func(c C) bool { return c.Err() != nil })
	}
	a.list = append(a.list, c)
}

// Take returns the first client that is still there, once.
func (a *Arrivals[C]) Take() (first C, ok bool) {
	for len(a.list) > 0 && !ok {
		first, ok = a.list[0], a.list[0].Err() == nil
		a.list = slices.Delete(a.list, 0, 1)
	}
	if !ok {
		return *new(C), false
	}
	return first, true
}

// Len returns how many there are, with those that are gone.
func (a *Arrivals[C]) Len() int { return len(a.list) }
