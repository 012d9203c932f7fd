package main

import (
	"context"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/boids"
	"github.com/flatecs/flatecs/cmd/scene/cubes"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
)

// countedScene is the command that plays a scene of a number of objects.
type countedScene struct {
	Count   uint32 `help:"${count}"    default:"${usual}"`
	Variant string `help:"${variants}" placeholder:"NAME"`
	sceneFlags

	scene    *scene.Scene `kong:"-"`
	examples []string     `kong:"-"`
}

var (
	boidsScene = countedScene{scene: boids.Scene, examples: []string{
		"run boids --workers 2", "100,000 birds flock in the terminal, on two cores",
		"run boids --variant wide --count 20000", "20,000 that see farther",
		"run boids --render gif --count 20000", "write a moving picture, boids.gif",
		"run boids --frames 600 --digest last", "what the world's bytes are after ten seconds",
	}}
	tanksScene = countedScene{scene: tanks.Scene, examples: []string{
		"run tanks", "60 tanks shoot each other in the terminal",
		"run tanks --variant four --count 200", "four sides, and more tanks",
		"run tanks --gizmos", "lines from the turrets to their targets",
		"run tanks --render gif", "write a moving picture, tanks.gif",
		"run tanks --frames 600 --digest last", "what the world's bytes are after ten seconds",
	}}
	cubesScene = countedScene{scene: cubes.Scene, examples: []string{
		"run cubes", "10,000 cubes fall, in the terminal",
		"run cubes --variant rain --count 50000", "50,000 rain",
		"run cubes --render gif", "write a moving picture, cubes.gif",
		"run cubes --frames 600 --digest last", "what the world's bytes are after ten seconds",
		"run cubes --save a.flat --save-every 60", "save it while it falls; --load goes on",
	}}
)

// Validate refuses variants that the scene does not have.
func (c *countedScene) Validate() error { return c.validate(c.scene, c.Variant) }

// Help shows what the command can do.
func (c *countedScene) Help() string { return examples(c.examples...) }

// Run plays the scene.
func (c *countedScene) Run(ctx context.Context, s streams) error {
	o := c.scene.Defaults
	o.Count, o.Variant = int(c.Count), c.Variant
	return c.play(ctx, s, c.scene, o)
}
