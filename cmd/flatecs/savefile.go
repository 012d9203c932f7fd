package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"syscall"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// saveFlags are the flags of commands that save the world, or continue from a saved one.
type saveFlags struct {
	Save      newFile `help:"Save the world to a file at the end." placeholder:"FILE"`
	SaveEvery uint64  `help:"Also save after every N steps." placeholder:"N"`
	Load      newFile `help:"Continue with the world in a file." placeholder:"FILE"`
}

var (
	errSaveEvery  = errors.New("--save-every: name the file by --save")
	errLoadRecord = errors.New("--load, --record: a recording begins at the start of a scene")
)

// check refuses contradictory flags.
func (f *saveFlags) check(record string) error {
	switch {
	case f.SaveEvery > 0 && f.Save == "":
		return errSaveEvery
	case f.Load != "" && record != "":
		return errLoadRecord
	}
	return nil
}

// goOn loads the world of a run, for a player to continue.
func (f *saveFlags) goOn(r *sceneRun, s streams, p *steady) error {
	if f.Load == "" || r.handed {
		return nil
	}
	if err := r.load(string(f.Load), s.err); err != nil {
		return err
	}
	if p.frames != nil {
		last := r.played + min(*p.frames, math.MaxUint64-r.played)
		p.frames = &last
	}
	return nil
}

// set makes a run save its world.
func (f *saveFlags) set(r *sceneRun, s streams) error {
	if f.Save == "" {
		return nil
	}
	v := &saving{path: string(f.Save), every: f.SaveEvery, err: s.err, options: r.saveOptions()}
	if v.every > 0 {
		var err error
		if v.saver, err = save.NewSaver(v.path, r.state, v.options); err != nil {
			return err
		}
	}
	switch err := save.Sweep(v.path); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), // the folder is missing
		errors.Is(err, save.ErrNotFile):
		return err
	case err != nil: // every save would fail
		_, _ = fmt.Fprintf(s.err, "flatecs: %s\n", printable(err.Error()))
	}
	w := watcher{ended: v.ended}
	if v.saver != nil {
		w.stepped = v.stepped
	}
	r.watchers = append(r.watchers, w)
	return nil
}

func (r *sceneRun) saveOptions() save.Options {
	return save.Options{Behaviour: r.Scene.Behaviour}
}

// load replaces the world of a run by the world in a file, with the scene's counts.
func (r *sceneRun) load(path string, stderr io.Writer) error {
	options, p := r.saveOptions(), newProgress(stderr, "loading")
	options.Progress = p.ofBytes()
	state, report, err := save.Load(path, world.CountsOf(r.state), options)
	p.end()
	if err != nil {
		return err
	}
	what := []string{"kept", "dropped", "new"}
	for n, names := range [][]string{report.Kept, report.Dropped, report.New} {
		if len(names) > 0 {
			_, _ = fmt.Fprintf(stderr, "flatecs: %s: %s: %s\n", printable(path), what[n],
				strings.Join(names, ", "))
		}
	}
	world.Close(r.state)
	r.state, r.played = state, report.Frame
	return nil
}

// A saving saves the world at the end, and at intervals of steps.
type saving struct {
	path    string
	every   uint64
	options save.Options
	saver   *save.Saver
	due     bool
	err     io.Writer
}

func (v *saving) stepped(played uint64, state world.State) error {
	if v.due = v.due || played%v.every == 0; !v.due {
		return nil
	}
	v.saver.Frame = played
	err := v.saver.Offer(state)
	if v.due = err != nil; errors.Is(err, save.ErrLate) {
		return nil // the next step tries again
	}
	return err
}

func (v *saving) ended(played uint64, state world.State, why error) error {
	var err error
	if v.saver != nil {
		err = v.saver.Close()
		if n := v.saver.Counts(); n.Late > 0 {
			_, _ = fmt.Fprintf(v.err, "flatecs: %s: saves behind the loop: %d; for %d "+
				"steps the next was due while one was being written\n", v.path, n.Saved, n.Late)
		}
	}
	if err == nil && (why == nil || errors.Is(why, errInterrupted) || isClosedPipe(why)) {
		p := newProgress(v.err, "saving")
		v.options.Progress, v.options.Frame = p.ofBytes(), played
		err = save.Save(v.path, state, v.options)
		p.end()
	}
	return err
}
