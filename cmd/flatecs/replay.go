package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/console"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/timeline"
)

// replay is the command that replays a recording and compares the worlds.
type replay struct {
	File string  `help:"A recording: a file, or a folder." arg:""`
	To   *uint64 `help:"Steps to play at most." placeholder:"N"`
	Most uint32  `help:"${most}" default:"1048576" placeholder:"N"`
	Read reading `embed:""`
	playFlags
}

// reading are the commands for recordings of any program that do not replay them.
type reading struct {
	Show bool    `help:"Print the recording, of any program, without playing it."`
	Pack newFile `help:"Write the recording, a folder, as one file." placeholder:"FILE"`
}

// Errors of replays. The returned errors wrap them, with the position.
var (
	errDiffers   = errors.New("the world differs")
	errBehaviour = errors.New("the scene behaves differently now")
	errMost      = errors.New("the recording asks for too many objects")
	errNoScene   = errors.New("another program recorded this; replay it there by record.Replay, " +
		"or see it by page.Serve of package record/page, in ten lines")
)

// Validate refuses profiles that would overwrite the recording.
func (c *replay) Validate() error {
	if err := c.check(); err != nil {
		return err
	}
	return c.Profiles.requireDistinct(flagFile{"FILE", c.File}, flagFile{"--out", string(c.Out)})
}

// Run replays the recording.
func (c *replay) Run(ctx context.Context, s streams) error {
	if c.Read.Show || c.Read.Pack != "" {
		return c.Read.run(c.File, s.out)
	}
	from, err := readRecording(c.File)
	if err != nil {
		return err
	}
	if is, err := c.replayArena(from, s.out); is {
		return err
	}
	sc, o, err := sceneOf(from, c.File, c.Most)
	if err != nil {
		return err
	}
	again := &replayed{from: from, path: c.File, to: c.To, out: s.out}
	err = c.profiled(ctx, s, sc, o, func(r *sceneRun) error {
		r.player, again.stays = again, c.Inspect != ""
		r.watchers = append(r.watchers, watcher{ended: again.ended})
		return nil
	})
	if errors.Is(err, errDiffers) {
		return errors.Join(err, whatDiffers(from, sc, o))
	}
	return err
}

// whatDiffers finds the first value that differs in the next recorded world.
func whatDiffers(from *record.File, sc *scene.Scene, o scene.Options) error {
	play, err := sc.Open(o)
	if err != nil {
		return err
	}
	defer func() { play.Close(play.First) }()
	err = from.Replay(world.CountsOf(play.First), scene.Repeated(play),
		record.Options{Build: version(), AnyBuild: true}, nil)
	if differ, ok := errors.AsType[*timeline.DifferError](err); ok {
		return fmt.Errorf("recorded and replayed after step %d: %v", differ.Frame,
			differ.Difference.Difference)
	}
	return nil
}

// run prints or packs a recording.
func (c *reading) run(path string, out io.Writer) error {
	from, err := readRecording(path)
	if err != nil {
		return err
	}
	if c.Pack != "" {
		to, err := file.Create(string(c.Pack))
		if err != nil {
			return err
		}
		if err := from.Pack(to); err != nil {
			to.Discard()
			return err
		}
		return to.Commit()
	}
	return show(out, from)
}

// show prints a recording: its head, its notes, and its frames with inputs in hexadecimal and the
// number of repetitions.
func show(to io.Writer, from *record.File) error {
	out := bufio.NewWriter(to) // errors stay until Flush
	first, next := from.Frames()
	h := from.Head
	_, _ = fmt.Fprintf(out, "build %s\nprogram %s\nframes %d to %d, %d a second, %d bytes each\n",
		h.Build, h.Program, first, next-1, h.StepRate, h.InputBytes)
	for _, k := range h.Kinds {
		_, _ = fmt.Fprintln(out, "kind", k)
	}
	var last []byte
	since := first
	tell := func(frame int) {
		if frame > since {
			_, _ = fmt.Fprintf(out, "%d\t%x x %d\n", since, last, frame-since)
		}
	}
	for frame := first; frame < next; frame++ {
		input, err := from.Input(frame)
		if err != nil {
			return err
		}
		if !bytes.Equal(input, last) {
			tell(frame)
			since, last = frame, append(last[:0], input...)
		}
	}
	tell(next)
	for _, n := range from.Notes {
		_, _ = fmt.Fprintf(out, "%s at frame %d, tick %d: %s\n%s", n.What, n.Frame, n.Tick, n.Text,
			n.Stack)
	}
	if from.Torn != nil {
		_, _ = fmt.Fprintln(out, from.Torn)
	}
	return out.Flush()
}

// readRecording opens a recording, which may come from a pipe.
func readRecording(path string) (*record.File, error) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return record.Read(path)
	}
	in, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	from, err := record.ReadFrom(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return from, nil
}

// openRecording opens a recording of a scene, and the scene.
func openRecording(path string, most uint32) (*record.File, *scene.Play, error) {
	from, err := readRecording(path)
	if err != nil {
		return nil, nil, err
	}
	sc, o, err := sceneOf(from, path, most)
	if err != nil {
		return nil, nil, err
	}
	play, err := sc.Open(o)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return from, play, nil
}

// sceneOf returns the scene of a recording. The scene must behave as recorded, and have at most
// most objects.
func sceneOf(from *record.File, path string, most uint32) (
	sc *scene.Scene, o scene.Options, err error,
) {
	var p recordedScene
	first, next := from.Frames()
	if json.Unmarshal([]byte(from.Head.Program), &p) != nil || p.Scene == "" {
		err = fmt.Errorf("%s: %w", path, errNoScene)
	} else if p.Scene == arena.DuelName {
		sc = duelOf(from)
	} else if sc, err = gallery.ByName(p.Scene); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case err != nil:
	case p.Count < 0 || p.Supers < 0 || p.Count > int(most) || p.Supers > int(most)-p.Count:
		err = fmt.Errorf("%s: %w: %d, of %d at most; raise --most if you trust it", path, errMost,
			uint64(p.Count)+uint64(p.Supers), most)
	case first != 0 || next > 0 && from.Head.InputBytes != 1:
		err = fmt.Errorf("%s: %w", path, errNoScene)
	case sc.Behaviour != p.Behaviour:
		err = fmt.Errorf("%s: %s: %w: version %d, not %d; replay with the recording program: %s",
			path, sc.Name, errBehaviour, sc.Behaviour, p.Behaviour, from.Head.Build)
	}
	o = scene.Options{Count: p.Count, Supers: p.Supers, Seed: p.Seed, Variant: p.Variant}
	return sc, o, err
}

// A replayed is a player that repeats recorded inputs, and compares the worlds.
type replayed struct {
	from *record.File
	path string
	to   *uint64
	out  io.Writer

	stays bool // it continues after the end, and can go back
	told  bool
}

// last returns the number of recorded steps.
func (r *replayed) last() uint64 {
	_, next := r.from.Frames()
	if r.to != nil {
		return min(*r.to, uint64(next))
	}
	return uint64(next)
}

func (r *replayed) next(played uint64, state world.State) (scene.Input, error) {
	if err := r.compare(played, state); err != nil {
		return 0, err
	}
	if played < r.last() {
		input, err := r.from.Input(int(played))
		if err != nil {
			return 0, err
		}
		return scene.Input(input[0]), nil
	}
	if torn := r.from.Torn; r.to == nil && torn != nil {
		return 0, torn
	}
	if r.stays {
		time.Sleep(scene.StepTime)
		return 0, cmp.Or(r.printSame(played), console.ErrPaused)
	}
	return 0, io.EOF
}

// edit replaces the world before the next step by the recorded world, if the recording contains a
// change there.
func (r *replayed) edit(run *sceneRun) error {
	if run.played > r.last() {
		return nil
	}
	all := r.from.Worlds()
	n := timeline.Newest(all, int(run.played))
	if n < 1 || !all[n].Fixed || all[n].Frame != int(run.played) {
		return nil
	}
	step := func(s world.State, _ []byte) world.State { return s } // no step leads to that world
	then, err := r.from.Timeline(world.CountsOf(run.state), step, record.Options{AnyBuild: true})
	if err != nil {
		return err
	}
	defer then.Close()
	edited, err := then.At(int(run.played))
	if err == nil && world.Digest(edited) != world.Digest(run.state) {
		run.state, err = pool.Copy(run.state, edited)
		noteChange(run)
	}
	return err
}

// compare compares the digest of the world with the recorded digest, if any.
func (r *replayed) compare(played uint64, state world.State) error {
	if played > r.last() {
		return nil
	}
	want, ok, err := r.from.Digest(int(played))
	if err != nil || !ok {
		return err
	}
	if got := world.Digest(state); got != want {
		return fmt.Errorf("%s: %w after step %d: digest %016x, recorded as %016x by %s",
			r.path, errDiffers, played, got, want, r.from.Head.Build)
	}
	return nil
}

// printSame prints once that the recording was replayed to its end.
func (r *replayed) printSame(played uint64) (err error) {
	if !r.told {
		r.told = true
		_, err = fmt.Fprintf(r.out, "%d steps, and all digests are equal\n", played)
	}
	return err
}

// far returns the progress in steps.
func (r *replayed) far(played uint64) (done, total int64) {
	return int64(played), int64(r.last())
}

func (r *replayed) ended(played uint64, _ world.State, why error) error {
	if why == nil {
		return r.printSame(played)
	}
	return nil
}
