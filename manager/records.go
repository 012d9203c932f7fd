package manager

// counters are the counters of a manager, in its bytes.
type counters struct {
	High      uint32 // rows ever used, or given to blocks: maxIndex
	Free      uint32 // the row disposed last, plus 1; 0: none
	Search    uint32 // of a kind by block: the rows before it are given to blocks
	Unused    uint32 // 0
	Loose     uint32 // rows in use that are on no object
	Mounted   uint32 // objects that have the component
	Suspended uint32 // rows that keep the values of an object that lost the component
	Shape     uint32 // low half of the tick of the last change of structure
	Changed   uint64 // tick of the last change of any value
}

const full = ^uint64(0) // all 64 objects of a block, or all 64 blocks of a group

// A blockRecord is the manager's record of 64 neighbouring objects. Objects that are present and
// not odd are in lockstep: the row of each is its index plus base, modulo 2³².
type blockRecord struct {
	Present uint64 // a bit per object: has the component; see membership.go
	Odd     uint64 // a bit per object: its row is in the page
	Kept    uint64 // a bit per object: its row keeps its values, and it has not the component
	Base    uint32 // row minus object, for all that are not odd
	Page    uint32 // page with the rows of the odd ones, and its size; 0 if there are none
}

const sizeOfBlock = 32

// A Group is the manager's record of 64 neighbouring blocks.
type Group struct {
	Any   uint64 // a bit per block: some object has the component, or keeps its row
	Whole uint64 // a bit per block: all have it; in lockstep, joined to the one before
}

// What owners hold per row: the object that the row is mounted on; unmounted; free
// plus the row disposed before it plus 1; suspended plus the object whose values it keeps. A row
// that was never used holds 0.
const (
	free      = uint32(1) << 31
	suspended = uint32(1) << 30
	unmounted = ^uint32(0)
)

// A page holds the rows of a block's odd objects, by the object's place in the block. The first
// entry of an unused page is the next unused page plus 1.
type page [64]uint32

// A page4 and a page16 hold the rows of a few odd objects, in the order of the objects. A block
// goes on to the next size when its page is full, and keeps it until no object is odd.
type (
	page4  [4]uint32
	page16 [16]uint32
)

// Sizes of pages, as blockRecord.Page has them in its lowest bits; the bits above are the page's
// number among those of its size. A block without a page has 0.
const (
	ofPlaces = 0 // 64 rows
	ofFour   = 1
	of16     = 2

	sizeBits  = 2
	sizeMask  = 1<<sizeBits - 1
	pageSizes = 3
)

// pages have the rows of odd objects.
type pages struct {
	of64  []page // of any number of rows
	of16  []page16
	of4   []page4
	spare []pageCounters // by size
}

// pageCounters are derived from the blocks. There are some for each size of page.
type pageCounters struct {
	High uint32 // pages ever used
	Free uint32 // first unused page below High, plus 1; 0: none
}

// keyCounters are derived from the keys.
type keyCounters struct {
	Used uint32 // slots that are not 0
	Log  uint32 // 2 to the power of it slots are searched
}

// A watchRecord is the watcher's state that is not per object.
type watchRecord struct {
	Once uint64 // 1 when Watcher.Once was called
}

// A watchCount is a derived count.
type watchCount struct {
	Members uint64 // at the last look
}

// A watchBlock is the watcher's state of 64 neighbouring objects, one bit each.
type watchBlock struct {
	Members uint64 // matched at the last look
	Touched uint64 // changed since in the kinds that the rules name
	Gone    uint64 // members that stopped matching at some time since
	Left    uint64 // reported as left by the last look
	Entered uint64 // reported as entered by the last look
}

// A RowUse is the use of a row.
type RowUse uint8

// Uses of a row.
const (
	RowUnused    RowUse = iota // disposed, or never used
	RowMounted                 // on an object
	RowLoose                   // created, and on no object yet
	RowSuspended               // keeps the values of an object that lost the component
)

// String returns the name of the use.
func (u RowUse) String() string {
	return [...]string{"unused", "mounted", "loose", "suspended"}[u]
}
