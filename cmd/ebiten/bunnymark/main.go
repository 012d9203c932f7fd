// Command bunnymark compares two ways of moving and drawing many bunnies, in turn in one window:
//
//	go -C cmd/ebiten run ./bunnymark -bunnies 100000
//
// One walks columns and hands them to DrawTriangles, 16,384 bunnies a call. The other is that of
// Donburi's own bunnymark: an entry per bunny, and a DrawImage for each. Times are those that
// Update and Draw keep the processor busy, on Linux, and elsewhere take by the clock; what is done
// with the calls comes later, and is in neither.
package main

import (
	"flag"
	"fmt"
	"image/color"
	"io"
	"os"
	"slices"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

const (
	width, height = 800, 600 // pixels
	gravity       = .1       // pixels per frame, per frame

	warm = 3 // frames of each turn that do not count
	turn = 8 // frames of each turn
)

// bounced returns the speed of a bunny that is sent back at the edges.
func bounced(at, speed [2]float32) [2]float32 {
	if at[0] < 0 && speed[0] < 0 || at[0] > width && speed[0] > 0 {
		speed[0] = -speed[0]
	}
	if at[1] < 0 && speed[1] < 0 || at[1] > height && speed[1] > 0 {
		speed[1] = -speed[1]
	}
	return speed
}

// A way is one of moving and drawing bunnies.
type way interface {
	update()
	draw(screen *ebiten.Image)
}

// A contestant is a way, and what its frames took.
type contestant struct {
	name           string
	way            way
	updates, draws []time.Duration
}

// A contest is a game in which two ways take turns.
type contest struct {
	list   [2]contestant
	frame  int
	frames int // in all
}

// at returns whose turn it is, and whether this frame counts.
func (c *contest) at() (now *contestant, counts bool) {
	return &c.list[c.frame/turn%2], c.frame%turn >= warm
}

// Update moves the bunnies of whose turn it is.
func (c *contest) Update() error {
	if c.frame >= c.frames {
		return ebiten.Termination
	}
	now, counts := c.at()
	if took := timed(now.way.update); counts {
		now.updates = append(now.updates, took)
	}
	return nil
}

// Draw draws them.
func (c *contest) Draw(screen *ebiten.Image) {
	now, counts := c.at()
	if took := timed(func() { now.way.draw(screen) }); counts {
		now.draws = append(now.draws, took)
	}
	c.frame++
}

// Layout keeps the picture's size whatever that of the window.
func (*contest) Layout(int, int) (int, int) { return width, height }

// median returns a middle one of times.
func median(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(times))[len(times)/2]
}

// report writes the medians, and what part the first's are of the second's.
func (c *contest) report(w io.Writer) {
	var updates, draws [2]time.Duration
	for i, one := range c.list {
		updates[i], draws[i] = median(one.updates), median(one.draws)
		fmt.Fprintf(w, "%-8s update %8.3f ms, draw %8.3f ms %s (medians of %d frames)\n", one.name,
			1e3*updates[i].Seconds(), 1e3*draws[i].Seconds(), measured, len(one.draws))
	}
	fmt.Fprintf(w, "ratio    update %8.3f,    draw %8.3f\n",
		updates[0].Seconds()/updates[1].Seconds(), draws[0].Seconds()/draws[1].Seconds())
}

func run(bunnies, turns int, w io.Writer) error {
	image := ebiten.NewImage(4, 4)
	image.Fill(color.White)
	ours, err := newColumns(bunnies, image)
	if err != nil {
		return err
	}
	c := &contest{frames: 2 * turn * turns, list: [2]contestant{
		{name: "flatecs", way: ours},
		{name: "donburi", way: newEntries(bunnies, image)},
	}}
	ebiten.SetWindowTitle("bunnymark")
	ebiten.SetWindowSize(width, height)
	ebiten.SetVsyncEnabled(false)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	if err := ebiten.RunGame(c); err != nil {
		return err
	}
	c.report(w)
	return nil
}

func main() {
	bunnies := flag.Int("bunnies", 100_000, "how many")
	turns := flag.Int("turns", 6, "how many of each way")
	flag.Parse()
	if err := run(*bunnies, *turns, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
