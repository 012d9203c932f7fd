package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	swarm "github.com/flatecs/flatecs/cmd/scene/heroes"
)

// heroes is the command that plays the heroes' scene.
type heroes struct {
	Act    string  `help:"${act}"    enum:"1,2,3," default:"" placeholder:"N"`
	Count  *uint32 `help:"Normal heroes, drawn at once: 2 in the story." placeholder:"N"`
	Supers *uint32 `help:"Super heroes, drawn one by one: 2 in the story." placeholder:"N"`

	State string `help:"${state}"  enum:"last,every,none," default:"" placeholder:"WHEN"`
	sceneFlags
}

// Validate refuses combinations that make no sense.
func (h *heroes) Validate() error {
	if err := h.sceneFlags.Validate(); err != nil || !h.told() {
		return err
	}
	drawn := h.Render == "term" || h.Render == "png" || h.Render == "gif"
	kept := h.Record != "" || h.Saving.Save != "" || h.Saving.Load != ""
	switch {
	case drawn || kept || h.Inspect != "" || h.Gizmos:
		return errors.New("--act and --state are of the story, which is text: leave them " +
			"out to draw, record, save or inspect the swarm")
	case (h.Act == "1" || h.Act == "2") && h.Digest != "none":
		return fmt.Errorf("--act %s: only act 3 has bytes to digest", h.Act)
	}
	return nil
}

// told reports whether the story of the three acts is told, by a flag that only it has.
func (h *heroes) told() bool { return h.Act != "" || h.State != "" }

// count returns how many heroes there are, of those the flag says, or as many as is usual.
func count(flag *uint32, usual int) int {
	if flag != nil {
		return int(min(uint64(*flag), math.MaxInt/2)) // two of them are added
	}
	return usual
}

func (h *heroes) normal() int { return count(h.Count, 2) }
func (h *heroes) super() int  { return count(h.Supers, 2) }

// Run plays the scene, or tells the story.
func (h *heroes) Run(ctx context.Context, s streams) error {
	if h.told() {
		return h.tell(ctx, s)
	}
	o := swarm.Scene.Defaults
	o.Count, o.Supers = count(h.Count, o.Count), count(h.Supers, o.Supers)
	return h.play(ctx, s, swarm.Scene, o)
}
