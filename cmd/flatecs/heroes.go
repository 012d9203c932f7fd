package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	swarm "github.com/flatecs/flatecs/cmd/scene/heroes"
)

// heroes is the command that plays the heroes' scene.
type heroes struct {
	Act    string  `help:"${act}"    enum:"1,2,3," default:"" placeholder:"N"`
	Count  *uint32 `help:"Normal heroes, drawn at once: 2 in the story." placeholder:"N"`
	Supers *uint32 `help:"Super heroes, drawn one by one: 2 in the story." placeholder:"N"`
	Swarm  bool    `help:"${swarm}"`

	Positions  *uint32 `help:"Rows for positions (act 3)." placeholder:"N"`
	Velocities *uint32 `help:"Rows for velocities (act 3)." placeholder:"N"`
	Flies      *uint32 `help:"Rows for flights (act 3)." placeholder:"N"`

	State string `help:"${state}"  enum:"last,every,none," default:"" placeholder:"WHEN"`
	sceneFlags
}

// Validate refuses combinations that make no sense.
func (h *heroes) Validate() error {
	if err := h.sceneFlags.Validate(); err != nil {
		return err
	}
	sized := strings.Join(h.sized(), ", ")
	switch {
	case h.swarms() && (h.Act == "1" || h.Act == "2"):
		return fmt.Errorf("--act %s: the swarm is told with the library; only act 3 is", h.Act)
	case h.swarms() && sized != "":
		return fmt.Errorf("%s: the swarm has room for its heroes; only the story is sized", sized)
	case h.swarms() && h.State == "every":
		return errors.New("--state every: only the story's state is printed")
	case h.Act == "1" || h.Act == "2":
		if h.Digest != "none" {
			return fmt.Errorf("--digest: act %s has no bytes to digest; only act 3 has", h.Act)
		}
		if sized != "" {
			return fmt.Errorf("%s: act %s has no buffers to size; only act 3 has", sized, h.Act)
		}
	}
	return nil
}

// sized returns the flags that size buffers and were given.
func (h *heroes) sized() (given []string) {
	for _, flag := range []struct {
		name  string
		value *uint32
	}{{"--positions", h.Positions}, {"--velocities", h.Velocities}, {"--flies", h.Flies}} {
		if flag.value != nil {
			given = append(given, flag.name)
		}
	}
	return given
}

// told reports whether a flag was given that only the story of the three acts has.
func (h *heroes) told() bool {
	return h.Act != "" || h.State != "" || len(h.sized()) > 0 || h.Digest != "none"
}

// swarms reports whether the heroes swarm, whatever stdout is, and do not tell the story of the
// three acts: they are to be looked at, or kept, or it was asked for.
func (h *heroes) swarms() bool {
	switch h.Render {
	case "term", "png", "gif":
		return true
	}
	kept := h.Record != "" || h.Saving.Save != "" || h.Saving.Load != ""
	return h.Swarm || kept || h.Inspect != "" || h.Gizmos
}

// count returns how many heroes there are, of those the flag says, or as many as is usual.
func count(flag *uint32, usual int) int {
	if flag != nil {
		return int(min(uint64(*flag), math.MaxInt/2)) // two of them are added
	}
	return usual
}

func (h *heroes) normal() int { return count(h.Count, 2) }
func (h *heroes) super() int  { return count(h.Supers, 2) }

// Run plays the scene.
func (h *heroes) Run(ctx context.Context, s streams) error {
	if h.swarms() || h.watched(s) && !h.told() {
		o := swarm.Scene.Defaults
		o.Count, o.Supers = count(h.Count, o.Count), count(h.Supers, o.Supers)
		return h.play(ctx, s, swarm.Scene, o)
	}
	return h.tell(ctx, s)
}
