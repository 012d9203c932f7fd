package manager

import (
	"sync"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// An Arena is all the bytes of a world, and the views of them: the game objects, a manager per
// kind, and per block of 64 objects a word or more that says which kinds any of them has.
type Arena struct {
	Bytes    []byte
	Objects  *gameobject.Registry
	Managers []Manager // in the order of the counts
	Watchers []Watcher
	Watches  []*Watch // the rules of the watchers, each once
	Tick     *uint64  // of the step that is under way; what is written now is stamped with it
	Words    int      // of kinds, per block
	memory   *buffer.Range
	kinds    []uint64 // Words per block; derived: bit k of word w is kind 64w+k of Managers
	bare     []*Watch // whose rules ask for no kind
	slots    []uint16 // per number of a kind: its place in Managers, plus 1
	sizes    Sizes
	registry gameobject.Registry // that Objects points to
	naming   sync.Once           // of parts
	parts    []Part              // without bytes
	viewing  sync.Once           // of views
	views    []Part
}

// Sizes says how large an arena is.
type Sizes struct {
	Objects  int
	Pools    int            // of objects in slabs, beside the loose ones
	InOrder  bool           // loose objects' indexes are used again the first disposed first
	Kinds    []layout.Count // a manager each
	Watchers int            // each of which Arena.Watch gives its rules, before anything is created
}

const maxKinds = 1<<16 - 1

// MaxRows is the largest number of rows of a kind, and of objects of a world.
const MaxRows = 1<<30 - 64

// MaxTick is the last tick that a world can come to. The first is 1.
const MaxTick = 1<<63 - 1

// A Manager holds the components of one kind, as views of its region of bytes. Objects are given by
// their index; the caller has checked that they are alive.
type Manager struct {
	Kind    *layout.KindSpec
	Blocks  []Block              // per 64 objects
	Groups  []Group              // per 64 blocks
	Columns []buffer.Column      // per field
	Values  layout.ValueColumn   // of a layout.Values kind, else nil
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

const full = ^uint64(0) // all 64 objects of a block, or all 64 blocks of a group

// A Block is what a manager knows of 64 neighbouring objects. The objects that are present and not
// odd are in lockstep: the row of each is its index plus Base, modulo 2³².
type Block struct {
	Present   uint64 // a bit per object: has the component
	Odd       uint64 // a bit per object: has a row, which is in the page
	Suspended uint64 // a bit per object: has not the component, and a row that keeps its values
	Base      uint32 // row minus object, for all that are not odd
	Page      uint32 // rows of the odd ones; meaningless when there are none
}

// A Group is what a manager knows of 64 neighbouring blocks.
type Group struct {
	Any   uint64 // a bit per block: some object is present
	Whole uint64 // a bit per block: all present, in lockstep, and joined to the whole block before
}

// A page holds the rows of a block's odd objects, by the object's place in the block. The first
// entry of an unused page is the next unused page plus 1.
type page [64]uint32

// pageCounters are no truth: they follow from the blocks.
type pageCounters struct {
	High uint32 // pages ever used
	Free uint32 // first unused page below High, plus 1; 0 is none
}

// A kindMask is one bit of the words that say, per block, which kinds any of its objects have.
type kindMask struct {
	words  []uint64
	stride int // words per block
	word   int
	bit    uint64
}

// What objects holds per row: the object that the row is mounted on; unmounted; or, for a row that
// was disposed, free with the row disposed before it, plus 1; for one that keeps the values of an
// object, suspended with the object. A row never used holds 0, also below High where it is kept for
// an object of a slab.
const (
	free      = uint32(1) << 31
	suspended = uint32(1) << 30
	unmounted = ^uint32(0)
)

// A Match is a set of rules on the kinds that an object has. An object matches when all of them
// hold; with no rules every live object does.
type Match struct {
	arena *Arena
	All   []*Manager   // has every one
	None  []*Manager   // has none
	Any   [][]*Manager // of each, has at least one
	only  []uint64     // has no kind but these, a bit each; nil: no such rule
	bare  bool         // no rule asks for a kind
}

// A Watch is rules whose objects are watched. Watchers with equal rules share one.
type Watch struct {
	Match
	Watchers []*Watcher
	key      string // of the rules
}

// A Watcher is the memory of one who watches: which objects matched at the last look, what happened
// to them since, and which ones that look found to have left and entered. All of it is in the
// world's bytes.
type Watcher struct {
	watch       *Watch
	Objects     *gameobject.Registry
	record      *watchRecord
	generations []uint32 // per member
	former      []uint32 // per object that left: its generation
	blocks      []watchBlock
	touched     []uint64 // per 64 blocks: a bit per block with touched objects; derived
	reported    []uint64 // per 64 blocks: a bit per block where some left or entered; derived
	count       *watchCount
}

// A watchRecord is what a watcher remembers beside its objects.
type watchRecord struct {
	Once uint64 // 1 when Watcher.Once was called
}

// A watchCount is derived.
type watchCount struct {
	Members uint64 // at the last look
}

// A watchBlock is what a watcher remembers of 64 neighbouring objects, a bit each.
type watchBlock struct {
	Members uint64 // matched at the last look
	Touched uint64 // had a change since in what the rules ask about
	Gone    uint64 // members that did not match at some time since
	Left    uint64 // as the last look found
	Entered uint64 // as the last look found
}
