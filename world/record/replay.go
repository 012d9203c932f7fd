package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/timeline"
)

// Open opens a recording as a timeline: At returns any frame. Package why and the inspector accept
// the timeline, and package hunt accepts the file. Open returns the errors of [Read] and of
// [File.Timeline].
func Open(path string, c world.Counts, step Step, o Options) (*timeline.Timeline, error) {
	f, err := Read(path)
	if err != nil {
		return nil, err
	}
	return f.Timeline(c, step, o)
}

// Timeline opens a recording as a timeline. It returns [ErrBuild], wrapped.
func (f *File) Timeline(c world.Counts, step Step, o Options) (*timeline.Timeline, error) {
	s, err := f.store(c, o)
	if err != nil {
		return nil, err
	}
	return timeline.Open(s, step), nil
}

// Replay repeats a recording, and compares each digest. It calls each, unless nil, with the world
// after each step, and after edits there, for reading. It returns the errors of [Read], [ErrBuild]
// and [ErrDiffers], wrapped; the error names the frame and the tick. Where the next world is
// stored, a [*timeline.DifferError] also names the first kind, object and field that differ. A step
// that panicked when it was recorded panics again.
func Replay(path string, c world.Counts, step Step, o Options, each func(s world.State)) error {
	f, err := Read(path)
	if err != nil {
		return err
	}
	return f.Replay(c, step, o, each)
}

// Replay is [Replay] of this file.
func (f *File) Replay(c world.Counts, step Step, o Options, each func(s world.State)) error {
	own, err := f.store(c, o)
	if err != nil {
		return err
	}
	past := timeline.Open(own, step)
	defer past.Close()
	first, next := f.Frames()
	equal, differs := first, error(nil)
	for frame := first; frame <= next; frame++ {
		n := timeline.Newest(f.worlds, frame)
		begins, given := f.worlds[n].Frame == frame, n == 0 || f.worlds[n].Fixed
		if differs != nil && begins && given {
			return differs
		}
		s, err := past.At(frame)
		if err != nil {
			return err
		}
		digest, ok, err := f.Digest(frame)
		switch {
		case err != nil:
			return err
		case differs != nil || !ok:
		case begins && given, world.Digest(s) == digest:
			equal = frame
		default:
			differs = own.differ(s, frame, equal)
		}
		if differs != nil && begins {
			return own.explain(differs, s, n)
		}
		if each != nil && differs == nil && frame > first {
			each(s)
		}
	}
	return differs
}

// A store is a recording as a [timeline.Store].
type store struct {
	*File
	counts  world.Counts
	options Options
	deltas  delta.Coder
}

func (f *File) store(c world.Counts, o Options) (*store, error) {
	f.mustBeOpen()
	if o = o.filled(); o.Build != f.Head.Build && !o.AnyBuild {
		return nil, f.about(fmt.Errorf("%w: %q, and this is %q", ErrBuild, f.Head.Build, o.Build))
	}
	return &store{File: f, counts: c, options: o}, nil
}

// differ returns the error of a world whose digest differs from the recorded one.
func (r *store) differ(s world.State, frame, equal int) error {
	builds := ""
	if was, is := r.Head.Build, r.options.Build; was != is {
		builds = fmt.Sprintf("; %q recorded it, and %q replays", was, is)
	}
	return fmt.Errorf("record: %w at tick %d, before the step of frame %d; before that of frame "+
		"%d both were equal%s", ErrDiffers, world.Tick(s), frame, equal, builds)
}

// explain adds the differences from the first world of a segment to the error.
func (r *store) explain(err error, s world.State, n int) error {
	then, failed := r.Restore(world.State{}, n)
	defer func() { systems.Discard(then) }()
	if failed != nil {
		return err // it is complete without them
	}
	return errors.Join(err, timeline.Compare(r.worlds[n].Frame, then, s))
}

// Restore brings a world, or the zero State, to the beginning of a segment: it reads the last full
// world, and applies the deltas from there. After an error the world is unusable.
func (r *store) Restore(s world.State, n int) (world.State, error) {
	i := n
	for r.segments[i].delta {
		i--
	}
	for ; i <= n; i++ {
		read := r.load // inputs of the last segment are needed next
		if i < n {
			read = r.world
		}
		p, err := read(i)
		if err == nil {
			s, err = r.apply(s, p, r.segments[i].delta)
		}
		if err == nil && i == n {
			err = r.check(s, p)
		}
		if err != nil {
			return s, r.about(fmt.Errorf("the world of frame %d: %w", r.worlds[i].Frame, err))
		}
	}
	return s, nil
}

// check compares the digest of a restored world, unless it may have been migrated from another
// build. Builds of one name have other kinds if the name is no version.
func (r *store) check(s world.State, p *part) error {
	got, was := systems.Digest(s), p.marks[0].digest
	if got == was || r.Head.Build != r.options.Build {
		return nil
	}
	if kind := r.otherKind(s); kind != "" {
		if r.options.AnyBuild {
			return nil
		}
		return fmt.Errorf("%w: %s; %s", ErrBuild, kind, resized)
	}
	return fmt.Errorf("%w: its digest is %016x, and was %016x; %s", ErrDamaged, got, was, resized)
}

// otherKind says which kind a world or the recording has and the other one lacks; "": none.
func (r *store) otherKind(s world.State) string {
	is, was := r.options.headOf(s, 0).Kinds, r.Head.Kinds
	for _, k := range was {
		if !slices.Contains(is, k) {
			return fmt.Sprintf("%q was recorded, and the counts lack it", k)
		}
	}
	for _, k := range is {
		if !slices.Contains(was, k) {
			return fmt.Sprintf("the counts have %q, and the recording lacks it", k)
		}
	}
	return ""
}

// resized is the cure if the world had other counts, apart from its room for objects.
const resized = "if the world was resized before or after, give the counts that it had then"

const (
	maxGrowth = 64      // limits the objects of a resized world, as a multiple of the counts
	free      = 1 << 20 // objects of counts that do not say how many
)

// apply advances a world from the beginning of the previous segment to the beginning of this one.
func (r *store) apply(s world.State, p *part, differs bool) (world.State, error) {
	if differs {
		s, err := r.deltas.Apply(s, p.world)
		if err != nil {
			err = fmt.Errorf("%w; %s", err, resized)
		}
		return s, err
	}
	c, from := r.counts, bytes.NewReader(p.world)
	if had := cmp.Or(c.GameObjects, free); p.room/maxGrowth > had {
		return s, fmt.Errorf("%w: the world was resized to %d objects, and the counts have %d; "+
			"give those of the recording", world.ErrCount, p.room, had)
	}
	c.GameObjects = cmp.Or(p.room, c.GameObjects)
	if s != (world.State{}) && spare(world.CountsOf(s), c.Complete()) {
		again, _, err := save.Reread(from, from.Size(), s, r.options.Save)
		if !errors.Is(err, save.ErrSchema) { // it has no kinds that the counts lack
			return again, err
		}
	}
	next, _, err := save.Read(from, from.Size(), c, r.options.Save)
	if err == nil {
		systems.Discard(s)
		s = next
	}
	return s, err
}

// spare reports whether a world has the room and the kinds of the counts, and no others.
func spare(had, c world.Counts) bool {
	return had.GameObjects == c.GameObjects && len(had.Kinds) == len(c.Kinds) &&
		len(had.Recipes) == len(c.Recipes)
}
