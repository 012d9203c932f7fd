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

// counters are the numbers of a manager.
type counters struct {
	High      uint32 // rows ever used, or kept for a slab: the seed's maxIndex
	Free      uint32 // row disposed last, plus 1; 0 is none
	Search    uint32 // no row before this is kept for a slab and unused
	Reserved  uint32 // rows ever kept for slabs
	Loose     uint32 // rows in use that are on no object
	Mounted   uint32 // objects that have the component
	Suspended uint32 // rows that keep the values of an object
	Shape     uint32 // low half of the tick of the last change of structure
	Changed   uint64 // tick of the last change of any value
}

// A Manager holds the components of one kind, as views of its region of bytes. Objects are given by
// their index; the caller has checked that they are alive.
type Manager struct {
	Kind    *layout.KindSpec
	Blocks  []Block              // per 64 objects
	Groups  []Group              // per 64 blocks
	Columns []buffer.Column      // per field
	Values  values.Column        // of a layout.Values kind, else nil
	Objects *gameobject.Registry // for errors; nil for a manager that stands alone

	count   *counters
	bases   []uint32 // per block: row minus object
	objects []uint32 // per row: see free
	changed []uint64 // per 64 rows: tick of the last change of any value
	tick    *uint64  // of the world
	links   []uint32 // per row on the free list: the row disposed after it, plus 1; 0 is none
	pages   []page
	spare   *pageCounters
	slabs   []uint64 // a bit per 64 rows: kept for the objects of a slab
	mounted []uint64 // a bit per row: is on an object
	packed  bool     // rows stay side by side
	lazy    bool     // free room: rows hold zeros, and the defaults once they are used
	ready   uint32   // rows whose columns may be written
	memory  *buffer.Range
	kinds   kindMask
	watches []*Watch // whose rules ask about the kind
	heard   uint64   // full when there are any, so that one comparison asks for both; else 0
	buffer  []byte
}

// New returns a manager of its own bytes, with room for rows components on objects 0 to objects-1.
// The error wraps [ErrCount] or [ErrMemory].
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

// Size returns the bytes that a manager needs. The error wraps [ErrCount] or [ErrMemory].
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

// View returns a manager over bytes that are handed in, [Size] of them on a multiple of
// [buffer.Align]. It only looks at them: zeros are an empty manager that [Manager.Fill] was not
// called on, and bytes that another manager of the same sizes writes are shared with it. The error
// wraps [ErrCount], or [ErrBytes] when they are too few.
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

// carveAlone cuts the region of a manager that is in no world.
func carveAlone(c *buffer.Carver, kind *layout.KindSpec, rows, objects int) *Manager {
	m := &Manager{Kind: kind, Columns: make([]buffer.Column, len(kind.Fields))}
	m.tick, m.ready = buffer.CarveRecord[uint64](c), math.MaxUint32
	m.kinds = kindMask{buffer.Carve[uint64](c, (objects+63)/64), 1, 0, 1}
	m.carve(c, rows, objects)
	return m
}

// carve cuts a manager's region: truth first, then what is derived from it.
func (m *Manager) carve(c *buffer.Carver, rows, objects int) {
	blocks := (objects + 63) / 64
	m.count = buffer.CarveRecord[counters](c)
	if m.Kind.Mark {
		m.Blocks = buffer.CarveRecords[Block](c, blocks) // for a mark, the truth itself
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

// makeValues makes the values that lie beside the bytes.
func (m *Manager) makeValues() {
	if v := m.Kind.Values; v != nil {
		m.Values = v.Make(m.Shown())
	}
}

// Fill sets every row of a manager over zeroed bytes to the defaults, if they were counted.
func (m *Manager) Fill() {
	if m.lazy {
		return
	}
	for i := range m.Columns {
		m.Columns[i].Fill()
	}
}

// of returns m. It panics when m is not the manager of k.
func (m *Manager) of(k layout.Kind) *Manager {
	if m.Kind != k.Spec() {
		panic("manager: this is the manager of " + m.Kind.Name + "; give the one of " + k.String())
	}
	return m
}

// Buffer returns the columns' bytes, one column after the other. Where the rows are not counted,
// the last one ends with the rows that were ever used.
func (m *Manager) Buffer() []byte {
	n := len(m.Columns)
	if !m.lazy || n == 0 {
		return m.buffer
	}
	end := len(m.buffer) - (m.Cap()-m.MaxIndex())*m.Columns[n-1].Stride
	return m.buffer[:end:end]
}

// blocksUsed returns how many blocks may have objects: in a world those that were ever used.
func (m *Manager) blocksUsed() int {
	if m.Objects == nil {
		return len(m.Blocks)
	}
	return int(m.Objects.Count.High+63) / 64
}

// Shown returns how many rows [Column] has: all that were counted; of free room, those ever used.
func (m *Manager) Shown() int {
	if m.lazy {
		return m.MaxIndex()
	}
	return m.Cap()
}

// Cap returns how many components there is room for.
func (m *Manager) Cap() int { return len(m.objects) }

// MaxIndex returns how many rows were ever used: every row in use is below it.
func (m *Manager) MaxIndex() int { return int(m.count.High) }

// Live returns how many rows are in use: on an object, on none yet, or suspended.
func (m *Manager) Live() int { return int(m.count.Loose + m.count.Mounted + m.count.Suspended) }

// Mounted returns how many objects have the component.
func (m *Manager) Mounted() int { return int(m.count.Mounted) }

// Has reports whether object has the component.
func (m *Manager) Has(object uint32) bool {
	return m.Blocks[object>>6].Present>>(object&63)&1 != 0
}

// RowOf returns the row of object's component, if it has one.
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

// ObjectOf returns the object that row is on, if it is on one. It panics when row is not in use.
func (m *Manager) ObjectOf(row layout.Row) (object uint32, ok bool) {
	object = m.owner(row)
	return object, object != unmounted
}

// Runs yields the mounted rows, ascending, as the longest stretches: the first row of each and how
// many there are. Rows may not be mounted or disposed meanwhile.
func (m *Manager) Runs() iter.Seq2[int, int] {
	return func(yield func(row, n int) bool) { m.EachRun(yield) }
}

// EachRun is Runs as a call.
func (m *Manager) EachRun(yield func(row, n int) bool) {
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

// All yields the mounted rows, ascending. Rows may not be mounted or disposed meanwhile.
func (m *Manager) All() iter.Seq[layout.Row] {
	return func(yield func(layout.Row) bool) { m.Each(yield) }
}

// Each is All as a call.
func (m *Manager) Each(yield func(layout.Row) bool) {
	for w, x := range m.mounted[:(m.count.High+63)/64] {
		for ; x != 0; x &= x - 1 {
			if !yield(layout.Row(w<<6 + bits.TrailingZeros64(x))) {
				return
			}
		}
	}
}

// Column returns a field of every row, in place; where rows are not counted, of those that were
// ever used. It panics when the field is of another kind.
func Column[T any](m *Manager, f layout.Field[T]) []T {
	spec := f.Spec()
	if spec.Kind != m.Kind {
		panic("manager: field " + spec.Name + " is of another kind than " + m.Kind.Name)
	}
	return buffer.Rows[T](&m.Columns[spec.Index], 0, m.Shown())
}
