package main

import (
	"context"

	"github.com/flatecs/flatecs/cmd/scene/boids"
)

// boidsScene is the command that plays the flock.
type boidsScene struct {
	Count   uint32 `help:"${boids}" default:"100000"`
	Variant string `help:"${boidsvariants}" placeholder:"NAME"`
	sceneFlags
}

// Validate refuses what the scene is not like.
func (b *boidsScene) Validate() error {
	return b.validate(boids.Scene, b.Variant)
}

// Help shows what the command can do.
func (b *boidsScene) Help() string {
	return examples(
		"run boids --workers 2", "100,000 birds flock in the terminal, on two cores",
		"run boids --variant wide --count 20000", "20,000 that see farther",
		"run boids --render gif --count 20000", "write a moving picture, boids.gif",
		"run boids --frames 600 --digest last", "what the world's bytes are after ten seconds",
	)
}

// Run plays the scene.
func (b *boidsScene) Run(ctx context.Context, s streams) error {
	o := boids.Scene.Defaults
	o.Count, o.Variant = int(b.Count), b.Variant
	return b.play(ctx, s, boids.Scene, o)
}
