package world

// inlined calls the methods that must be inlined where they are called, so that nothing of a walk
// escapes to the heap. The compiler hands a method's body on to a program that imports only world
// when world has inlined it too.
var _ = func(s State, q Query, w Watcher, id GameObject) (n int) {
	for b := range q.In(s) {
		n += b.Len()
	}
	for b := range q.Since(s, 1) {
		n += b.Len()
	}
	for b := range q.Of(s, id) {
		n += b.Len()
	}
	for range w.Left(s) {
		n++
	}
	for range w.Entered(s) {
		n++
	}
	for range w.Members(s) {
		n++
	}
	for range q.Objects(s) {
		n++
	}
	return n
}
