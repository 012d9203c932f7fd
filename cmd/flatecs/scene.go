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

// sceneFlags are the flags of commands that start a scene.
type sceneFlags struct {
	Frames *uint64 `help:"${steps}" placeholder:"N"`
	Seed   uint64  `help:"${seed}"  default:"1"`
	playFlags
	Record newFile `help:"Record inputs and digests, for replay." placeholder:"FILE"`

	Saving saveFlags `embed:"" group:"Saving"`
}

// Validate refuses equal files and contradictory flags.
func (f *sceneFlags) Validate() error {
	if err := f.check(); err != nil {
		return err
	}
	if err := f.Saving.check(string(f.Record)); err != nil {
		return err
	}
	record, out := flagFile{"--record", string(f.Record)}, flagFile{"--out", string(f.Out)}
	load := flagFile{"--load", string(f.Saving.Load)}
	if err := f.Profiles.requireDistinct(load, record, out); err != nil {
		return err
	}
	return f.Profiles.requireDistinct(flagFile{"--save", string(f.Saving.Save)}, record, out)
}

// validate is Validate. It also refuses variants that the scene lacks.
func (f *sceneFlags) validate(sc *scene.Scene, variant string) error {
	if err := sc.CheckVariant(variant); err != nil {
		return fmt.Errorf("--variant: %w", err)
	}
	return f.Validate()
}

// check refuses contradictory flags.
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

// playedBy opens a scene and plays it with a player; without one, keys play.
func (f *sceneFlags) playedBy(
	ctx context.Context, s streams, sc *scene.Scene, o scene.Options, p *steady,
) error {
	o.Seed = f.Seed
	p.frames = f.Frames
	if f.Render == "auto" && f.Inspect != "" && !isTerminal(s.out) {
		f.Render = "none"
	}
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

// profiled opens a scene and plays it while profiles run. The command's additions are set up before
// the first step.
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
		r.hand.Close() // announces a deliberate end
	}
	if f.Summary && !isClosedPipe(err) {
		cost := r.summary()
		cost.print(s.err)
	}
	return err
}

// addProgress shows the steps of a run that is not visible otherwise.
func (f *playFlags) addProgress(r *sceneRun, s streams) {
	seen := f.Digest == "every" || r.story != nil && f.Render != "none" || f.watched(s)
	if p := newProgress(s.err, r.Scene.Name); p != nil && (!seen || !isTerminal(s.out)) {
		r.watchers = append([]watcher{p.ofSteps(&r.allocations, r.player.far)}, r.watchers...)
	}
}

// addWatchers adds the watchers that the flags request.
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

// A lineWriter buffers lines, and flushes often enough to follow a long run.
type lineWriter struct {
	*bufio.Writer
	flushed time.Time
}

// flushNowAndThen flushes if the last flush was a while ago.
func (l *lineWriter) flushNowAndThen() error {
	if now := time.Now(); now.Sub(l.flushed) > 100*time.Millisecond {
		l.flushed = now
		return l.Flush()
	}
	_, err := l.Write(nil) // returns the error of an earlier write
	return err
}
