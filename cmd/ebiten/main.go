// Command ebiten shows a swarm of heroes in a window, or in a browser, by Ebitengine:
//
//	go -C cmd/ebiten run .
//	go -C cmd/ebiten run ./serve
//
// Press, and they come; space pauses, the right arrow takes a single step, the up arrow makes a
// thousand more, Escape ends. docs/EBITENGINE.md explains it, piece by piece.
package main

import (
	"errors"
	"fmt"
	"image/color"
	"os"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"github.com/flatecs/flatecs/cmd/ebiten/swarm"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

const step = time.Second / 50

// A Game is what Ebitengine runs: a world, and what it takes to step and to draw it.
type Game struct {
	state world.State
	loop  stage.Timed
	clock func() time.Duration
	input swarm.Input
	view  View
	ahead float32 // seconds from the last step to the moment that is drawn

	normals, supers *Quads
}

// NewGame returns a game over a world.
func NewGame(state world.State) *Game {
	g := &Game{
		state:   state,
		clock:   stage.Clock(time.Now),
		normals: NewQuads(color.RGBA{120, 200, 255, 255}, 2),
		supers:  NewQuads(color.RGBA{255, 200, 80, 255}, 6),
	}
	g.loop = stage.Timed{
		Step:       step,
		DrawPaused: true,
		Fixed: func(s world.State, seconds float32) world.State {
			return swarm.Step(s, seconds, g.input)
		},
		Update: func(s world.State, _, alpha float32) world.State {
			g.ahead = alpha * float32(step.Seconds())
			return s
		},
	}
	g.loop.Start()
	return g
}

// Update is called once a frame, and takes as many steps as are due.
func (g *Game) Update() error {
	if ebiten.IsKeyPressed(ebiten.KeyEscape) {
		return ebiten.Termination
	}
	if err := g.readInput(); err != nil {
		return err
	}
	g.state = g.loop.Frame(g.state, g.clock())
	return nil
}

// readInput sets the input from keys, the mouse and touches.
func (g *Game) readInput() error {
	x, y := ebiten.CursorPosition()
	g.input.Pressed = ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
	if touches := ebiten.AppendTouchIDs(nil); len(touches) > 0 {
		x, y = ebiten.TouchPosition(touches[0])
		g.input.Pressed = true
	}
	g.input.At = g.view.World(x, y)
	switch {
	case inpututil.IsKeyJustPressed(ebiten.KeyArrowRight):
		g.loop.StepOnce()
	case inpututil.IsKeyJustPressed(ebiten.KeySpace) && g.loop.Paused():
		g.loop.Start()
	case inpututil.IsKeyJustPressed(ebiten.KeySpace):
		g.loop.Pause()
	case inpututil.IsKeyJustPressed(ebiten.KeyArrowUp):
		var err error
		g.state, err = swarm.More(g.state, 1_000)
		if !errors.Is(err, world.ErrTooMany) { // then those that are there are enough
			return err
		}
	}
	return nil
}

// Draw draws the world as it is. Each batch of a walk is a stretch of columns.
func (g *Game) Draw(screen *ebiten.Image) {
	screen.Fill(color.RGBA{10, 12, 30, 255})
	for b := range swarm.Normals.In(g.state) {
		place, speed := world.Column(b, swarm.Place), world.Column(b, swarm.Speed)
		g.normals.Draw(screen, place, speed, g.ahead, g.view)
	}
	for b := range swarm.Supers.In(g.state) {
		place, speed := world.Column(b, swarm.Place), world.Column(b, swarm.Speed)
		g.supers.Draw(screen, place, speed, g.ahead, g.view)
	}
	ebitenutil.DebugPrint(screen, fmt.Sprintf("%d heroes, %.0f frames per second",
		world.Len(g.state), ebiten.ActualFPS()))
}

// Layout gets the size of the window, and returns the size of the picture.
func (g *Game) Layout(width, height int) (int, int) {
	g.view = Fit(width, height)
	return width, height
}

func run() error {
	state, err := swarm.New(10_000, 60)
	if err != nil {
		return err
	}
	game := NewGame(state)
	defer func() { world.Close(game.state) }()
	ebiten.SetWindowTitle("heroes")
	ebiten.SetWindowSize(800, 600)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetTPS(ebiten.SyncWithFPS) // one Update per frame: the Timed loop keeps the time
	return ebiten.RunGame(game)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
