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
	Places   []*Place  // by FieldSpec.Number; nil: not in this world, or foreign
	Watchers []Watcher
	Watches  []*Watch // the rules of the watchers, without duplicates
	Tick     *uint64  // current step; writes are stamped with it
	Words    int      // of kinds, per block
	Replaced uint64   // how often all bytes may have changed; see Overwritten
	memory   *buffer.Range
	kinds    []uint64   // Words per block; derived: bit k of word w is kind 64w+k of Managers
	eights   []uint64   // the same per 8 objects; empty in a world of few kinds
	bare     []*Watch   // watches whose rules name no kind
	found    []*Manager // per kind number
	sizes    Sizes
	recipes  recipes
	registry gameobject.Registry // Objects points to it
	list     partList
}

// recipes record which kinds objects are spawned with, and when.
type recipes struct {
	list     []recipe    // per pool, except the loose one
	turnBase buffer.Base // per pool: see turnOf
	spawned  []uint64    // per block: see spawnedIn
}

// A partList is the list of a world's parts, built on first use.
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

// A Held is a set of objects derived from values.
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

// A Watcher records, in the world's bytes, which objects matched at its last look, which of them
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

// A Place locates one field of a world: all data for a look-up by id, in one cache line.
type Place struct {
	Column  buffer.Base
	blocks  buffer.Base // a blockRecord per 64 objects
	rows    uint        // of the kind
	Mask    uint64      // the kind in masks of kinds; see MaskOf
	Manager *Manager
	Field   *layout.FieldSpec
	_       [2]uint64 // to the end of the line
}

// A recipe holds the kinds by block and the marks of a pool. It is empty in a world of more than 64
// kinds.
type recipe struct {
	managers []*Manager
	mask     uint64             // a bit per kind
	together bool               // one note covers a change of all of them: see agree
	lacks    bool               // some slab has not all rows
	turned   uint64             // objects that were spawned or disposed with all of them
	objects  [Recent / 2]uint32 // the last of them, by turned
}

// FirstLists are the initial elements of the lists of new objects.
type FirstLists interface {
	Check(n int) error                 // whether there is room for the lists of n objects
	Fill(block uint32, objects uint64) // gives objects of a block their lists
	Length(of Lists) int               // elements
}

// Redirects may change ids in lists.
type Redirects interface{ Redirect(id *gameobject.ID) }

// Lists is the interface of a [Heap] for functions that every program contains. A world gets it
// only through [layout.FieldSpec.OpenList], so a program that declares no list does not contain
// heaps.
type Lists interface {
	// Add adds elements, by their bytes, to the list in a row of an object. It returns the errors
	// of [Heap.Grow].
	Add(m *Manager, row layout.Row, object uint32, items []byte) error

	// GiveFirst adds the initial elements of the lists of new objects to those of other lists of a
	// recipe, or to nil.
	GiveFirst(to FirstLists, m *Manager, v *layout.FieldValue) FirstLists

	// Fit returns an error, which wraps [ErrFull], if there is no room for new lists of so many
	// elements, created in order. A number plus [Freed] stands for a list that is freed.
	Fit(sizes []uint32) error

	Of() *layout.FieldSpec         // the field
	Reset(d *Data, row layout.Row) // frees a list
	EachID(m *Manager, row layout.Row, with Redirects)
	Stamped()

	leave(d *Data, row uint32)            // empties a list whose run moved to another row
	copyOf(m *Manager, row, owner uint32) // gives a copied list its own run
	lengthOf(m *Manager, object uint32) int
	checkCopy(m *Manager, object uint32) error
	verify(m *Manager) error
}

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

// counters are the counters of a manager, in its bytes.
type counters struct {
	High      uint32 // rows ever used, or given to blocks: maxIndex
	Free      uint32 // the row disposed last, plus 1; 0: none
	Search    uint32 // of a kind by block: blocks have the rows before it
	Unused    uint32 // 0
	Loose     uint32 // rows in use that are on no object
	Mounted   uint32 // objects that have the component
	Suspended uint32 // rows that keep the values of an object that lost the component
	Shape     uint32 // low half of the tick of the last change of structure
	Changed   uint64 // tick of the last change of any value
}

const full = ^uint64(0) // all 64 objects of a block, or all 64 blocks of a group

const sizeOfBlock = 32
