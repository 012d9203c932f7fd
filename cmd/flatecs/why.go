package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/recording"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// whyWrote is the command that tells which job wrote a value.
type whyWrote struct {
	File   string  `help:"A recording." arg:""`
	Field  string  `help:"${whyfield}" required:"" placeholder:"F"`
	Object string  `help:"${whyobject}" default:"nobody" placeholder:"ID"`
	Before uint64  `help:"Only writes before this tick." placeholder:"TICK"`
	Writes uint32  `help:"Number of writes, from the last one back." default:"1" placeholder:"N"`
	To     *uint64 `help:"Steps of the recording to play." placeholder:"N"`
	Most   uint32  `help:"${most}" default:"1048576" placeholder:"N"`
}

// errNoField is the error of a field that no kind of a world has.
var errNoField = errors.New("no kind has this field")

// Run plays the recording, and asks.
func (c *whyWrote) Run(ctx context.Context, s streams) error {
	file, from, sc, err := openRecording(c.File, c.Most)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	play, err := sc.Open(from.Head.Options())
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	defer func() { play.Close(play.First) }()
	past, err := timeline.New(play.First, timeline.Options{
		Step: func(s world.State, input []byte) world.State {
			return play.Step(s, scene.Input(input[0]))
		},
		Frames: 1 << 26, InputBytes: 1,
	})
	if err != nil {
		return err
	}
	defer past.Close()
	if err := c.play(ctx, play, from, past); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return c.ask(s.out, play.First, why.Past{Timeline: past, Jobs: play.Schedule})
}

// play takes the steps of the recording.
func (c *whyWrote) play(
	ctx context.Context, play *scene.Play, from *recording.Reader, past *timeline.Timeline,
) error {
	for n := uint64(1); c.To == nil || n <= *c.To; n++ {
		step, err := from.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err == nil && ctx.Err() != nil:
			err = context.Cause(ctx)
		case err == nil:
			err = past.Record(play.First, []byte{byte(step.Input)})
		}
		if err != nil {
			return err
		}
		play.First = play.Step(play.First, step.Input)
		if got := world.Digest(play.First); got != step.Digest {
			return fmt.Errorf("%w after step %d: digest %016x, recorded as %016x; run replay "+
				"for more, or ask up to it by --to %d", errDiffers, n, got, step.Digest, n-1)
		}
	}
	return nil
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
	before := c.Before
	if before == 0 {
		before = why.Now
	}
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

// fieldOf returns the field of a world that has a name, as kind.field.
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
	return nil, fmt.Errorf("--field %s: %w; %s", name, errNoField, scene.Suggest(name, names))
}
