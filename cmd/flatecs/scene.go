package main

import (
	"bufio"
	"context"
	"io"
	"time"

	"github.com/flatecs/flatecs/cmd/scene"
)

// playFlags are the flags of every command that plays a scene.
type playFlags struct {
	Workers uint8  `help:"${workers}" default:"1"`
	Digest  string `help:"${digest}"  default:"none" enum:"last,every,none"`
	Render  string `help:"${picture}" default:"none" enum:"none"`
	Summary bool   `help:"${summary}"`

	Inspect  address  `help:"${inspect}" placeholder:"ADDR"`
	Profiles profiles `embed:"" group:"Profiling"`
}

// sceneFlags are those of the commands that begin one.
type sceneFlags struct {
	Frames uint64 `help:"${steps}" default:"600"`
	Seed   uint64 `help:"${seed}"  default:"1"`
	playFlags
	Record string `help:"${record}" placeholder:"FILE" type:"path"`
}

// Validate refuses files that are one.
func (f *sceneFlags) Validate() error {
	return f.Profiles.apart(flagFile{"--record", f.Record})
}

// play opens a scene and plays it.
func (f *sceneFlags) play(ctx context.Context, s streams, sc *scene.Scene, o scene.Options) error {
	o.Seed = f.Seed
	return f.profiled(ctx, s, sc, o, func(r *sceneRun) error {
		r.player = &idle{f.Frames}
		if f.Record == "" {
			return nil
		}
		return r.record(f.Record)
	})
}

// profiled opens a scene and plays it while profiles are taken. What the command adds to the run is
// set up before the first step.
func (f *playFlags) profiled(
	ctx context.Context, s streams, sc *scene.Scene, o scene.Options, setUp func(*sceneRun) error,
) error {
	stop, err := f.Profiles.start(s.err)
	if err != nil {
		return err
	}
	err = f.run(ctx, s, sc, o, setUp)
	if stopErr := stop(); err == nil {
		err = stopErr
	}
	return err
}

func (f *playFlags) run(
	ctx context.Context, s streams, sc *scene.Scene, o scene.Options, setUp func(*sceneRun) error,
) error {
	begin := time.Now()
	o.Workers = int(f.Workers)
	o.Clock = func() time.Duration { return time.Since(begin) }
	play, err := sc.Open(o)
	if err != nil {
		return err
	}
	r := &sceneRun{Play: play, state: play.First, opening: time.Since(begin)}
	defer func() { play.Close(r.state) }()
	r.counting = f.Summary
	if err = f.addWatchers(r, s); err == nil {
		err = setUp(r)
	}
	if err == nil {
		err = r.steps(ctx)
	}
	err = r.end(err)
	if f.Summary && !isClosedPipe(err) {
		cost := r.summary()
		cost.print(s.err)
	}
	return err
}

// addWatchers adds what the flags ask for.
func (f *playFlags) addWatchers(r *sceneRun, s streams) error {
	if f.Digest != "none" {
		r.watchers = append(r.watchers, newDigests(s.out, f.Digest == "every"))
	}
	if f.Inspect != "" {
		i, err := inspectAt(f.Inspect, r, s.err)
		if err != nil {
			return err
		}
		r.watchers = append(r.watchers, i)
	}
	return nil
}

// A lineWriter collects lines and lets a reader follow a long run.
type lineWriter struct {
	*bufio.Writer
	flushed time.Time
}

func newLineWriter(w io.Writer) lineWriter {
	return lineWriter{bufio.NewWriterSize(w, 1<<16), time.Now()}
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
