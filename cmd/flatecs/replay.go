package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/console"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/scene/recording"
	"github.com/flatecs/flatecs/world"
)

// replay is the command that plays a recording again and compares the worlds.
type replay struct {
	File string  `help:"A recording." arg:""`
	To   *uint64 `help:"Steps to play at most." placeholder:"N"`
	Most uint32  `help:"${most}" default:"1048576" placeholder:"N"`
	playFlags
}

// Errors of replays. They come with where it happened.
var (
	errDiffers   = errors.New("the world differs")
	errBehaviour = errors.New("the scene behaves differently now")
	errMost      = errors.New("the recording asks for too many objects")
)

// Validate refuses profiles that would be written over the recording.
func (c *replay) Validate() error {
	if err := c.check(); err != nil {
		return err
	}
	return c.Profiles.apart(flagFile{"FILE", c.File}, flagFile{"--out", string(c.Out)})
}

// Run plays the recording.
func (c *replay) Run(ctx context.Context, s streams) error {
	in, from, sc, err := openRecording(c.File, c.Most)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	again := &replayed{from: from, file: in, path: c.File, to: c.To, out: s.out}
	return c.profiled(ctx, s, sc, from.Head.Options(), func(r *sceneRun) error {
		r.player, again.stays = again, c.Inspect != ""
		r.watchers = append(r.watchers, again)
		return nil
	})
}

// openRecording opens a recording of a scene that behaves as it did, and has so many objects at
// most.
func openRecording(path string, most uint32) (
	in *os.File, from *recording.Reader, sc *scene.Scene, err error,
) {
	if in, err = file.Open(path); err != nil {
		return nil, nil, nil, err
	}
	if from, err = recording.NewReader(in); err == nil {
		sc, err = gallery.ByName(from.Head.Scene)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
		if is, _ := in.Stat(); errors.Is(err, recording.ErrCut) && !is.Mode().IsRegular() {
			err = fmt.Errorf("%w; what writes this pipe or device must run first", err)
		}
	case uint64(from.Head.Count+from.Head.Supers) > uint64(most):
		err = fmt.Errorf("%s: %w: %d, of %d at most; raise --most if you trust it", path, errMost,
			from.Head.Count+from.Head.Supers, most)
	case sc.Behaviour != from.Head.Behaviour:
		err = fmt.Errorf("%s: %s: %w: version %d, not %d; replay with the recording program: %s",
			path, sc.Name, errBehaviour, sc.Behaviour, from.Head.Behaviour, from.Head.Build)
	}
	if err != nil {
		_ = in.Close()
	}
	return in, from, sc, err
}

// replayed is a player who presses what a recording says, and a watcher who compares the worlds.
type replayed struct {
	from *recording.Reader
	file *os.File
	path string
	to   *uint64
	out  io.Writer
	want uint64 // digest of the step that comes

	stays bool // it can be looked at after its end, and goes back
	told  bool
	known []recording.Step // if it stays
}

func (r *replayed) next(played uint64, _ world.State) (scene.Input, error) {
	if played < uint64(len(r.known)) {
		r.want = r.known[played].Digest
		return r.known[played].Input, nil
	}
	step, err := recording.Step{}, io.EOF
	if r.to == nil || played < *r.to {
		step, err = r.from.Next()
	}
	switch {
	case errors.Is(err, io.EOF) && r.stays:
		time.Sleep(scene.StepTime)
		return 0, cmp.Or(r.tellSame(played), console.ErrPaused)
	case errors.Is(err, io.EOF):
		return 0, err
	case err != nil:
		return 0, fmt.Errorf("%s: %w", r.path, err)
	}
	if r.stays {
		r.known = append(r.known, step)
	}
	r.want = step.Digest
	return step.Input, nil
}

// tellSame tells once that the recording was played to its end.
func (r *replayed) tellSame(played uint64) (err error) {
	if !r.told {
		r.told = true
		_, err = fmt.Fprintf(r.out, "%d steps, and all digests are equal\n", played)
	}
	return err
}

// far is told in steps where it is said how many there are, else in bytes.
func (r *replayed) far(played uint64) (done, total int64) {
	if r.to != nil {
		return int64(played), int64(min(*r.to, math.MaxInt64))
	}
	at, err := r.file.Seek(0, io.SeekCurrent)
	status, statErr := r.file.Stat()
	if err != nil || statErr != nil {
		return int64(played), unknown
	}
	return at, status.Size()
}

func (r *replayed) stepped(
	played uint64, _ scene.Input, state world.State,
) (world.State, error) {
	got := world.Digest(state)
	if got == r.want {
		return state, nil
	}
	return state, fmt.Errorf("%s: %w after step %d: digest %016x, recorded as %016x by %s",
		r.path, errDiffers, played, got, r.want, r.from.Head.Build)
}

func (r *replayed) ended(played uint64, _ world.State, why error) error {
	if why == nil {
		return r.tellSame(played)
	}
	return nil
}
