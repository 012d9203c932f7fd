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

// Validate refuses what the scene is not like.
func (c *flappyScene) Validate() error {
	return c.validate(flappy.Scene, c.Variant)
}

// Help shows what the command can do.
func (c *flappyScene) Help() string {
	return examples(
		"run flappy", "play in the terminal: space flaps",
		"run flappy --player pilot", "watch the scene's own pilot play",
		"run flappy --variant passed", "count pipes, not time",
		"run flappy --record a.rec", "write down what is pressed",
		"replay a.rec", "and play it again; an error where any byte differs",
	)
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
