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

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/console"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/scene/recording"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// replay is the command that plays a recording again and compares the worlds.
type replay struct {
	File string  `help:"A recording." arg:""`
	To   *uint64 `help:"Steps to play at most." placeholder:"N"`
	Most uint32  `help:"${most}" default:"1048576" placeholder:"N"`
	playFlags
}

// Help shows what the command can do.
func (c *replay) Help() string {
	return examples(
		"run cubes --record a.rec --frames 600", "record first",
		"replay a.rec", "play it again; fail where the world differs",
		"replay a.rec --render gif --out a.gif", "draw it, as a moving picture",
		"replay a.rec --inspect 8080", "look at any of its steps in a browser",
	)
}

// Errors of replays. They come with where it happened.
var (
	errDiffers   = errors.New("the world is another one")
	errBehaviour = errors.New("the scene behaves otherwise now")
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
	file, from, sc, err := openRecording(ctx, c.File, c.Most)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	again := &replayed{scene: sc, from: from, file: file, path: c.File, to: c.To, out: s.out}
	return c.profiled(ctx, s, sc, from.Head.Options(), func(r *sceneRun) error {
		r.player, r.replays, again.stays = again, true, c.Inspect != ""
		r.watchers = append(r.watchers, again)
		return nil
	})
}

// openRecording opens a recording of a scene that behaves as it did, and has so many objects at
// most.
func openRecording(ctx context.Context, path string, most uint32) (
	file *input, from *recording.Reader, sc *scene.Scene, err error,
) {
	if file, err = openInput(ctx, path); err != nil {
		return nil, nil, nil, err
	}
	if from, err = recording.NewReader(file); err == nil {
		sc, err = gallery.ByName(from.Head.Scene)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
	case uint64(from.Head.Count+from.Head.Supers) > uint64(most):
		err = fmt.Errorf("%s: %w: %d, of %d at most; raise --most if you trust it", path, errMost,
			from.Head.Count+from.Head.Supers, most)
	case sc.Behaviour != from.Head.Behaviour:
		err = fmt.Errorf("%s: %s: %w: version %d, not %d; replay with what recorded it: %s", path,
			sc.Name, errBehaviour, sc.Behaviour, from.Head.Behaviour, from.Head.Build)
	}
	if err != nil {
		_ = file.Close()
	}
	return file, from, sc, err
}

// replayed is a player who presses what a recording says, and a watcher who compares the worlds.
type replayed struct {
	scene *scene.Scene
	from  *recording.Reader
	file  *input
	path  string
	to    *uint64
	out   io.Writer
	want  uint64 // digest of the step that comes

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
		_, err = fmt.Fprintf(r.out, "%d steps, and every digest is the same\n", played)
	}
	return err
}

// far is told in steps where it is said how many there are, else in bytes.
func (r *replayed) far(played uint64) (done, total int64) {
	switch {
	case r.to != nil:
		return int64(played), int64(min(*r.to, math.MaxInt64))
	case r.file.size > 0:
		return r.file.read, r.file.size
	}
	return int64(played), unknown
}

func (r *replayed) stepped(
	played uint64, _ scene.Input, state world.State,
) (world.State, error) {
	got := world.Digest(state)
	if got == r.want {
		return state, nil
	}
	again := fmt.Sprintf("; not played once more, for that takes %d MB", world.Size(state)>>20)
	if world.Size(state) <= mostTwice {
		again = r.onceMore(played, state)
	}
	return state, fmt.Errorf("%s: %w after step %d: digest %016x, recorded as %016x by %s%s",
		r.path, errDiffers, played, got, r.want, r.from.Head.Build, again)
}

// mostTwice is how many bytes a world may have of which a second one is made to be compared.
const mostTwice = 64 << 20

// onceMore plays so many steps of the recording again, on one goroutine, and tells where this world
// differs from that of before, if it does: then this program does not do the same twice. What is
// not a file cannot be read once more.
func (r *replayed) onceMore(steps uint64, before world.State) string {
	if status, err := os.Stat(r.path); err != nil || !status.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(r.path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	from, err := recording.NewReader(file)
	if err != nil {
		return ""
	}
	play, err := r.scene.Open(from.Head.Options())
	if err != nil {
		return ""
	}
	state := play.First
	defer func() { play.Close(state) }()
	for range steps {
		step, err := from.Next()
		if err != nil {
			return ""
		}
		state = play.Step(state, step.Input)
	}
	where, differ, err := tool.FirstDifference(before, state)
	switch {
	case err != nil:
		return ""
	case differ:
		return fmt.Sprintf("; played once more on one goroutine, it differs: %s", where)
	}
	return "; played once more, it is the same world as now"
}

func (r *replayed) ended(played uint64, _ world.State, why error) error {
	if why == nil {
		return r.tellSame(played)
	}
	return nil
}
