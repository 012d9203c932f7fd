package save

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// A File is an open save file for reading in place: opening it copies no column. Writes to its
// slices stay in this program and are not saved. While it is open, the file may be replaced, as by
// Save, but not truncated: reading the missing bytes crashes the program.
//
// A File belongs to one goroutine. [Open] verifies the checksums of the header and of every part
// except columns; [File.Verify] verifies everything.
type File struct {
	header   *header
	bytes    []byte
	unmap    func() error
	source   *source
	used     used
	path     string
	unfolded map[int][]byte // decompressed parts, by number
}

// Open maps a file. It returns the errors of this package and of the file system.
func Open(path string) (*File, error) {
	f, size, err := failure.Open("save", path, readable)
	if err != nil {
		return nil, err
	}
	b, unmap, err := mapFile(f, size)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, inFile(path, err)
	}
	v := &File{bytes: b, unmap: unmap, path: path}
	if err := v.check(); err != nil {
		return nil, inFile(path, errors.Join(err, unmap()))
	}
	return v, nil
}

// check reads the header and checks all parts except columns.
func (f *File) check() (err error) {
	r := bytes.NewReader(f.bytes)
	if f.source, err = openSource(r, r.Size(), nil); err != nil {
		return err
	}
	f.header = f.source.header
	if f.used, err = f.source.used(); err != nil {
		return err
	}
	if err := f.checkUnfolded(); err != nil {
		return err
	}
	for i := range f.header.parts {
		p := &f.header.parts[i]
		if p.field != noField || p.per == perByte || p.name == counters {
			continue
		}
		if p.stored != storedRaw {
			err = f.source.skip(p)
		} else if got := xxh3.Hash(f.stored(p)); got != p.sum {
			err = wrongSum(f.header.title(&p.partName), got, p.sum)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkUnfolded refuses a file whose world is far larger than the file: without counts, nothing
// limits the memory that an untrusted file may ask for.
func (f *File) checkUnfolded() error {
	budget, objects := &f.source.budget, f.used.objects
	if !budget.take(32 * objects) {
		return wrap(ErrTooLarge, "%d game objects in %d bytes; Load it into counts", objects,
			f.header.size)
	}
	for i := range f.header.kinds {
		k := &f.header.kinds[i]
		if n := k.bytes(f.used.rows[i], objects); !budget.take(n) {
			return wrap(ErrTooLarge, "%d bytes of %s in %d, beside %d of others; Load it into "+
				"counts", n, layout.Quoted(k.Name), f.header.size, budget.taken)
		}
	}
	return nil
}

// mustBeOpen returns f. It panics if f is nil or was not returned by [Open].
func (f *File) mustBeOpen() *File {
	if f == nil || f.header == nil {
		panic("save: this File is nil, or was not opened; get one by Open")
	}
	return f
}

// open returns the bytes of the file. It panics if f is closed.
func (f *File) open() []byte {
	if f.mustBeOpen().bytes == nil {
		panic("save: this File was closed; look at it before Close")
	}
	return f.bytes
}

// stored returns a part's bytes in the file.
func (f *File) stored(p *part) []byte { return f.open()[p.offset:][:p.length:p.length] }

// Close closes the file and invalidates all its slices.
func (f *File) Close() error {
	unmap := f.mustBeOpen().unmap
	f.bytes, f.unmap = nil, func() error { return nil }
	return unmap()
}

// Size returns the size of the file in bytes.
func (f *File) Size() int64 { return int64(f.mustBeOpen().header.size) }

// Tick returns the tick of the world.
func (f *File) Tick() uint64 { return f.mustBeOpen().header.tick }

// Frame returns [Options.Frame] at saving.
func (f *File) Frame() uint64 { return f.mustBeOpen().header.frame }

// Kinds returns the kinds of the world, in the order of their numbers.
func (f *File) Kinds() []FileKind { return slices.Clone(f.mustBeOpen().header.kinds) }

// Rows returns the number of rows of a kind that were ever used, or 0 if there is no such kind.
func (f *File) Rows(kind string) int {
	if k := f.kind(kind); k >= 0 {
		return int(f.used.rows[k])
	}
	return 0
}

func (f *File) kind(name string) int {
	return f.mustBeOpen().header.indexOf(name)
}

// Bytes returns the values of a field in all rows that were ever used, and a description of the
// field. The bytes are in place, or a decompressed copy. The error wraps [systems.ErrNoKind] if the
// file does not have the field.
func (f *File) Bytes(kind, field string) ([]byte, *layout.FieldSpec, error) {
	if k := f.kind(kind); k >= 0 {
		fields := f.header.kinds[k].Fields
		i := slices.IndexFunc(fields, func(g *layout.FieldSpec) bool { return g.Name == field })
		if i >= 0 {
			b, err := f.part(ofKind, k, i, field)
			return b, fields[i], err
		}
	}
	return nil, nil, fmt.Errorf("save: %s: %w: no %s.%s; Kinds lists those that it has",
		f.path, systems.ErrNoKind, layout.Quoted(kind), layout.Quoted(field))
}

// part returns the uncompressed bytes of a part.
func (f *File) part(o owner, of, field int, name string) ([]byte, error) {
	i := f.mustBeOpen().header.partIndex(o, of, field, name)
	p := &f.header.parts[i]
	if p.stored == storedRaw {
		return f.stored(p), nil
	}
	if b, ok := f.unfolded[i]; ok {
		return b, nil
	}
	_ = f.open() // panics if closed
	b, err := f.source.readApart(p)
	if err == nil {
		if f.unfolded == nil {
			f.unfolded = map[int][]byte{}
		}
		f.unfolded[i] = b
	}
	return b, err
}

// FileColumn returns the values of a field in all rows that were ever used, in place, or as a
// decompressed copy. The error wraps [ErrMigration] if the field in the file has another type,
// [ErrImpossible] if a bool is neither 0 nor 1, or [systems.ErrNoKind].
func FileColumn[T any](f *File, field layout.Field[T]) ([]T, error) {
	spec := field.Spec()
	if spec.Kind == nil {
		panic("save: field " + spec.Name + " belongs to no kind; give it to layout.NewKind")
	}
	b, there, err := f.Bytes(spec.Kind.Name, spec.Name)
	switch {
	case err != nil:
		return nil, err
	case !there.Same(spec):
		return nil, wrap(ErrMigration, "%s is %s in the file and %s in the program",
			spec.Title(layout.Part{}), there.Shape(), spec.Shape())
	}
	if err := spec.Check(b, 0); err != nil {
		return nil, wrap(ErrImpossible, "%v", err)
	}
	return field.Rows(b), nil
}

// List returns the lists of a field; ok is false if the field is not a list. The bytes are in
// place, or decompressed copies. List returns the errors of [File.Bytes].
func (f *File) List(kind, field string) (l FileList, ok bool, err error) {
	if l.runs, _, err = f.Bytes(kind, field); err != nil {
		return l, false, err
	}
	k := &f.header.kinds[f.kind(kind)]
	j := slices.IndexFunc(k.Fields, func(g *layout.FieldSpec) bool { return g.Name == field })
	if !f.header.isList(k, k.Fields[j]) {
		return l, false, nil
	}
	l.spec, err = f.header.declare(f.kind(kind), j, f.used.rows)
	if err != nil || l.spec.List == nil {
		return l, false, err
	}
	list := l.spec.List
	l.Element, l.IsText = list.Element, list.Text
	rows, _ := tool.ListKinds(k.listName(k.Fields[j]))
	l.rows, _, err = f.Bytes(rows, list.Rows.Fields[0].Name)
	return l, err == nil, err
}

// OfList reports whether a kind stores the elements or free runs of a list of another kind.
func (f *File) OfList(kind string) bool {
	k := f.kind(kind)
	if k < 0 {
		return false
	}
	of, _ := f.header.ofList(&f.header.kinds[k])
	return of != nil
}

// Rowed returns the object of each row of a kind, or 0, and a bit per row, from bit 0 of byte 0,
// which is set if the row has an object. Both are nil for marks and unknown kinds.
func (f *File) Rowed(kind string) (ids []systems.GameObject, mounted []byte, err error) {
	k := f.kind(kind)
	if k < 0 || f.header.kinds[k].Mark {
		return nil, nil, nil
	}
	h, err := f.header.kinds[k].holders(func(name string) ([]byte, error) {
		return f.part(ofKind, k, noField, name)
	})
	if err != nil {
		return nil, nil, err
	}
	generations, err := f.part(ofObjects, 0, noField, "generations")
	if err != nil {
		return nil, nil, err
	}
	ids = make([]systems.GameObject, f.used.rows[k])
	mounted = make([]byte, (len(ids)+7)/8)
	for row := range ids {
		if !h.mountedAt(row) {
			continue
		}
		mounted[row/8] |= 1 << (row % 8)
		if i := uint64(h.word(row)); i < f.used.objects {
			ids[row] = systems.GameObject(uint64(little.Uint32(generations[4*i:]))<<32 | i)
		}
	}
	return ids, mounted, nil
}

// Verify checks the whole file: every checksum, and that the world is valid. It takes as much
// memory as loading.
func (f *File) Verify() error {
	s, _, err := f.Load(Options{})
	if err == nil {
		systems.Close(s)
	}
	return err
}

// Load reads the world, with exactly the room it needs. All kinds are kept as foreign kinds: Load
// is for tools that do not know the program's kinds.
func (f *File) Load(o Options) (systems.State, Report, error) { return f.LoadInto(f.Counts(), o) }

// LoadInto is [Load] for an open file.
func (f *File) LoadInto(c systems.Counts, o Options) (systems.State, Report, error) {
	r := bytes.NewReader(f.open())
	s, report, err := Read(r, r.Size(), c, o)
	return s, report, inFile(f.path, err)
}

// Counts returns counts with room for the game objects in the file, and without kinds: loading
// keeps the kinds of the file.
func (f *File) Counts() systems.Counts {
	objects := int(max(f.mustBeOpen().used.objects, 1))
	if slices.ContainsFunc(f.header.kinds, func(k FileKind) bool { return k.ByBlock }) {
		objects = (objects + 63) &^ 63 // so that all rows of the last block have room
	}
	return systems.Counts{GameObjects: objects, InOrder: f.header.inOrder}
}

// readAll replaces mapFile where files cannot be mapped.
func readAll(f *os.File, size int64) (b []byte, unmap func() error, err error) {
	b = make([]byte, size)
	_, err = io.ReadFull(f, b)
	return b, func() error { return nil }, err
}
