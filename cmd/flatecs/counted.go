package main

import (
	"context"

	"github.com/flatecs/flatecs/cmd/scene"
)

// countedScene is the command for a scene with a number of objects.
type countedScene struct {
	Count   uint32 `help:"Number of objects." default:"${usual}"`
	Variant string `help:"${variants}" placeholder:"NAME"`
	sceneFlags

	scene *scene.Scene `kong:"-"`
}

// Validate refuses variants that the scene lacks.
func (c *countedScene) Validate() error { return c.validate(c.scene, c.Variant) }

// Run plays the scene.
func (c *countedScene) Run(ctx context.Context, s streams) error {
	o := c.scene.Defaults
	o.Count, o.Variant = int(c.Count), c.Variant
	return c.play(ctx, s, c.scene, o)
}
