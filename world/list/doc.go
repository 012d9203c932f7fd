// Package list reads and writes lists and texts: fields whose values have a variable number of
// elements. The elements are part of the world's bytes, and are copied, restored, compared,
// digested and saved with them.
//
//	type Item struct{ What, Count uint32 }
//
//	var (
//		Bag   = layout.NewList[Item]("bag")
//		Title = layout.NewText("title")
//	)
//
//	state, err = list.Append(state, id, Bag, Item{sword, 1})
//	items, err := list.Of(state, id, Bag) // []Item, in place
//	state, err = list.SetText(state, id, Title, "of the dragon")
//
// By id: [Of] reads; [Append], [Insert], [SetAt], [RemoveAt], [SwapRemove], [Set], [Clear] and
// [Shrink] write. Texts: [Text], [AppendText], [SetText]. For a list of a resource, pass 0 (nobody)
// as the id. In walks: [Column], which returns a [Lists]. In commands: [AppendLater].
//
// Of and Lists return memory of the world. Do not write to it unless the query writes the list. It
// is valid until any list of the field changes its length, or the object changes its kinds: a
// growing list moves to a larger place, and if no place is large enough, all lists of the field are
// compacted. A slice taken before may then show zeros, or elements of another list; with -tags
// ecsdebug, writing to free places panics. While a walk is open, only the growing list moves.
//
// The room of a list is 1, 2, 3, 4, 6, 8, 12, … times 64 bytes, or as many elements if they are
// larger than 64 bytes. A list that becomes shorter keeps its room until [Shrink] or [Set], or
// until another list needs the room. A kind of lists without a count has room for 64 bytes of
// elements per object of the world. With layout.List.Count, all lists have room for the counted
// elements, however they are distributed, and whatever was stored before. Only while a walk is open
// may growing a list fail, with world.ErrFull, because the free room may be scattered: use
// [AppendLater] then. The bytes between the end of a list and the end of its room are zero.
//
// Recipe.With, the values of a Spawn and the values of a Tree set first elements. Watchers do not
// keep lists, and events do not support them; each returns an error that says so.
//
// Errors: the errors of world.Edit; world.ErrFull, if there is no room for more elements;
// [ErrIndex].
package list
