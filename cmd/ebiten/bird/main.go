// Command bird opens a window: a bird flies between pipes, and backwards in time.
//
//	go -C cmd/ebiten run ./bird
//
// The space bar flaps. Hold the left arrow, and time runs backwards for up to a minute, also after
// the bird has died. Escape ends. Package flight is the world.
package main

import (
	"image/color"
	"log"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
	"github.com/hajimehoshi/ebiten/v2/vector"

	"github.com/flatecs/flatecs/cmd/ebiten/bird/flight"
)

// A Game is what Ebitengine runs.
type Game struct {
	*flight.Flight
	begun bool // time stands still until the first flap
}

// Update takes a step, or takes one back.
func (g *Game) Update() error {
	switch {
	case ebiten.IsKeyPressed(ebiten.KeyEscape):
		return ebiten.Termination
	case ebiten.IsKeyPressed(ebiten.KeyArrowLeft):
		return g.Back()
	}
	flap := inpututil.IsKeyJustPressed(ebiten.KeySpace)
	if g.begun = g.begun || flap; !g.begun {
		return nil
	}
	return g.Fly(flap)
}

// Draw draws the pipes, the bird and the keys.
func (g *Game) Draw(screen *ebiten.Image) {
	const size = flight.Size
	g.Pipes(func(x, y float32) {
		bar(screen, x-size/2, 0, size, y-flight.Gap/2, color.RGBA{90, 200, 120, 255})
		bar(screen, x-size/2, y+flight.Gap/2, size, flight.Height, color.RGBA{90, 200, 120, 255})
	})
	at, say := g.Bird(), "space flaps, hold left: time runs backwards"
	if g.Dead() {
		say = "dead; hold left"
	}
	bar(screen, at[0]-size/2, at[1]-size/2, size, size, color.RGBA{255, 200, 80, 255})
	ebitenutil.DebugPrint(screen, say)
}

func bar(screen *ebiten.Image, x, y, width, height float32, c color.Color) {
	vector.DrawFilledRect(screen, x, y, width, height, c, false)
}

// Layout returns the size of the picture.
func (g *Game) Layout(int, int) (int, int) { return flight.Width, flight.Height }

func main() {
	g := &Game{Flight: flight.New()}
	defer g.Close()
	ebiten.SetWindowTitle("bird")
	ebiten.SetWindowSize(3*flight.Width, 3*flight.Height)
	if err := ebiten.RunGame(g); err != nil {
		log.Panic(err)
	}
}
