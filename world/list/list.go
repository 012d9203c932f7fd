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
	ErrText  = fmt.Errorf("flatecs: a text is not UTF-8") // encode it first
)

// Of returns the elements of an object's list, in place. Do not write to the slice. It is valid
// until the object changes its kinds, or any list of the field changes its length, which may move
// all lists of the field. The error wraps [world.ErrAbsent], [world.ErrNoKind], [world.ErrDead],
// [world.ErrOutOfRange], or [world.ErrWalking] while a walk that writes the list is open. It panics
// in a task if another task may write the list.
func Of[T any](s world.State, id world.GameObject, l layout.List[T]) ([]T, error) {
	b, err := systems.ListOf(s, id, l.Spec())
	if err != nil {
		return nil, err
	}
	return l.Rows(b), nil
}

// Append appends items to an object's list; items may be elements of a list of the same world. It
// returns the errors of [Of]; or the error wraps [world.ErrFull] if there is no room, or
// [world.ErrWalking] in a task and while a walk that names the list is open.
func Append[T any](
	s world.State, id world.GameObject, l layout.List[T], items ...T,
) (world.State, error) {
	return systems.AppendToList(s, id, l.Spec(), l.Bytes(items))
}

// Insert inserts items before element at of an object's list, or appends them if at is the list's
// length. It returns the errors of [Append], or [ErrIndex].
func Insert[T any](
	s world.State, id world.GameObject, l layout.List[T], at int, items ...T,
) (world.State, error) {
	return systems.SpliceList(s, id, l.Spec(), at, 0, l.Bytes(items))
}

// SetAt sets element at of an object's list. It returns the errors of [Insert].
func SetAt[T any](
	s world.State, id world.GameObject, l layout.List[T], at int, item T,
) (world.State, error) {
	return systems.SpliceList(s, id, l.Spec(), at, 1, l.Bytes([]T{item}))
}

// RemoveAt removes element at of an object's list, and keeps the order of the others. It returns
// the errors of [Insert].
func RemoveAt[T any](
	s world.State, id world.GameObject, l layout.List[T], at int,
) (world.State, error) {
	return systems.SpliceList(s, id, l.Spec(), at, 1, nil)
}

// SwapRemove removes element at of an object's list by moving the last element into its place. It
// returns the errors of [Insert].
func SwapRemove[T any](
	s world.State, id world.GameObject, l layout.List[T], at int,
) (world.State, error) {
	return systems.SwapRemoveFromList(s, id, l.Spec(), at)
}

// Set replaces the elements of an object's list by items, and shrinks its room to fit items. It
// returns the errors of [Append].
func Set[T any](
	s world.State, id world.GameObject, l layout.List[T], items ...T,
) (world.State, error) {
	return systems.SpliceList(s, id, l.Spec(), 0, -1, l.Bytes(items))
}

// Clear removes all elements of an object's list, and keeps its room. It returns the errors of
// [Append].
func Clear[T any](s world.State, id world.GameObject, l layout.List[T]) (world.State, error) {
	return systems.ClearList(s, id, l.Spec())
}

// Shrink releases the unused room of an object's list. It returns the errors of [Append].
func Shrink[T any](s world.State, id world.GameObject, l layout.List[T]) (world.State, error) {
	return systems.ShrinkList(s, id, l.Spec())
}

// Lists are the lists of a batch's objects: At(i) returns the elements of object i in place, for
// writing if the query writes the list; Append(i, item) appends an item, and returns the list,
// which may have moved; Cut(i, n) truncates the list to its first n elements.
//
// In a task, Append appends at once if the list has room. Otherwise it records the element, as
// [AppendLater] does. Apply appends recorded elements in the order of their objects, so that the
// result does not depend on how the task was split.
type Lists[T any] = systems.ListColumn[T]

// Column returns the lists of b's objects, or no lists if the kind is optional and the objects lack
// it. It panics if the query does not name l, and in a batch of a row-wise query.
//
//	for b := range looting.In(s) {
//		bags := list.Column(b, Bag)
//		for i := range bags.Len() {
//			if _, err := bags.Append(i, Item{coin, 1}); err != nil {
func Column[T any](b world.Batch, l layout.List[T]) *Lists[T] { return systems.ListsOf(b, l) }

// AppendLater records a command that appends an item to an object's list. [world.Apply] carries it
// out, or refuses it if the object does not have the list by then.
func AppendLater[T any](c world.Commands, id world.GameObject, l layout.List[T], item T) {
	systems.AppendLater(c, id, l, item)
}

// Text returns an object's text, as a new string; [AppendText] does not allocate. It returns the
// errors of [Of].
func Text(s world.State, id world.GameObject, t layout.Text) (string, error) {
	b, err := systems.ListOf(s, id, t.Spec())
	return string(b), err
}

// AppendText appends an object's text to dst. It returns the errors of [Of].
func AppendText(dst []byte, s world.State, id world.GameObject, t layout.Text) ([]byte, error) {
	b, err := systems.ListOf(s, id, t.Spec())
	return append(dst, b...), err
}

// SetText sets an object's text. It returns the errors of [Append], or [ErrText] if the text is not
// UTF-8.
func SetText(s world.State, id world.GameObject, t layout.Text, text string) (world.State, error) {
	if !utf8.ValidString(text) {
		return s, fmt.Errorf("%w: %s of game object %v: %.20q; encode it first", ErrText,
			layout.Quoted(t.Spec().String()), id, text)
	}
	return systems.SpliceList(s, id, t.Spec(), 0, -1, []byte(text))
}
