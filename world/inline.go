package world

import "github.com/flatecs/flatecs/layout"

// The compiler exports the body of a function of a lower layer to programs that import only world
// if world inlines the function too. So the functions here call everything that must be inlined in
// programs: methods of walks, so that nothing of a walk escapes to the heap; and generic functions,
// which are compiled in the program, with their callees.
var _ = func(s State, q Query, w Watcher, id GameObject, f layout.Field[GameObject]) (n int) {
	batch := func(b Batch) bool { return b.ID(b.Len()) != 0 && b.AppendIDs(nil) != nil }
	q.In(s)(batch)
	q.Since(s, 1)(batch)
	q.Of(s, id)(batch)
	q.Down(s, f)(batch)
	q.Up(s, f)(batch)
	q.AtDepth(s, f, n)(batch)
	q.ChildrenOf(s, f, id)(batch)
	object := func(GameObject) bool { n++; return true }
	w.Left(s)(object)
	w.Entered(s)(object)
	w.Members(s)(object)
	q.Objects(s)(object)
	return n
}

var _ = func(
	s State, b Batch, c Commands, f layout.Field[uint64], r Recipe, id GameObject, x *Stream,
	e EventReader,
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
	c.Add(id, f)
	c.Remove(id, f)
	s, news, _ := e.Receive(s)
	for _, b := range news.Batches() {
		v += uint64(b.Len()+news.Len()+x.IntN(2)) + uint64(x.Float64()) + uint64(x.Float32())
	}
	return v + Column(b, f)[0] + View(s, f)[0]
}
