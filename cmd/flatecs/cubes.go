package main

import (
	"context"

	"github.com/flatecs/flatecs/cmd/scene/cubes"
)

// cubesScene is the command that plays the falling cubes.
type cubesScene struct {
	Count   uint32 `help:"${cubes}"   default:"10000"`
	Variant string `help:"${variant}" default:"fall"  enum:"fall,camera,rain"`
	sceneFlags
}

// Run plays the scene.
func (c *cubesScene) Run(ctx context.Context, s streams) error {
	o := cubes.Scene.Defaults
	o.Count = int(c.Count)
	if c.Variant != "fall" {
		o.Variant = c.Variant
	}
	return c.play(ctx, s, cubes.Scene, o)
}
