// Package list reads and writes lists and texts: fields whose values are any number of elements. A
// list lies in the world's bytes like everything else, and is copied, restored, compared, digested
// and saved with them.
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
// [Shrink] write. Texts: [Text], [AppendText], [SetText]. Of a resource, id is 0, nobody. In walks:
// [Column], which returns a [Lists]. In commands: [AppendLater].
//
// What Of and Lists return lies in the world, and must not be written to unless the query writes
// the list. It is valid until a list of the field changes its length, or the object its kinds: a
// list that grows moves to a larger place, and when no place is large enough, all lists of the
// field move together. A slice taken before may then show zeros, or elements of another list; with
// -tags ecsdebug, writing to free places panics. While a walk is open, only the list that grows
// moves.
//
// A list has room for 1, 2, 3, 4, 6, 8, 12, … times 64 bytes, or as many elements that are larger.
// It keeps its room when it becomes shorter, until [Shrink] or [Set], or until another list needs
// it. A world without counts has room for 64 bytes in each list of a kind on every object. With
// layout.List.Count, all lists have room for the counted elements, however they are distributed,
// and whatever was there before. Only while a walk is open may a list that grows be refused, with
// world.ErrFull, since the free room may be scattered: [AppendLater] has it after the walk. The
// elements behind a list's length are zero.
//
// A recipe's With, and the Values of a Tree, give objects first elements. Watchers keep no lists,
// and events have none. Each says so.
//
// Errors: those of world.Edit; world.ErrFull, if there is no room for more elements; [ErrIndex].
package list
