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

// Validate refuses contradictory flags.
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

// told reports whether a flag asks for the story of the three acts.
func (h *heroes) told() bool { return h.Act != "" || h.State != "" }

// count returns the number of heroes in a flag, or the default.
func count(flag *uint32, usual int) int {
	if flag != nil {
		return int(min(uint64(*flag), math.MaxInt/2)) // two counts are added
	}
	return usual
}

func (h *heroes) normal() int { return count(h.Count, 2) }
func (h *heroes) super() int  { return count(h.Supers, 2) }

// Run plays the scene or the story.
func (h *heroes) Run(ctx context.Context, s streams) error {
	if h.told() {
		return h.tell(ctx, s)
	}
	o := swarm.Scene.Defaults
	o.Count, o.Supers = count(h.Count, o.Count), count(h.Supers, o.Supers)
	return h.play(ctx, s, swarm.Scene, o)
}
