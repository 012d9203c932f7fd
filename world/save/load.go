package save

import (
	"errors"
	"io"
	"sync"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// A Report describes a loaded file, and how it differs from the program's declarations. Names are
// quoted by [layout.Quoted], because names in a file may be any bytes.
type Report struct {
	Tick      uint64
	Frame     uint64         // Options.Frame at saving
	Behaviour uint32         // Options.Behaviour at saving
	Counts    systems.Counts // of the world, with kept kinds and recipes
	Kept      []string       // kinds that the counts lack; objects still have them
	New       []string       // kinds, fields and parts that the file lacks
	Dropped   []string       // by Drop or DropFields; watchers and readers that the counts lack
	Migrated  []string       // fields and kinds that were migrated, by their migrations
	Unused    []string       // migrations that found nothing in the file
	Cleared   []string       // relations, with how many references to objects that died, now nobody
}

// Load reads the world in a file, with the same counts as before, or with others that have enough
// room. See [Read].
func Load(path string, c systems.Counts, o Options) (s systems.State, r Report, err error) {
	f, size, err := failure.Open("save", path, readable)
	if err != nil {
		return s, r, err
	}
	s, r, err = Read(f, size, c, o)
	return s, r, errors.Join(inFile(path, err), f.Close())
}

// inFile says in which file an error arose.
func inFile(path string, err error) error { return failure.About("save", path, err, readable) }

// Read reads a world of size bytes, into counts with enough room. It checks everything: first sizes
// and checksums, then that the world is valid, like tool.Rebuild. The input may be any bytes. Read
// returns no world with an error.
//
// Kinds are identified by name. A kind that the counts lack is kept in the world, and the next
// [Write] saves it. No object has a kind that the file lacks. A new field gets its default in all
// rows, and a new part of a field its default. A file with a field or a part that the program
// lacks, with a part of other elements or lanes, or with a field without common parts needs a
// [Migration] or [Options.DropFields]; otherwise it is refused. A watcher whose name and rules are
// not in the file starts empty. A ring of events of another size keeps the newest events, and
// readers miss the others. A new reader begins at the end of its events; readers that the counts
// lack are in [Report.Dropped]. Random numbers continue as in the file, regardless of Counts.Seed.
//
// ReadAt is called from several goroutines.
//
// The error wraps one of this package, or [systems.ErrFull] or [systems.ErrTooMany] if the counts
// have too little room, or is one of [systems.CreateState].
func Read(
	r io.ReaderAt, size int64, c systems.Counts, o Options,
) (systems.State, Report, error) {
	h, err := readHeader(r, size)
	if err != nil {
		return systems.State{}, Report{}, err
	}
	l := &loader{file: r, header: h, options: &o, counts: c.Complete()}
	l.counts.GameObjects, _, _ = c.Room() // also for kept kinds
	l.asked = c.GameObjects
	whole := false
	defer func() {
		if l.state != (systems.State{}) && !whole { // also if a codec panics
			systems.Discard(l.state)
		}
	}()
	if err := l.load(); err != nil {
		return systems.State{}, Report{}, err
	}
	of := systems.CountsOf(l.state)
	l.report.Counts.Seed, l.report.Counts.Random = of.Seed, of.Random
	whole = true
	return l.state, l.report, nil
}

// Reload is [Load] into the memory of a spare world, which it invalidates. Use it to load often: it
// allocates only what reading needs. The spare world must contain every kind in the file, and the
// recipes of its objects. After an error or a panic, the spare world is unusable.
func Reload(
	path string, spare systems.State, o Options,
) (s systems.State, r Report, err error) {
	f, size, err := failure.Open("save", path, readable)
	if err != nil {
		return spare, r, err
	}
	s, r, err = Reread(f, size, spare, o)
	return s, r, errors.Join(inFile(path, err), f.Close())
}

// Reread is [Read] into the memory of a spare world; see [Reload]. Where the counts of the file
// store a kind otherwise than those of the spare world, it reads into a world of its own first.
func Reread(
	r io.ReaderAt, size int64, spare systems.State, o Options,
) (systems.State, Report, error) {
	h, err := readHeader(r, size)
	if err != nil {
		return spare, Report{}, err
	}
	l := &loader{
		file: r, header: h, options: &o, counts: systems.CountsOf(spare), state: spare, spare: true,
	}
	switch err := l.load(); {
	case errors.Is(err, errElsewhere):
		return rereadElsewhere(r, size, spare, o)
	case err != nil:
		return l.state, Report{}, err
	}
	return l.state, l.report, nil
}

// errElsewhere says that rows of the file lie otherwise than those of a spare world.
var errElsewhere = errors.New("rows are elsewhere")

// rereadElsewhere is [Reread] by way of another world.
func rereadElsewhere(
	r io.ReaderAt, size int64, spare systems.State, o Options,
) (systems.State, Report, error) {
	s, report, err := Read(r, size, systems.CountsOf(spare), o)
	if err != nil {
		return spare, Report{}, err
	}
	defer systems.Close(s)
	p, err := systems.NewSnapshot(s)
	if err != nil {
		return spare, Report{}, err
	}
	defer p.Close()
	if err = p.Take(s); err == nil {
		spare, err = systems.Restore(spare, p)
	}
	return spare, report, err
}

// A loader reads one file.
type loader struct {
	file    io.ReaderAt
	header  *header
	options *Options
	counts  systems.Counts
	report  Report
	state   systems.State
	placed  bool // its rows are where those of the file are, and counts have them elsewhere
	spare   bool // state is one that was there

	objects  uint64   // indexes in use
	live     uint32   // objects
	asked    int      // Counts.GameObjects, as it was given
	rows     []uint64 // per kind: rows ever used
	owners   []byte   // recipe of each 64 objects, plus 1
	recipes  []uint16 // number in the world of each of the file's, plus 1; 0: the program lacks it
	kinds    []layout.Kind
	columns  [][]column // per kind and field of the file
	place    int        // of the next foreign kind
	relaid   []relaid
	turns    []turn
	known    map[string]layout.Count
	lost     []lost
	unknown  []string // what Options.DropFields drops
	used     []bool   // per migration
	watchers []int    // per watcher of the file: the world's, or -1
	dst      map[place][]byte
	idle     map[layout.Kind]bool // whose rows that are not in use are to be reset
	telling  sync.Mutex
	done     int64
	taken    uint64 // bytes that the file asks for and no counts do
	reader   partReader
}

// A place is where a part lies in a world.
type place struct {
	owner owner
	of    int               // watcher
	kind  *layout.KindSpec  // nil: of none
	field *layout.FieldSpec // nil: no column
	name  string
}

// columnIn returns the values of a field in the world.
func (l *loader) columnIn(f *layout.FieldSpec) []byte {
	return l.dst[place{owner: ofKind, kind: f.Kind, field: f, name: f.Name}]
}

// partIn returns a part of a kind in the world, which is no column.
func (l *loader) partIn(k layout.Kind, name string) []byte {
	return l.dst[place{owner: ofKind, kind: k.Spec(), name: name}]
}

func (l *loader) load() error {
	h, o := l.header, l.options
	if o.Behaviour != 0 && h.behaviour > o.Behaviour {
		return wrap(ErrNewer, "it was saved by version %d of the program's behaviour, and this is "+
			"%d; update the program", h.behaviour, o.Behaviour)
	}
	l.report.Tick, l.report.Frame, l.report.Behaviour = h.tick, h.frame, h.behaviour
	var rings rings
	for _, step := range []func() error{
		l.readCounters, l.findKinds, l.findRecipes, l.create, l.findWatchers, l.checkRoom,
		l.findPlaces, func() error { return rings.find(l) }, l.empty, l.readParts, l.readRelaid,
		l.fillNew, l.writeTurns, l.clearDead, func() error { return rings.move(l) },
		l.finish, l.fillRelaid, func() error { return moveRows(l) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// told tells how far reading has come.
func (l *loader) told(n int64) {
	l.telling.Lock()
	defer l.telling.Unlock()
	l.done += n
	if l.options.Progress != nil {
		l.options.Progress(min(l.done, int64(l.header.size)), int64(l.header.size))
	}
}

// readCounters reads how much of the world was ever used, and checks that the parts have the
// lengths that follow.
func (l *loader) readCounters() error {
	h := l.header
	l.rows = make([]uint64, len(h.kinds))
	for i := range h.parts {
		p := &h.parts[i]
		if p.name != counters || p.field != noField {
			continue
		}
		var b [40]byte
		if p.units != 1 {
			return l.wrongUnits(p, 1)
		}
		if err := l.readPart(p, b[:]); err != nil {
			return err
		}
		if n := uint64(little.Uint32(b[:])); p.owner == ofObjects {
			l.objects, l.live = n, little.Uint32(b[8:])
		} else if !h.kinds[p.of].Mark {
			l.rows[p.of] = n
		}
	}
	for i := range h.parts {
		p := &h.parts[i]
		rows := uint64(0)
		if p.owner == ofKind {
			rows = l.rows[p.of]
		}
		if n := p.per.units(l.objects, rows); p.per != perByte && p.units != n {
			return l.wrongUnits(p, n)
		}
	}
	return l.checkCapacity()
}

func (l *loader) wrongUnits(p *part, n uint64) error {
	return wrap(ErrImpossible, "%s has %d units, and its counters say %d",
		l.header.title(&p.partName), p.units, n)
}

// checkCapacity checks that no more was used than the world that was saved had room for.
func (l *loader) checkCapacity() error {
	if l.objects > uint64(l.header.objects) {
		return wrap(ErrImpossible, "%d of %d game objects were used", l.objects, l.header.objects)
	}
	for i := range l.header.kinds {
		if k := &l.header.kinds[i]; l.rows[i] > uint64(k.Rows) && !k.Mark {
			return wrap(ErrImpossible, "%s: %d of %d rows were used", layout.Quoted(k.Name),
				l.rows[i], k.Rows)
		}
	}
	return nil
}

// readPart reads a whole part into dst, which has its size.
func (l *loader) readPart(p *part, dst []byte) error {
	r, err := l.open(p)
	if err != nil {
		return err
	}
	defer r.close()
	return r.all(dst)
}
