package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/cmd/scene"
)

// playFlags are the flags of every command that plays a scene.
type playFlags struct {
	Workers uint8 `help:"${workers}" default:"1"`
	drawFlags
	Summary bool `help:"Print sizes, times and allocations to stderr."`

	Inspect       address  `help:"${inspect}" placeholder:"ADDR"`
	InspectAnyone bool     `help:"${inspectanyone}"`
	InspectEdit   bool     `help:"Let the inspector's page edit the world."`
	Publish       newFile  `help:"Publish the world in a file for programs." placeholder:"FILE"`
	Profiles      profiles `embed:"" group:"Profiling"`
}

// sceneFlags are those of the commands that begin one.
type sceneFlags struct {
	Frames *uint64 `help:"${steps}" placeholder:"N"`
	Seed   uint64  `help:"${seed}"  default:"1"`
	playFlags
	Record newFile `help:"Record inputs and digests, for replay." placeholder:"FILE"`

	Saving saveFlags `embed:"" group:"Saving"`
}

// Validate refuses files that are one, and flags that do not go together.
func (f *sceneFlags) Validate() error {
	if err := f.check(); err != nil {
		return err
	}
	if err := f.Saving.check(string(f.Record)); err != nil {
		return err
	}
	record, out := flagFile{"--record", string(f.Record)}, flagFile{"--out", string(f.Out)}
	if err := f.Profiles.apart(flagFile{"--load", string(f.Saving.Load)}, record, out); err != nil {
		return err
	}
	return f.Profiles.apart(flagFile{"--save", string(f.Saving.Save)}, record, out)
}

// validate does, and refuses variants that a scene has not.
func (f *sceneFlags) validate(sc *scene.Scene, variant string) error {
	if err := sc.CheckVariant(variant); err != nil {
		return fmt.Errorf("--variant: %w", err)
	}
	return f.Validate()
}

// check refuses flags that do not go together.
func (f *playFlags) check() error {
	if f.Digest == "every" && f.Render == "term" {
		return errors.New("--digest every: not possible with --render term")
	}
	if err := f.Inspect.refuseOthers("--inspect", inspectShows, f.InspectAnyone); err != nil {
		return err
	}
	err := f.Profiles.Pprof.refuseOthers("--pprof", pprofShows, f.Profiles.PprofAnyone)
	if err != nil {
		return err
	}
	return f.drawFlags.check()
}

// play opens a scene and plays it.
func (f *sceneFlags) play(ctx context.Context, s streams, sc *scene.Scene, o scene.Options) error {
	return f.playedBy(ctx, s, sc, o, &steady{})
}

// playedBy opens a scene, which somebody plays; the keys do where nobody does.
func (f *sceneFlags) playedBy(
	ctx context.Context, s streams, sc *scene.Scene, o scene.Options, p *steady,
) error {
	o.Seed = f.Seed
	p.frames = f.Frames
	paced := p.frames == nil && f.shown(s)
	if p.frames == nil && !paced {
		p.frames = f.usualSteps(s)
	}
	return f.profiled(ctx, s, sc, o, func(r *sceneRun) error {
		if err := f.Saving.goOn(r, s, p); err != nil {
			return err
		}
		orderly(ctx)
		if err := f.Saving.set(r, s); err != nil {
			return err
		}
		r.player, r.keys = p, p.pilot == nil
		if paced {
			r.watchers = append(r.watchers, paceOf(r))
		}
		switch {
		case f.Record == "":
			return nil
		case r.handed:
			return errHandedRecord
		}
		var err error
		if r.recorder, err = newRecorder(string(f.Record), r.Play); err == nil {
			r.watchers = append(r.watchers, watcher{ended: r.recorder.ended})
		}
		return err
	})
}

// profiled opens a scene and plays it while profiles are taken. What the command adds to the run is
// set up before the first step.
func (f *playFlags) profiled(
	ctx context.Context, s streams, sc *scene.Scene, o scene.Options, setUp func(*sceneRun) error,
) (err error) {
	stop, err := f.Profiles.start(ctx, s.err)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, stop()) }()
	begin := time.Now()
	o.Workers = int(f.Workers)
	o.Clock = func() time.Duration { return time.Since(begin) }
	_, opened := waiting(s.err, "opening "+sc.Name)
	play, err := sc.Open(o)
	opened()
	if err != nil {
		return err
	}
	lines := &lineWriter{bufio.NewWriterSize(s.out, 1<<16), time.Now()}
	r := &sceneRun{Play: play, state: play.First, lines: lines}
	r.opening = time.Since(begin)
	defer func() { play.Close(r.state) }()
	if err := r.join(s.err); err != nil {
		return err
	}
	r.counting = f.Summary
	f.Profiles.follow(r)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err = f.addWatchers(r, s); err == nil {
		err = setUp(r)
	}
	if err == nil && f.Inspect != "" {
		err = f.inspectAt(r, s.err)
	}
	f.addProgress(r, s)
	orderly(ctx)
	if err == nil && r.hand != nil {
		err = r.hand.Ready() // before the terminal is taken
	}
	if err == nil {
		err = f.draw(ctx, cancel, r, s)
	}
	if err == nil {
		err = r.steps(ctx)
	}
	err = r.end(err)
	if r.hand != nil && (err == nil || errors.Is(err, errInterrupted)) {
		r.hand.Close() // it ends as it wants to
	}
	if f.Summary && !isClosedPipe(err) {
		cost := r.summary()
		cost.print(s.err)
	}
	return err
}

// addProgress has the steps shown of a run that is not seen itself.
func (f *playFlags) addProgress(r *sceneRun, s streams) {
	seen := f.Digest == "every" || r.story != nil && f.Render != "none" || f.watched(s)
	if p := newProgress(s.err, r.Scene.Name); p != nil && (!seen || !isTerminal(s.out)) {
		r.watchers = append([]watcher{p.ofSteps(&r.allocations, r.player.far)}, r.watchers...)
	}
}

// addWatchers adds what the flags ask for.
func (f *playFlags) addWatchers(r *sceneRun, s streams) error {
	if f.Digest != "none" {
		d := &digests{r, f.Digest == "every"}
		r.watchers = append(r.watchers, watcher{d.stepped, d.ended})
	}
	if f.Publish != "" {
		return publishIn(string(f.Publish), r, s.err)
	}
	return nil
}

// A lineWriter collects lines and lets a reader follow a long run.
type lineWriter struct {
	*bufio.Writer
	flushed time.Time
}

// flushNowAndThen flushes when the last time is a while ago.
func (l *lineWriter) flushNowAndThen() error {
	if now := time.Now(); now.Sub(l.flushed) > 100*time.Millisecond {
		l.flushed = now
		return l.Flush()
	}
	_, err := l.Write(nil) // the error of an earlier write, if any
	return err
}
