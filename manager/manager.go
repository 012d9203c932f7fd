package manager

import (
	"iter"
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/values"
)

// counters are the counters of a manager, in its bytes.
type counters struct {
	High      uint32 // rows ever used, or reserved for a slab: maxIndex
	Free      uint32 // the row disposed last, plus 1; 0: none
	Search    uint32 // no row before this one is reserved for a slab and unused
	Reserved  uint32 // rows ever reserved for slabs
	Loose     uint32 // rows in use that are on no object
	Mounted   uint32 // objects that have the component
	Suspended uint32 // rows that keep the values of an object that lost the component
	Shape     uint32 // low half of the tick of the last change of structure
	Changed   uint64 // tick of the last change of any value
}

// A Manager holds the components of one kind, as views of its region of the world's bytes. Methods
// take objects as indexes; the caller has checked that the objects are alive.
type Manager struct {
	Kind    *layout.KindSpec
	Blocks  []Block              // per 64 objects
	Groups  []Group              // per 64 blocks
	Columns []buffer.Column      // per field
	Values  values.Column        // of a layout.Values kind, else nil
	Objects *gameobject.Registry // for errors; nil for a standalone manager

	count   *counters
	bases   []uint32 // per block: row minus object
	objects []uint32 // per row: see free
	changed []uint64 // per 64 rows: tick of the last change of any value
	tick    *uint64  // of the world
	links   []uint32 // per row on the free list: the row disposed after it, plus 1; 0: none
	pages   []page
	spare   *pageCounters
	slabs   []uint64 // a bit per 64 rows: reserved for the objects of a slab
	mounted []uint64 // a bit per row: is on an object
	packed  bool     // rows in use have no gaps
	lazy    bool     // free room: rows hold zeros until first used, then the defaults
	ready   uint32   // rows whose columns may be written
	memory  *buffer.Range
	kinds   kindMask
	watches []*Watch // watches whose rules involve the kind
	heard   uint64   // all ones if there are watches, else 0: see enter
	buffer  []byte
}

// New returns a standalone manager with room for rows components, on objects 0 to objects-1. The
// error wraps [ErrCount] or [ErrMemory].
func New(kind layout.Kind, rows, objects int) (*Manager, error) {
	size, err := Size(kind, rows, objects)
	if err != nil {
		return nil, err
	}
	b, ok := buffer.New(size)
	if !ok {
		return nil, &Error{ErrMemory, kind.String(), 0, size}
	}
	m := carveAlone(&buffer.Carver{Bytes: b}, kind.Spec(), rows, objects)
	m.makeValues()
	m.Fill()
	return m, nil
}

// Size returns the number of bytes that a standalone manager needs. The error wraps [ErrCount] or
// [ErrMemory].
func Size(kind layout.Kind, rows, objects int) (int, error) {
	if err := checkCount(kind.String(), rows); err != nil {
		return 0, err
	}
	if err := checkCount("game object", objects); err != nil {
		return 0, err
	}
	s := newSurvey(objects, 0)
	s.all(worldParts, owner{})
	s.add(&Part{Unit: 8, per: perBlock}, owner{})
	s.kind(kind.Count(rows), 0)
	return s.total(kind.String())
}

// View returns a manager over b, which holds [Size] bytes or more and starts on a multiple of
// [buffer.Align]. It writes nothing: zeroed bytes are an empty manager on which [Manager.Fill] is
// still to be called, and bytes of another manager of the same sizes are shared with it. The error
// wraps [ErrCount], or [ErrBytes] if b is too short.
func View(b []byte, kind layout.Kind, rows, objects int) (*Manager, error) {
	size, err := Size(kind, rows, objects)
	if err != nil {
		return nil, err
	}
	if len(b) < size {
		return nil, &Error{ErrBytes, kind.String(), 0, len(b)}
	}
	m := carveAlone(&buffer.Carver{Bytes: b}, kind.Spec(), rows, objects)
	m.makeValues()
	return m, nil
}

func checkCount(what string, n int) error {
	if n < 0 || n > MaxRows {
		return &Error{ErrCount, what, 0, n}
	}
	return nil
}

// carveAlone cuts the region of a standalone manager.
func carveAlone(c *buffer.Carver, kind *layout.KindSpec, rows, objects int) *Manager {
	m := &Manager{Kind: kind, Columns: make([]buffer.Column, len(kind.Fields))}
	m.tick, m.ready = buffer.CarveRecord[uint64](c), math.MaxUint32
	m.kinds = kindMask{buffer.Carve[uint64](c, (objects+63)/64), 1, 0, 1}
	m.carve(c, rows, objects)
	return m
}

// carve cuts a manager's region: truth first, then the derived parts.
func (m *Manager) carve(c *buffer.Carver, rows, objects int) {
	blocks := (objects + 63) / 64
	m.count = buffer.CarveRecord[counters](c)
	if m.Kind.Mark {
		m.Blocks = buffer.CarveRecords[Block](c, blocks) // for a mark, the truth
	} else {
		m.bases = buffer.Carve[uint32](c, blocks)
		m.objects = buffer.Carve[uint32](c, rows)
		m.links = buffer.Carve[uint32](c, rows)
		m.changed = buffer.Carve[uint64](c, (rows+63)/64)
		m.mounted = buffer.Carve[uint64](c, (rows+63)/64)
		m.slabs = buffer.Carve[uint64](c, (rows+4095)/4096)
		m.carveColumns(c, rows)
		m.Blocks = buffer.CarveRecords[Block](c, blocks)
		m.pages = buffer.CarveRecords[page](c, min(rows, blocks))
		m.spare = buffer.CarveRecord[pageCounters](c)
	}
	m.Groups = buffer.CarveRecords[Group](c, (blocks+63)/64)
}

func (m *Manager) carveColumns(c *buffer.Carver, rows int) {
	start, end := c.Size, c.Size
	for i, f := range m.Kind.Fields {
		end = c.Size + rows*f.Stride
		m.Columns[i] = buffer.NewColumn(c, f, rows)
	}
	m.buffer = c.Bytes[start:end:end]
}

// makeValues makes the Go values, which lie beside the bytes.
func (m *Manager) makeValues() {
	if v := m.Kind.Values; v != nil {
		m.Values = v.Make(m.Shown())
	}
}

// Fill sets every row of a counted kind to the defaults. The bytes must be zeroed.
func (m *Manager) Fill() {
	if m.lazy {
		return
	}
	for i := range m.Columns {
		m.Columns[i].Fill()
	}
}

// of returns m. It panics if m is not the manager of k.
func (m *Manager) of(k layout.Kind) *Manager {
	if m.Kind != k.Spec() {
		panic("flatecs: this is the manager of " + m.Kind.Name + "; give the one of " + k.String())
	}
	return m
}

// Buffer returns the bytes of the columns, one column after the other. For a kind without a count,
// the last column ends with the rows that were ever used.
func (m *Manager) Buffer() []byte {
	n := len(m.Columns)
	if !m.lazy || n == 0 {
		return m.buffer
	}
	end := len(m.buffer) - (m.Cap()-m.MaxIndex())*m.Columns[n-1].Stride
	return m.buffer[:end:end]
}

// blocksUsed returns the number of blocks that may have objects.
func (m *Manager) blocksUsed() int {
	if m.Objects == nil {
		return len(m.Blocks)
	}
	return int(m.Objects.Count.High+63) / 64
}

// Shown returns the number of rows in a [Column]: all rows of a counted kind, otherwise those that
// were ever used.
func (m *Manager) Shown() int {
	if m.lazy {
		return m.MaxIndex()
	}
	return m.Cap()
}

// Cap returns the number of rows.
func (m *Manager) Cap() int { return len(m.objects) }

// MaxIndex returns the number of rows that were ever used. Every row in use is below it.
func (m *Manager) MaxIndex() int { return int(m.count.High) }

// Live returns the number of rows in use: mounted, loose or suspended.
func (m *Manager) Live() int { return int(m.count.Loose + m.count.Mounted + m.count.Suspended) }

// Mounted returns the number of objects that have the component.
func (m *Manager) Mounted() int { return int(m.count.Mounted) }

// Has reports whether object has the component.
func (m *Manager) Has(object uint32) bool {
	return m.Blocks[object>>6].Present>>(object&63)&1 != 0
}

// RowOf returns the row of object's component, and whether it has one.
func (m *Manager) RowOf(object uint32) (row layout.Row, ok bool) {
	b := &m.Blocks[object>>6]
	if (b.Present&^b.Odd)>>(object&63)&1 != 0 {
		return layout.Row(object + b.Base), true
	}
	return m.oddRow(b, object)
}

func (m *Manager) oddRow(b *Block, object uint32) (row layout.Row, ok bool) {
	if (b.Present&b.Odd)>>(object&63)&1 == 0 {
		return 0, false
	}
	return layout.Row(m.pages[b.Page][object&63]), true
}

// Get is RowOf with an error that wraps [ErrAbsent]. The row of a mark is 0.
func (m *Manager) Get(object uint32) (layout.Row, error) {
	row, ok := m.RowOf(object)
	switch {
	case !ok:
		return 0, m.refuse(ErrAbsent, object)
	case m.Kind.Mark:
		return 0, nil
	}
	return row, nil
}

// ObjectOf returns the object that row is mounted on, if any. It panics if row is not in use.
func (m *Manager) ObjectOf(row layout.Row) (object uint32, ok bool) {
	object = m.owner(row)
	return object, object != unmounted
}

// Runs yields the runs of mounted rows, ascending: the first row and the length of each. No row may
// be mounted or disposed during the loop.
func (m *Manager) Runs() iter.Seq2[int, int] {
	return func(yield func(row, n int) bool) { m.EachRun(yield) }
}

// EachRun is Runs as a function call.
func (m *Manager) EachRun(yield func(row, n int) bool) {
	m.checkRows()
	words := m.mounted[:(m.count.High+63)/64]
	row, n := 0, 0
	var s, c uint32
	for w, x := range words {
		for x != 0 {
			s, c, x = nextRun(x)
			if begin := w<<6 + int(s); row+n != begin {
				if n > 0 && !yield(row, n) {
					return
				}
				row, n = begin, 0
			}
			n += int(c)
		}
	}
	if n > 0 {
		yield(row, n)
	}
}

// All yields the mounted rows, ascending. No row may be mounted or disposed during the loop.
func (m *Manager) All() iter.Seq[layout.Row] {
	return func(yield func(layout.Row) bool) { m.Each(yield) }
}

// Each is All as a function call.
func (m *Manager) Each(yield func(layout.Row) bool) {
	m.checkRows()
	for w, x := range m.mounted[:(m.count.High+63)/64] {
		for ; x != 0; x &= x - 1 {
			if !yield(layout.Row(w<<6 + bits.TrailingZeros64(x))) {
				return
			}
		}
	}
}

// Column returns the values of a field, one per row, in place; see [Manager.Shown]. It panics if
// the field is of another kind.
func Column[T any](m *Manager, f layout.Field[T]) []T {
	spec := f.Spec()
	if spec.Kind != m.Kind {
		panic("flatecs: field " + spec.Name + " is of another kind than " + m.Kind.Name)
	}
	return buffer.Rows[T](&m.Columns[spec.Index], 0, m.Shown())
}
