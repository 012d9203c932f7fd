package save

import (
	"errors"
	"io"
	"os"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// Load reads the world in a file, with the same counts as before, or with others that have enough
// room. See [Read].
func Load(path string, c systems.Counts, o Options) (s systems.State, r Report, err error) {
	err = readFile(path, func(f *os.File, size int64) (err error) {
		s, r, err = Read(f, size, c, o)
		return err
	})
	return s, r, err
}

// readFile opens a file and calls read. It adds the path to the error.
func readFile(path string, read func(f *os.File, size int64) error) error {
	f, size, err := failure.Open("save", path, readable)
	if err != nil {
		return err
	}
	return errors.Join(inFile(path, read(f, size)), f.Close())
}

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
// Read returns the errors of this package and of [systems.CreateState]. It returns
// [systems.ErrFull] or [systems.ErrTooMany] if the counts have too little room. All of them are
// wrapped.
func Read(r io.ReaderAt, size int64, c systems.Counts, o Options) (systems.State, Report, error) {
	given := destination{counts: c.Complete(), asked: c.GameObjects}
	given.counts.GameObjects, _, _ = c.Room() // kept kinds need it as well
	p, f, err := planOf(r, size, given, &o)
	if err != nil {
		return systems.State{}, Report{}, err
	}
	s, err := systems.CreateState(p.placed)
	if err != nil {
		return systems.State{}, Report{}, err
	}
	l := &filler{plan: p, source: f, options: &o, state: s}
	whole := false
	defer func() {
		if !whole { // after a panic of a codec, too
			systems.Discard(l.state)
		}
	}()
	if err := l.fill(); err != nil {
		return systems.State{}, Report{}, err
	}
	of := systems.CountsOf(l.state)
	p.report.Counts.Seed, p.report.Counts.Random = of.Seed, of.Random
	whole = true
	return l.state, p.report, nil
}

// planOf reads as much of a file as its plan depends on.
func planOf(r io.ReaderAt, size int64, given destination, o *Options) (*plan, *source, error) {
	f, err := openSource(r, size, o.Progress)
	if err != nil {
		return nil, nil, err
	}
	u, err := f.used()
	if err == nil {
		u.recipes, err = f.owning()
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := f.header.plan(&u, given, o)
	return p, f, err
}

// Reread is [Read] into the memory of a spare world, which it invalidates. Use it for frequent
// loads: it allocates only what reading needs. The spare world must contain every kind in the file,
// and the recipes of its objects. After an error or a panic, the spare world is unusable. If the
// counts of the file place the rows of a kind differently from those of the spare world, Reread
// first reads into a world of its own.
func Reread(
	r io.ReaderAt, size int64, spare systems.State, o Options,
) (systems.State, Report, error) {
	p, f, err := planOf(r, size, destination{counts: systems.CountsOf(spare), spare: true}, &o)
	switch {
	case err != nil:
		return spare, Report{}, err
	case p.moved:
		return rereadElsewhere(r, size, spare, o)
	}
	l := &filler{plan: p, source: f, options: &o, state: spare}
	if err := l.fill(); err != nil {
		return l.state, Report{}, err
	}
	return l.state, p.report, nil
}

// rereadElsewhere is [Reread] through a second world.
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
