package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/scene/prey"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/record"
)

// huntScene is the command that searches a scene for its bugs.
type huntScene struct {
	Scene   string        `help:"Scene to search." arg:""`
	Count   uint32        `help:"Number of objects." default:"60" placeholder:"N"`
	Seed    uint64        `help:"Seed of the world and the inputs." default:"1" placeholder:"N"`
	Variant string        `help:"Variant of the scene." placeholder:"NAME"`
	For     time.Duration `help:"Time to search." default:"10s" placeholder:"D"`
	Record  newFile       `help:"Write the breaking inputs, for replay, why." placeholder:"F"`
	Part    partOf        `help:"Search part I of N, with inputs of its own." placeholder:"I/N"`
	Corpus  string        `help:"Folder in which hunts share what they found." placeholder:"DIR"`
}

// errBroken is the error of a scene in which a hunt found a failure.
var errBroken = errors.New("the scene is broken")

// Run hunts.
func (c *huntScene) Run(s streams) (err error) {
	sc, err := gallery.ByName(c.Scene)
	if err != nil {
		return err
	}
	o := scene.Options{Count: int(c.Count), Seed: c.Seed, Variant: c.Variant}
	play, err := sc.Open(o) // checks the options
	if err != nil {
		return err
	}
	defer func() { play.Close(play.First) }()
	hunting := huntFor(c.For)
	hunting.Seed, hunting.Part = c.Seed, c.Part.part
	if c.Corpus != "" {
		dir, err := hunt.OpenDir(c.Corpus, c.Part.part)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, dir.Close()) }()
		hunting.Corpus = dir
	}
	r, err := hunt.Run(prey.Of(sc, play.Options), hunting)
	if r.Failure == nil && err != nil {
		return err
	}
	if _, bad := fmt.Fprintln(s.out, r); bad != nil || r.Failure == nil {
		return bad
	} else if err != nil {
		return err
	}
	if c.Record != "" {
		if err := recordHunted(string(c.Record), play, r.Failure.Inputs); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: %w", sc.Name, errBroken)
}

// huntFor returns the options for hunting in a scene.
func huntFor(most time.Duration) hunt.Options {
	return hunt.Options{For: most, Deep: 500, Whole: true}
}

// properties are the properties of all scenes, by their names in a hunt.
var properties = map[string]hunt.Property{
	"no NaN": hunt.NoNaN, "no dangling reference": hunt.NoDangling,
}

// huntBeside returns a hunt in other worlds of a play, for one or all properties.
func huntBeside(play *scene.Play) func(string, time.Duration) (string, error) {
	return func(property string, most time.Duration) (string, error) {
		g := prey.Of(play.Scene, play.Options)
		one, known := properties[property]
		switch {
		case known:
			g.Rarely = []hunt.Property{one}
		case property != "":
			return "", fmt.Errorf("there is no property %.40q; there are: %s", property,
				strings.Join(slices.Sorted(maps.Keys(properties)), ", "))
		}
		o := huntFor(most)
		o.Workers = 1
		r, err := hunt.Run(g, o)
		return fmt.Sprint(r), err
	}
}

// recordHunted plays the inputs of a failure, and records them up to the failure.
func recordHunted(path string, play *scene.Play, inputs []byte) (err error) {
	r, err := newRecorder(path, play)
	if err != nil {
		return err
	}
	defer func() {
		if v := recover(); v != nil {
			n := record.Note{Frame: r.to.Frame() - 1, What: "panic", Text: fmt.Sprint(v)}
			err = errors.Join(r.to.Note(n), r.to.Close(), r.out.Commit(),
				fmt.Errorf("%s ends with the step that panics: %w", path, errBroken))
			return
		}
		err = errors.Join(err, r.ended(0, play.First, err))
	}()
	for _, input := range inputs {
		if err := r.before(play.First, scene.Input(input)); err != nil {
			return err
		}
		play.First = play.Step(play.First, scene.Input(input))
	}
	return nil
}
