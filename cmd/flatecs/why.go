package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// whyWrote is the command that finds the job that wrote a value.
type whyWrote struct {
	File   string  `help:"A recording." arg:""`
	Field  string  `help:"${whyfield}" required:"" placeholder:"F"`
	Object string  `help:"${whyobject}" default:"nobody" placeholder:"ID"`
	Before uint64  `help:"Only writes before this tick." placeholder:"TICK"`
	Writes uint32  `help:"Number of writes, from the last one back." default:"1" placeholder:"N"`
	To     *uint64 `help:"Steps of the recording to play." placeholder:"N"`
	Most   uint32  `help:"${most}" default:"1048576" placeholder:"N"`
}

// Run replays the recording, and prints the writes.
func (c *whyWrote) Run(ctx context.Context, s streams) error {
	from, play, err := openRecording(c.File, c.Most)
	if err != nil {
		return err
	}
	defer func() { play.Close(play.First) }()
	past, err := timeline.New(play.First, timeline.Options{
		Step: scene.Repeated(play), Frames: 1 << 26, InputBytes: 1,
	})
	if err != nil {
		return err
	}
	defer past.Close()
	if err := c.play(ctx, play, from, past); err != nil {
		return err
	}
	return c.ask(s.out, play.First, why.Past{Timeline: past, Jobs: play.Schedule})
}

// play takes the recorded steps.
func (c *whyWrote) play(
	ctx context.Context, play *scene.Play, from *record.File, past *timeline.Timeline,
) error {
	again := &replayed{from: from, path: c.File, to: c.To}
	for n := range again.last() {
		input, err := again.next(n, play.First)
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = past.Record(play.First, []byte{byte(input)})
		}
		if err != nil {
			return c.upTo(n, err)
		}
		play.First = play.Step(play.First, input)
	}
	return c.upTo(again.last(), again.compare(again.last(), play.First))
}

// upTo adds to the error of a difference up to which step questions are possible.
func (c *whyWrote) upTo(step uint64, err error) error {
	if errors.Is(err, errDiffers) {
		return fmt.Errorf("%w; run replay for more, or ask up to it by --to %d", err, step-1)
	}
	return err
}

// ask prints the writes.
func (c *whyWrote) ask(out io.Writer, s world.State, past why.Past) error {
	field, err := fieldOf(s, c.Field)
	if err != nil {
		return err
	}
	id, err := tool.FindGameObject(s, c.Object)
	if err != nil {
		return fmt.Errorf("--object %s: %w", c.Object, err)
	}
	before := cmp.Or(c.Before, why.Now)
	for range c.Writes {
		w, err := past.Wrote(id, field, before)
		if err != nil {
			return err
		}
		if w.Source != "" {
			_, err = fmt.Fprintf(out, "%v; in %s\n", w, w.Source)
		} else {
			_, err = fmt.Fprintln(out, w)
		}
		if err != nil {
			return err
		}
		before = w.Tick
	}
	return nil
}

// fieldOf returns the field of a world called kind.field.
func fieldOf(s world.State, name string) (*layout.FieldSpec, error) {
	if f, err := tool.FieldNamed(s, name); err == nil {
		return f, nil
	}
	var names []string
	for _, use := range tool.KindUses(s) {
		for _, f := range use.Kind.Fields() {
			names = append(names, f.String())
		}
	}
	return nil, fmt.Errorf("--field %s: no kind has this field; %s", name,
		scene.Suggest(name, names))
}
