package main

import (
	"context"

	"github.com/flatecs/flatecs/cmd/scene/tanks"
)

// tanksScene is the command that plays the battle.
type tanksScene struct {
	Count   uint32 `help:"${tanks}" default:"60"`
	Variant string `help:"${tanksvariants}" placeholder:"NAME"`
	sceneFlags
}

// Validate refuses what the scene is not like.
func (t *tanksScene) Validate() error {
	return t.validate(tanks.Scene, t.Variant)
}

// Help shows what the command can do.
func (t *tanksScene) Help() string {
	return examples(
		"run tanks", "60 tanks shoot each other in the terminal",
		"run tanks --variant four --count 200", "four sides, and more tanks",
		"run tanks --gizmos", "lines from the turrets to their targets",
		"run tanks --render gif", "write a moving picture, tanks.gif",
		"run tanks --frames 600 --digest last", "what the world's bytes are after ten seconds",
	)
}

// Run plays the scene.
func (t *tanksScene) Run(ctx context.Context, s streams) error {
	o := tanks.Scene.Defaults
	o.Count, o.Variant = int(t.Count), t.Variant
	return t.play(ctx, s, tanks.Scene, o)
}
