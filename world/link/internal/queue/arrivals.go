package queue

import "slices"

// Arrivals are new clients, in order, until the program accepts them. Clients that disconnect
// before that are dropped. It belongs to one goroutine at a time.
type Arrivals[C interface{ Err() error }] struct{ list []C }

// Put appends a client. If there are most clients, because the program does not accept them, it
// first drops disconnected ones.
func (a *Arrivals[C]) Put(c C, most int) {
	if len(a.list) >= most {
		a.list = slices.DeleteFunc(a.list, func(c C) bool { return c.Err() != nil })
	}
	a.list = append(a.list, c)
}

// Take removes and returns the first client that is still connected.
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

// Len returns the number of clients, including disconnected ones.
func (a *Arrivals[C]) Len() int { return len(a.list) }
