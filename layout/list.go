package layout

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/flatecs/flatecs/unsafeutil"
)

// A Run is the value of a list in a row: the position of its elements. The elements of all lists of
// a field are in rows of a separate kind, see [ListSpec]; the elements of one list are in
// consecutive rows from First.
type Run struct {
	First    uint32 // row; 0 for a list without rows
	Capacity uint32 // elements that the rows have room for
	Length   uint32 // elements
}

// A ListSpec is the declaration of a list beside its [Run]. Only lists use its two kinds; a world
// has them with the kind of the list.
type ListSpec struct {
	Element *FieldSpec // of one element; it belongs to no kind
	Chunk   int        // elements in a row: as many as fit in 64 bytes, at least 1
	Text    bool       // the elements are bytes of UTF-8
	Rows    *KindSpec  // a row: Chunk elements, and the object that owns the list, or a free run
	Free    *KindSpec  // one row: the first free run of 1, 2, 3, 4, 6, 8, 12, … rows; and Chunk

	// Only the declaration of a list refers to these functions, so programs without lists do not
	// contain them.
	declare func(*FieldSpec)      // when the list becomes a field of a kind
	open    func(any, *FieldSpec) // when a world is created
}

// The field of ListSpec.Free has listSizes numbers; the last one is Chunk.
const (
	listSizes = 64
	listChunk = listSizes - 1
)

// rowSize is the most bytes that several elements take in a row.
const rowSize = 64

// A List is a handle to a field whose value is any number of T: an inventory, a path. Package
// world/list reads and writes it. Get, Set, Column and the like do not take it, because two lists
// would then share elements.
type List[T any] struct{ spec *FieldSpec }

// A Text is a handle to a field whose value is text of any length, in UTF-8. Package world/list
// reads and writes it.
type Text struct{ spec *FieldSpec }

// NewList declares a list of T, empty at first, that is a kind of its own: a component of it is one
// list. T follows the rules of [NewField]. It panics like NewField.
//
//	type Item struct{ What, Count uint32 }
//
//	var Bag = layout.NewList[Item]("bag")
func NewList[T any](name string) List[T] {
	l := NewListField[T](name)
	NewKind(name, l)
	return l
}

// NewListField is [NewList] for one of several fields of a kind, or for a resource. Events support
// no lists.
func NewListField[T any](name string) List[T] {
	return List[T]{declareList(name, reflect.TypeFor[T](), false)}
}

// NewText declares a text, empty at first, that is a kind of its own. It panics like [NewField].
func NewText(name string) Text {
	t := NewTextField(name)
	NewKind(name, t)
	return t
}

// NewTextField is [NewText] for one of several fields of a kind, or for a resource.
func NewTextField(name string) Text {
	return Text{declareList(name, reflect.TypeFor[uint8](), true)}
}

func declareList(name string, t reflect.Type, text bool) *FieldSpec {
	var empty Run
	f := declare(name, reflect.TypeFor[Run](), unsafeutil.BytesOf(&empty), 0)
	e := specOf(name, t)
	e.Default, e.Zero = make([]byte, e.Stride), true
	f.List = &ListSpec{
		Element: e, Chunk: chunkOf(e), Text: text,
		declare: (*FieldSpec).declareRows, open: openList,
	}
	return f
}

// chunkOf returns how many elements are in a row.
func chunkOf(e *FieldSpec) int { return max(rowSize/e.Stride, 1) }

// Names of the field that has the elements.
const (
	elementsName = "elements"
	textName     = "text" // for a Text
)

// declareRows declares the kinds of the lists of f, which has become a field of a kind.
func (f *FieldSpec) declareRows() {
	l := f.List
	rows := &FieldSpec{Name: elementsName, Zero: true}
	if l.Text {
		rows.Name = textName
	}
	rows.setParts(repeated(slices.Clone(l.Element.Parts), l.Chunk))
	rows.Default = make([]byte, rows.Stride)
	first := [listSizes]uint32{listChunk: uint32(l.Chunk)}
	of, freed := f.ListKinds()
	l.Rows = NewKind(of, rows, NewField[uint32]("owner")).spec
	l.Free = NewKind(freed, NewField("first", first)).spec
	f.Kind.rows = appendRows
	f.ownRows()
}

// openList is ListSpec.open.
func openList(m any, f *FieldSpec) { m.(interface{ OpenList(f *FieldSpec) }).OpenList(f) }

// OpenList calls m.OpenList(f), which creates the lists of f in a world. Only programs that declare
// a list link that method. It panics if f is not a list, or if m lacks the method.
func (f *FieldSpec) OpenList(m any) {
	if f == nil || f.List == nil || f.List.open == nil {
		panic(noSpec)
	}
	f.List.open(m, f)
}

// ListKinds returns the names of the two kinds that store the list f in a world: see [ListSpec].
func (f *FieldSpec) ListKinds() (rows, free string) {
	return "elements of " + f.String(), "free runs of " + f.String()
}

// Spec returns the declaration of l. It panics if l is the zero List.
func (l List[T]) Spec() *FieldSpec { return Field[T](l).Spec() }

// Spec returns the declaration of t. It panics if t is the zero Text.
func (t Text) Spec() *FieldSpec { return List[uint8](t).Spec() }

// Kind returns the kind that l belongs to.
func (l List[T]) Kind() Kind { return Kind{l.Spec().Kind} }

// Kind returns the kind that t belongs to.
func (t Text) Kind() Kind { return Kind{t.Spec().Kind} }

// Fields returns the declaration of l. It panics if l is the zero List.
func (l List[T]) Fields() []*FieldSpec { return []*FieldSpec{l.Spec()} }

// Fields returns the declaration of t. It panics if t is the zero Text.
func (t Text) Fields() []*FieldSpec { return []*FieldSpec{t.Spec()} }

// Counted gives a world room for a list of l's kind on every object, and on average for 64 bytes of
// elements, or one element, per object.
func (l List[T]) Counted() Count { return l.Kind().Counted() }

// Counted gives a world room for a text of t's kind, of 64 bytes on average, on every object.
func (t Text) Counted() Count { return t.Kind().Counted() }

// Count gives a world room for rows components of l's kind, and for this number of elements in all
// their lists together. Because runs come in certain sizes, the world reserves half as much again,
// and a row for each list.
func (l List[T]) Count(rows, elements int) Count {
	if elements < 0 || uint64(elements) > math.MaxUint32 {
		panic(fmt.Sprintf("layout: %d elements of %s; count those of all lists, at most %d",
			elements, l.Spec(), uint32(math.MaxUint32)))
	}
	return Count{Kind: l.Kind(), Rows: rows, Elements: uint32(elements)}
}

// Count gives a world room for rows components of t's kind, and for this number of bytes in all
// their texts together. See [List.Count].
func (t Text) Count(rows, bytes int) Count { return List[uint8](t).Count(rows, bytes) }

// Value returns initial elements of l, for Spawn, a recipe or a tree.
func (l List[T]) Value(items ...T) FieldValue {
	return valueOfList(l.Spec(), l.Bytes(items))
}

// Value returns an initial text of t, for Spawn, a recipe or a tree. It panics if the text is not
// UTF-8.
func (t Text) Value(text string) FieldValue {
	if !utf8.ValidString(text) {
		panic(badText)
	}
	return valueOfList(t.Spec(), []byte(text))
}

// listHead is more bytes than a Run has, so that elements are never taken for one.
const listHead = 16

// valueOfList returns a value of copies of elements.
func valueOfList(f *FieldSpec, elements []byte) FieldValue {
	return FieldValue{f, append(make([]byte, listHead), elements...)}
}

// Rows views the bytes of elements of l, in place. It panics unless b is aligned for T and holds a
// whole number of elements.
func (l List[T]) Rows(b []byte) []T { return unsafeutil.Records[T](b) }

// Bytes views elements of l as bytes, in place.
func (l List[T]) Bytes(elements []T) []byte { return unsafeutil.Flat[byte](elements) }

// appendRows appends the counts of the elements of a kind's lists.
func appendRows(dst []Count, c Count, objects int) []Count {
	for _, f := range c.Kind.spec.Fields {
		l := f.List
		switch {
		case l == nil:
			continue
		case c.Elements == 0:
			dst = append(dst, Count{Kind: Kind{l.Rows}, Rows: objects, Free: true})
			continue
		}
		rows := (int(c.Elements) + l.Chunk - 1) / l.Chunk
		dst = append(dst, Count{Kind: Kind{l.Rows}, Rows: c.Rows + rows + (rows+1)/2})
	}
	return dst
}
