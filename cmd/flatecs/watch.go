package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/share"
	"github.com/flatecs/flatecs/world/stage"
)

// watchFile is the command that shows the published world of another program.
type watchFile struct {
	File          newFile `arg:"" help:"${publishedfile}"`
	Lines         uint    `help:"Lines to print, one a second (default: all)." placeholder:"N"`
	Inspect       address `help:"Show the world in the inspector at ADDR." placeholder:"ADDR"`
	InspectAnyone bool    `help:"${inspectanyone}"`
}

// Validate refuses addresses that other machines reach, unless a flag allows them.
func (c *watchFile) Validate() error {
	return c.Inspect.refuseOthers("--inspect", "see all of that world", c.InspectAnyone)
}

// A watch reads a world that another program publishes.
type watch struct {
	*share.Reader
	out       io.Writer
	inspector *inspected
	frame     uint64 // frame of the last line
	at        time.Time
}

// Run prints lines at intervals, until the other program ends.
func (c *watchFile) Run(ctx context.Context, s streams) (err error) {
	r, err := share.OpenAny(string(c.File))
	if err != nil {
		return err
	}
	w := &watch{Reader: r, out: s.out}
	defer func() { err = errors.Join(err, w.close()) }()
	orderly(ctx)
	if c.Inspect != "" {
		if err := w.inspect(c, s.err); err != nil {
			return err
		}
	}
	return w.lines(ctx, c, s.err)
}

func (w *watch) lines(ctx context.Context, c *watchFile, stderr io.Writer) error {
	const look = 20 * time.Millisecond // interval of the page's frames
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for lines, due := uint(0), time.Now(); c.Lines == 0 || lines < c.Lines; {
		there := w.Writing()
		if now := time.Now(); !now.Before(due) || !there {
			if err := w.line(); err != nil {
				return err
			}
			lines, due = lines+1, now.Add(time.Second)
		}
		if !there {
			_, err := fmt.Fprintf(stderr, "flatecs: %s: the program that wrote it has ended\n",
				printable(string(c.File)))
			return err
		}
		select {
		case <-ctx.Done():
			return interrupted(ctx)
		case <-ticker.C:
		}
		if err := w.show(); err != nil {
			return err
		}
	}
	return nil
}

// line prints the latest frame: the objects of each kind, and the number of frames since the last
// line.
func (w *watch) line() error {
	f, err := w.Pin()
	if errors.Is(err, share.ErrNone) {
		_, err = fmt.Fprintln(w.out, "no frame yet")
		return err
	}
	if err != nil {
		return err
	}
	defer f.Unpin()
	s, now := f.State(), time.Now()
	line := fmt.Sprintf("frame %d  tick %d  %d game objects", f.Number(), world.Tick(s),
		world.Len(s))
	if w.frame > 0 {
		rate := float64(f.Number()-w.frame) / now.Sub(w.at).Seconds()
		line += fmt.Sprintf("  %.0f frames/s", rate)
	}
	w.frame, w.at = f.Number(), now
	var kinds []string
	for _, k := range tool.ShapeOf(s).Kinds {
		if n := tool.Mounted(s, k.Kind); n > 0 {
			kinds = append(kinds, fmt.Sprintf("%s %d", printable(k.Kind.String()), n))
		}
	}
	_, err = fmt.Fprintf(w.out, "%s  %s\n", line, strings.Join(kinds, ", "))
	return err
}

// inspect serves the inspector of the other program's world.
func (w *watch) inspect(c *watchFile, stderr io.Writer) error {
	f, err := w.Pin()
	if err != nil {
		return err
	}
	defer f.Unpin()
	w.inspector, err = inspectState(c.Inspect, f.State(), inspect.Options{
		Title: string(c.File), Clock: stage.Clock(time.Now),
	}, nil, stderr)
	return err
}

// show publishes the latest frame to the inspector.
func (w *watch) show() error {
	if w.inspector == nil {
		return nil
	}
	f, err := w.Pin()
	if err != nil {
		return err
	}
	defer f.Unpin()
	return w.inspector.Publish(f.State())
}

func (w *watch) close() error {
	var err error
	if w.inspector != nil {
		err = w.inspector.stop()
	}
	return errors.Join(err, w.Close())
}
