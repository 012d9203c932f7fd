package list

import (
	"fmt"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// Errors of this package.
var (
	ErrIndex = systems.ErrIndex                           // the list has no such element
	ErrText  = fmt.Errorf("flatecs: a text is not UTF-8") // it is to be encoded first
)

// Of returns the elements of an object's list, in place: they are not to be written to, and valid
// until the object changes its kinds, or a list of the field changes its length: all of them may
// move together, unless a walk is open. The error wraps [world.ErrAbsent],
// [world.ErrNoKind], [world.ErrDead], [world.ErrOutOfRange], or [world.ErrWalking] while a walk
// that writes the list is open. It panics in a task if another one may write the list.
func Of[T any](s world.State, id world.GameObject, l layout.List[T]) ([]T, error) {
	b, err := systems.ListOf(s, id, l.Spec())
	if err != nil {
		return nil, err
	}
	return l.Rows(b), nil
}

// Append adds items to an object's list, in their order; they may be elements of a list. The error
// is that of [Of], wraps [world.ErrFull] if there is no room, or [world.ErrWalking] in a task and
// while a walk that asks for the list is open.
func Append[T any](
	s world.State, id world.GameObject, l layout.List[T], items ...T,
) (world.State, error) {
	return systems.AppendToList(s, id, l.Spec(), l.Bytes(items))
}

// Insert puts items before element at of an object's list, or behind the last one if there are at
// elements. The error is that of [Append], or wraps [ErrIndex].
func Insert[T any](
	s world.State, id world.GameObject, l layout.List[T], at int, items ...T,
) (world.State, error) {
	return systems.SpliceList(s, id, l.Spec(), at, 0, l.Bytes(items))
}

// SetAt sets element at of an object's list. The error is that of [Insert].
func SetAt[T any](
	s world.State, id world.GameObject, l layout.List[T], at int, item T,
) (world.State, error) {
	return systems.SpliceList(s, id, l.Spec(), at, 1, l.Bytes([]T{item}))
}

// RemoveAt removes element at of an object's list; the others keep their order. The error is that
// of [Insert].
func RemoveAt[T any](
	s world.State, id world.GameObject, l layout.List[T], at int,
) (world.State, error) {
	return systems.SpliceList(s, id, l.Spec(), at, 1, nil)
}

// SwapRemove removes element at of an object's list, and puts the last one in its place. The error
// is that of [Insert].
func SwapRemove[T any](
	s world.State, id world.GameObject, l layout.List[T], at int,
) (world.State, error) {
	return systems.SwapRemoveFromList(s, id, l.Spec(), at)
}

// Set makes items the elements of an object's list, which keeps no more room than they need. The
// error is that of [Append].
func Set[T any](
	s world.State, id world.GameObject, l layout.List[T], items ...T,
) (world.State, error) {
	return systems.SpliceList(s, id, l.Spec(), 0, -1, l.Bytes(items))
}

// Clear removes all elements of an object's list, which keeps its room. The error is that of
// [Append].
func Clear[T any](s world.State, id world.GameObject, l layout.List[T]) (world.State, error) {
	return systems.ClearList(s, id, l.Spec())
}

// Shrink gives back the room that an object's list does not use. The error is that of [Append].
func Shrink[T any](s world.State, id world.GameObject, l layout.List[T]) (world.State, error) {
	return systems.ShrinkList(s, id, l.Spec())
}

// Lists are the lists of a batch's objects: At(i) returns the elements of object i in place, which
// may be written to if the query writes the list; Append(i, item) adds one, and returns the list,
// since it may have moved; Cut(i, n) leaves the first n.
//
// In a task a list takes an element at once that there is room for. Otherwise the element is
// recorded, as by [AppendLater], and the list has it when the recorded commands are applied: the
// objects in their order, so that the world does not depend on how it was split.
type Lists[T any] = systems.ListColumn[T]

// Column returns the lists of b's objects, or none if the kind is optional and they do not have it.
// It panics if the query does not ask for l, and in a batch of a row-wise query.
//
//	for b := range looting.In(s) {
//		bags := list.Column(b, Bag)
//		for i := range bags.Len() {
//			if _, err := bags.Append(i, Item{coin, 1}); err != nil {
func Column[T any](b world.Batch, l layout.List[T]) *Lists[T] { return systems.ListsOf(b, l) }

// AppendLater records that an item is added to an object's list, for [world.Apply]. If the object
// has no such list by then, Apply refuses the command.
func AppendLater[T any](c world.Commands, id world.GameObject, l layout.List[T], item T) {
	systems.AppendLater(c, id, l, item)
}

// Text returns an object's text, as a new string; [AppendText] does not allocate. The error is that
// of [Of].
func Text(s world.State, id world.GameObject, t layout.Text) (string, error) {
	b, err := systems.ListOf(s, id, t.Spec())
	return string(b), err
}

// AppendText appends an object's text to dst. The error is that of [Of].
func AppendText(
	dst []byte, s world.State, id world.GameObject, t layout.Text,
) ([]byte, error) {
	b, err := systems.ListOf(s, id, t.Spec())
	return append(dst, b...), err
}

// SetText sets an object's text. The error is that of [Append], or wraps [ErrText] if the text is
// not UTF-8.
func SetText(
	s world.State, id world.GameObject, t layout.Text, text string,
) (world.State, error) {
	if !utf8.ValidString(text) {
		return s, fmt.Errorf("flatecs: %s of game object %v: %.20q is not UTF-8; encode it: %w",
			layout.Quoted(t.Spec().String()), id, text, ErrText)
	}
	return systems.SpliceList(s, id, t.Spec(), 0, -1, []byte(text))
}
