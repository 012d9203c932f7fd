package world

import "github.com/flatecs/flatecs/layout"

// The compiler hands the body of a function of a layer below on to a program that imports only
// world if world has inlined it too. So each function here calls what must be inlined in programs:
// methods of walks, so that nothing of a walk escapes to the heap; and the generic functions, which
// are compiled in the program, with what they call.
var _ = func(
	s State, q Query, w Watcher, id GameObject, f layout.Field[GameObject],
) (n int) {
	for b := range q.In(s) {
		n += b.Len()
	}
	for b := range q.Since(s, 1) {
		n += b.Len()
	}
	for b := range q.Of(s, id) {
		n += b.Len()
	}
	for b := range q.Down(s, f) {
		n += b.Len()
	}
	for b := range q.Up(s, f) {
		n += b.Len()
	}
	for b := range q.ChildrenOf(s, f, id) {
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

var _ = func(
	s State, b Batch, c Commands, f layout.Field[uint64], r Recipe, id GameObject,
) (n uint64) {
	v, _ := Get(s, id, f)
	s, _ = Set(s, id, f, v)
	reader := ReaderOf(s, f)
	v, _ = reader.Get(id)
	writer := WriterOf(s, f)
	*writer.At(id) = v
	reader.AtN([]uint64{v}, []GameObject{id})
	writer.AtN([]*uint64{&v}, []GameObject{id})
	s = SetRow(s, f, 0, GetRow(s, f, 0))
	s = SetResource(s, f, Resource(s, f))
	Put(c, id, f, v)
	c.Spawn(r, f.Value(v))
	return v + Column(b, f)[0] + View(s, f)[0]
}
