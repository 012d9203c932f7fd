package main

import (
	"context"

	"github.com/flatecs/flatecs/cmd/scene/flappy"
)

// flappyScene is the command that plays the flappy bird.
type flappyScene struct {
	Player  string `help:"${player}"   default:"auto" enum:"auto,keys,pilot,none"`
	Variant string `help:"${variants}" placeholder:"NAME"`
	sceneFlags
}

// Validate refuses flags that do not apply to the scene.
func (c *flappyScene) Validate() error {
	return c.validate(flappy.Scene, c.Variant)
}

// Run plays the scene.
func (c *flappyScene) Run(ctx context.Context, s streams) error {
	o := flappy.Scene.Defaults
	o.Variant = c.Variant
	p := &steady{}
	if c.Player == "pilot" || c.Player == "auto" && !c.watched(s) {
		p.pilot = flappy.Scene.Pilot
	}
	return c.playedBy(ctx, s, flappy.Scene, o, p)
}
