package manager

import (
	"sync"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// An Arena owns all bytes of a world, and the views of them: the game objects, one manager per
// kind, and for each block of 64 objects the set of kinds that any of them has.
type Arena struct {
	Bytes    []byte
	Objects  *gameobject.Registry
	Managers []Manager // in the order of the counts
	Places   []*Place  // by FieldSpec.Number; nil: not of this world, or foreign
	Watchers []Watcher
	Watches  []*Watch // the rules of the watchers, without duplicates
	Tick     *uint64  // current step; writes are stamped with it
	Words    int      // of kinds, per block
	Replaced uint64   // how often all bytes may have become others; see Overwritten
	memory   *buffer.Range
	kinds    []uint64   // Words per block; derived: bit k of word w is kind 64w+k of Managers
	eights   []uint64   // the same per 8 objects; none in a world of few kinds
	bare     []*Watch   // watches whose rules name no kind
	found    []*Manager // per kind number
	sizes    Sizes
	recipes  recipes
	registry gameobject.Registry // Objects points to it
	list     partList
}

// recipes say which kinds objects come and go with, and when they did.
type recipes struct {
	list     []recipe    // per pool, but the loose one
	turnBase buffer.Base // per pool: see turnOf
	spawned  []uint64    // per block: see spawnedIn
	loaded   uint64      // spawned up to this tick are those of another program's recipes
}

// A partList is the list of a world's parts, which is made when it is first asked for.
type partList struct {
	naming  sync.Once // guards parts
	parts   []Part    // without bytes
	viewing sync.Once // guards views
	views   []Part
}

// Sizes are the sizes of an arena.
type Sizes struct {
	Objects  int
	Pools    int              // of objects in slabs, one per recipe
	InOrder  bool             // reuse the indexes of loose objects first in, first out
	Keyed    *layout.KindSpec // whose first field, a uint64, is a key; or nil
	Kinds    []layout.Count   // one manager each
	Watchers []string         // names; Arena.Watch sets the rules of each before the first change
}

const maxKinds = 1<<16 - 1

// MaxRows is the largest number of rows of a kind, and of objects in a world. An owner's word has
// two bits for the state and 30 for a number; 64 fewer do not reach them when rounded to a block.
const MaxRows = 1<<30 - 64

// MaxTick is the last tick of a world. The first is 1.
const MaxTick = 1<<63 - 1

// A Manager holds the components of one kind, as views of its region of the world's bytes. Methods
// take objects as indexes; the caller has checked that the objects are alive.
type Manager struct {
	Blocks  Blocks // which objects have the component
	Rows    Rows   // what the rows are used for
	Stamps  Stamps // when they were written
	Keys    *Keys  // of a keyed kind, else nil
	Kind    *layout.KindSpec
	Objects *gameobject.Registry
	Data    Data    // what they hold
	Places  []Place // per field
	Packed  bool    // rows in use have no gaps
	count   *counters
	watches []*Watch // watches whose rules involve the kind
	heard   uint64   // all ones if there are watches or eights, else 0: see enterAll
	freed   freed
}

// Blocks say which objects have the component, and in which rows.
type Blocks struct {
	base      buffer.Base   // of list
	livesBase buffer.Base   // per block: the live objects
	list      []blockRecord // per 64 objects
	bases     []uint32      // row by row, per block: row minus object
	pages     *pages        // row by row: with the rows of odd objects
	kinds     kindMask
	Groups    []Group // per 64 blocks
	rows      *Rows
}

// Rows say what the rows of a kind are used for, and where those of a block are. They are the only
// place that selects among its lists: the rest of the package asks its methods.
type Rows struct {
	objectBase  buffer.Base // of objects; of a kind by block, of its blocks
	mountedBase buffer.Base // of mounted
	homeBase    buffer.Base // of homes
	fixed       uint        // rows that stay where they are; 0: a mark, or packed
	count       *counters   // of the manager

	objects []uint32 // per row: see free; none of a kind by block
	links   []uint32 // per row on the free list: the row disposed after it, plus 1; 0: none
	mounted []uint64 // a bit per row: is on an object
	homes   []uint32 // of a kind by block, per 64 rows: object minus row, plus 1; 0: of none

	registry *gameobject.Registry
	kind     *layout.KindSpec
}

// Stamps say when the rows of a kind were written, and which were the last. What is derived from
// values outside the bytes is valid until Written and Reshaped change.
type Stamps struct {
	base     buffer.Base // of list
	tick     *uint64     // of the world
	count    *counters   // of the manager
	list     []uint64    // per 64 rows: tick of the last change of any value
	Written  uint64      // changes of values, other than to the defaults
	reshaped uint64      // changes of who has the component, other than those of recipes
	arena    *Arena      // whose recipes change them, too
	bit      uint64      // of the kind in their masks
	rows     *Rows
	wrote    [Recent]uint32 // per change of values, by Written: its row, or many
	moved    [Recent]uint32 // per change of who has the component, by reshaped
}

// Keys find the rows of a keyed kind by the value of its first field, a uint64. Each is on one row
// at most; 0 is none.
type Keys struct {
	slots  []uint32 // rows by the hashes of their keys, plus 1
	count  *keyCounters
	column *buffer.Column
	rows   *Rows
	stamps *Stamps
}

// Data are what the rows of a kind hold: a column for each field, Go values, and lists.
type Data struct {
	Columns []buffer.Column    // per field
	Values  layout.ValueColumn // of a layout.Values kind, else nil
	Heaps   []Lists            // of its lists, each a Heap
	apart   bool               // rows have Values or lists
	lazy    bool               // free room: rows hold zeros until first used, then the defaults
	ready   uint32             // rows whose columns may be written
	only    int                // bytes per row of the only column, if few: see dropEach; else 0
	base    buffer.Base        // of that column
	value   [16]byte           // its default, from the first byte on
	bytes   []byte             // of the columns
	memory  *buffer.Range
	rows    *Rows
}

// A kindMask is the bit of one kind in kinds per block, and per 8 objects.
type kindMask struct {
	words  []uint64
	eights []uint64 // none in a world of few kinds
	stride int      // words per block, and per 8 objects
	word   int
	bit    uint64
}

// A Match is a set of rules on the kinds of an object. An object matches if all of them hold;
// without rules every live object matches.
type Match struct {
	arena *Arena
	All   []*Manager   // has all of these
	None  []*Manager   // has none of these
	Any   [][]*Manager // has at least one of each list
	only  []uint64     // has no kind but these, one bit each; nil: no such rule
	bare  bool         // no rule names a kind
	Held  []Held       // is in all of these
}

// A Held is a set of objects that is derived from values.
type Held interface {
	Hold()                    // makes it valid
	Held(block uint32) uint64 // a bit per object
}

// A Watch is a set of watched rules. Watchers with equal rules share one.
type Watch struct {
	Match
	Watchers []*Watcher
	key      string // of the rules
}

// A Watcher remembers, in the world's bytes, which objects matched at its last look, which of them
// changed since, and which objects that look reported as left and entered.
type Watcher struct {
	watch       *Watch
	Objects     *gameobject.Registry
	record      *watchRecord
	generations []uint32 // per member
	former      []uint32 // per object that left: its generation then
	blocks      []watchBlock
	touched     []uint64 // per 64 blocks: a bit per block with touched objects; derived
	reported    []uint64 // per 64 blocks: a bit per block where some left or entered; derived
	count       *watchCount
	last        *keeper // nil: keeps no values
}

// A keeper is a watcher's Keep in one world.
type keeper struct {
	*Keep
	fields, values []*Manager // of Keep.Fields and Keep.Values
	gone, left     []*Manager // of Keep.Gone and Keep.Left

	// Scratch, all zeros between two looks; nil in a world that never looks.
	found []uint64 // per block: a bit per object with a row in gone
	first []uint32 // per block: rows of the blocks before
}

// A Place is where one field of a world lies: all that a look-up by id needs, in one cache line.
type Place struct {
	Column  buffer.Base
	blocks  buffer.Base // a blockRecord per 64 objects
	rows    uint        // of the kind
	Mask    uint64      // the kind in masks of kinds; see MaskOf
	Manager *Manager
	Field   *layout.FieldSpec
	_       [2]uint64 // to the end of the line
}

// A recipe is what a pool is for: its kinds that are by block, and its marks. It has none in a
// world of more than 64 kinds.
type recipe struct {
	managers []*Manager
	mask     uint64             // a bit per kind
	together bool               // a change is told once for all of them: see agree
	lacks    bool               // some slab has not all rows
	turned   uint64             // objects that were spawned or disposed with all of them
	objects  [Recent / 2]uint32 // the last of them, by turned
}

// FirstLists are the elements that lists of new objects have at first.
type FirstLists interface {
	Check(n int) error                 // that there is room for the lists of n objects
	Fill(block uint32, objects uint64) // gives objects of a block their lists
	Length(of Lists) int               // elements
}

// Redirects is what may change ids in lists.
type Redirects interface{ Redirect(id *gameobject.ID) }

// Lists are a [Heap], as the functions know it that every program has: they call it through this
// interface, and a world gets it by [layout.FieldSpec.OpenList] alone. So a program that declares
// no list does not contain heaps.
type Lists interface {
	// Add adds elements, by their bytes, to the list in a row of an object. The error is that of
	// [Heap.Grow].
	Add(m *Manager, row layout.Row, object uint32, items []byte) error

	// GiveFirst notes elements that the lists of new objects have at first, among those of other
	// lists of a recipe, or with nil.
	GiveFirst(to FirstLists, m *Manager, v *layout.FieldValue) FirstLists

	// Fit returns an error, which wraps [ErrFull], if there is no room for new lists of so many
	// elements, made one after the other. [Freed] and a number stand for a list that is freed.
	Fit(sizes []uint32) error

	Of() *layout.FieldSpec         // the field
	Reset(d *Data, row layout.Row) // frees a list
	EachID(m *Manager, row layout.Row, with Redirects)
	Stamped()

	leave(d *Data, row uint32)            // empties a list: another row has its run
	copyOf(m *Manager, row, owner uint32) // gives a copied list a run of its own
	lengthOf(m *Manager, object uint32) int
	checkCopy(m *Manager, object uint32) error
	verify(m *Manager) error
}

// Recent is how many changes of values a manager remembers with their rows, and how many of
// structure: what is derived from a field asks after each few of them which rows they were. A power
// of two.
const Recent = 16

// A Part is one stretch of a world's bytes, such as the generations of its objects, or a column.
// The used bytes are a prefix. The bytes behind it are zero; in a column of a counted kind they
// hold the defaults.
type Part struct {
	Owner string            // "world", "game objects", a kind's name, or "watcher" and its number
	Name  string            // of the contents; for a column the name of its field
	Kind  *layout.KindSpec  // the kind whose region it is in, or nil
	Field *layout.FieldSpec // the field whose column it is, or nil
	Truth bool              // truth: it decides the world's future; otherwise derived from truth
	Free  bool              // of a kind without a count: zeros behind the used bytes
	Unit  int               // bytes per object, row, block, …
	Bytes []byte            // all of the part, in place
	Place int               // index of the kind in Managers, or of the watcher

	per  extent
	at   int // offset in the world's bytes
	size int // bytes
}

// An extent says what a part holds one unit for.
type extent uint8
