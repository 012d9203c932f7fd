package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/scene/prey"
	"github.com/flatecs/flatecs/world/hunt"
)

// huntScene is the command that searches a scene for its bugs.
type huntScene struct {
	Scene   string        `help:"Scene to search." arg:""`
	Count   uint32        `help:"Number of objects." default:"60" placeholder:"N"`
	Seed    uint64        `help:"Seed of the world and the inputs." default:"1" placeholder:"N"`
	Variant string        `help:"Variant of the scene." placeholder:"NAME"`
	For     time.Duration `help:"Time to search." default:"10s" placeholder:"D"`
	Record  newFile       `help:"Write the breaking inputs, for replay, why." placeholder:"F"`
}

// errBroken is the error of a scene that a hunt has broken.
var errBroken = errors.New("the scene is broken")

// Run hunts.
func (c *huntScene) Run(s streams) error {
	sc, err := gallery.ByName(c.Scene)
	if err != nil {
		return err
	}
	o := scene.Options{Count: int(c.Count), Seed: c.Seed, Variant: c.Variant}
	play, err := sc.Open(o) // which checks the options
	if err != nil {
		return err
	}
	defer func() { play.Close(play.First) }()
	r, err := hunt.Run(prey.Of(sc, play.Options), hunt.Options{
		For: c.For, Seed: c.Seed, Deep: 500, Whole: true,
	})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(s.out, r); err != nil || r.Failure == nil {
		return err
	}
	if c.Record != "" {
		if err := recordHunted(string(c.Record), play, r.Failure.Inputs); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w", sc.Name, errBroken)
}

// recordHunted plays the inputs of a failure, and records them, as far as they can be played.
func recordHunted(path string, play *scene.Play, inputs []byte) (err error) {
	r, err := newRecorder(path, play)
	if err != nil {
		return err
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s ends before the step that panics: %w", path, errBroken)
		}
		err = errors.Join(err, r.ended(0, play.First, err))
	}()
	for n, input := range inputs {
		play.First = play.Step(play.First, scene.Input(input))
		play.First, err = r.stepped(uint64(n+1), scene.Input(input), play.First)
		if err != nil {
			return err
		}
	}
	return nil
}
