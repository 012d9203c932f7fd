package main

import (
	"errors"
	"time"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/gif"
	"github.com/flatecs/flatecs/cmd/render/soft"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/fork"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
)

// forkScene is the command that draws two futures of a scene.
type forkScene struct {
	Scene string  `arg:"" help:"Flappy or tanks." enum:"flappy,tanks"`
	At    uint16  `help:"Steps before the fork."          default:"465"`
	Steps uint16  `help:"Steps of the first future."      default:"108"`
	Every uint16  `help:"Draw every Nth step."            default:"3"`
	Count uint16  `help:"Number of tanks."                default:"20"`
	Seed  uint64  `help:"${seed}"                         default:"1"`
	Size  extent  `help:"Picture size in pixels."         placeholder:"WxH"`
	Out   newFile `help:"GIF to write: SCENE.gif."        placeholder:"FILE"`
}

// Validate refuses a film without steps.
func (c *forkScene) Validate() error {
	if c.Every == 0 {
		return errors.New("--every: give 1 or more")
	}
	return nil
}

// Run plays and draws.
func (c *forkScene) Run() error {
	sc, err := gallery.ByName(c.Scene)
	if err != nil {
		return err
	}
	o := fork.Options{Options: sc.Defaults, At: int(c.At), Steps: int(c.Steps), Every: int(c.Every)}
	o.Count, o.Seed = int(c.Count), c.Seed
	return fork.Draw(sc, o, func(look render.Look) render.Canvas {
		size := c.Size
		if size == (extent{}) {
			wide := look.W
			if sc.Pilot == nil {
				wide = 640 // of both pictures
			}
			size = extent{int(wide), int(wide * look.H / look.W)}
		}
		path := (&drawFlags{Out: c.Out}).path(sc, "gif")
		delay := gifDelay(time.Duration(o.Every) * scene.StepTime)
		return gif.New(soft.New(look, soft.Options{Width: size.width, Height: size.height}),
			gif.Options{Path: path, Delay: delay, Colours: 64, Loss: 10, Flat: true})
	})
}
