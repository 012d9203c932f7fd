package main

import (
	"context"

	"github.com/flatecs/flatecs/cmd/scene/cubes"
)

// cubesScene is the command that plays the falling cubes.
type cubesScene struct {
	Count   uint32 `help:"${cubes}" default:"10000"`
	Variant string `help:"${cubesvariants}" placeholder:"NAME"`
	sceneFlags
}

// Validate refuses what the scene is not like.
func (c *cubesScene) Validate() error {
	return c.validate(cubes.Scene, c.Variant)
}

// Help shows what the command can do.
func (c *cubesScene) Help() string {
	return examples(
		"run cubes", "10,000 cubes fall, in the terminal",
		"run cubes --variant rain --count 50000", "50,000 rain",
		"run cubes --render gif", "write a moving picture, cubes.gif",
		"run cubes --frames 600 --digest last", "what the world's bytes are after ten seconds",
		"run cubes --save a.flat --save-every 60", "save it while it falls; --load goes on",
	)
}

// Run plays the scene.
func (c *cubesScene) Run(ctx context.Context, s streams) error {
	o := cubes.Scene.Defaults
	o.Count, o.Variant = int(c.Count), c.Variant
	return c.play(ctx, s, cubes.Scene, o)
}
