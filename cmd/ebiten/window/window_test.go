//go:build xvfb

// Package window looks at the program's window, in an X server that has no screen.
package window_test

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
	"github.com/stretchr/testify/require"
)

var shots = flag.String("shots", filepath.Join(os.TempDir(), "flatecs-shots"),
	"folder for pictures of the window, to be looked at")

const (
	needed = "Debian's packages xvfb, gcc, libc6-dev, libx11-dev, libxcursor-dev, libxrandr-dev, " +
		"libxinerama-dev, libxi-dev, libxxf86vm-dev, libgl1-mesa-dev and libgl1-mesa-dri are needed"
	patience = 2 * time.Minute // for what takes a second; the machine may be busy

	width, height = 1000, 700 // of the screen
)

// A screen is what an X server would show.
type screen struct {
	t       *testing.T
	display string // such as :99
	file    string // its picture, as xwd has it
}

// newScreen starts an X server, which ends with the test.
func newScreen(t *testing.T) screen {
	t.Helper()
	dir := t.TempDir()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	server := exec.Command("Xvfb", "-displayfd", "3", "-fbdir", dir, "-noreset", "-nolisten", "tcp",
		"-screen", "0", fmt.Sprintf("%dx%dx24", width, height))
	server.ExtraFiles = []*os.File{write}
	server.Stderr = os.Stderr
	require.NoError(t, server.Start(), needed)
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	require.NoError(t, write.Close())
	number, err := bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err, "the X server did not start")
	require.NoError(t, read.Close())
	return screen{t, ":" + strings.TrimSpace(number), filepath.Join(dir, "Xvfb_screen0")}
}

// picture reads what the screen shows: a header of big-endian numbers, colours, pixels.
func (s screen) picture() *image.RGBA {
	s.t.Helper()
	file, err := os.ReadFile(s.file)
	require.NoError(s.t, err)
	word := func(n int) int { return int(binary.BigEndian.Uint32(file[4*n:])) }
	wide, high, line := word(4), word(5), word(12)
	require.Equal(s.t, []int{width, height, 32}, []int{wide, high, word(11)})
	pixels := file[word(0)+12*word(19):]
	shown := image.NewRGBA(image.Rect(0, 0, wide, high))
	for y := range high {
		for x := range wide {
			p := pixels[y*line+4*x:]
			shown.SetRGBA(x, y, color.RGBA{p[2], p[1], p[0], 255})
		}
	}
	return shown
}

// keep writes a picture into the folder for inspection.
func keep(t *testing.T, name string, shown image.Image) {
	t.Helper()
	require.NoError(t, os.MkdirAll(*shots, 0o755))
	file, err := os.Create(filepath.Join(*shots, name+".png"))
	require.NoError(t, err)
	require.NoError(t, png.Encode(file, shown))
	require.NoError(t, file.Close())
	t.Log(file.Name())
}

// until waits for a picture that shows what is wanted.
func (s screen) until(what string, good func(*image.RGBA) bool) *image.RGBA {
	s.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		shown := s.picture()
		if good(shown) {
			return shown
		}
		if time.Now().After(end) {
			keep(s.t, "failed", shown)
			require.Fail(s.t, "timed out", what)
		}
	}
}

// run starts a program of this module on the screen; it ends with the test.
func (s screen) run(pkg string) {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "program")
	out, err := exec.Command("go", "build", "-o", file, pkg).CombinedOutput()
	require.NoError(s.t, err, "%s; %s", out, needed)
	program := exec.Command(file)
	program.Env = append(os.Environ(), "DISPLAY="+s.display, "LIBGL_ALWAYS_SOFTWARE=1")
	program.Stderr = os.Stderr
	require.NoError(s.t, program.Start())
	ended := make(chan struct{})
	go func() {
		_ = program.Wait()
		close(ended)
	}()
	s.t.Cleanup(func() {
		_ = program.Process.Kill()
		<-ended
	})
}

// count returns how many pixels of a part of a picture are as wanted.
func count(shown *image.RGBA, within image.Rectangle, want func(color.RGBA) bool) (n int) {
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			if want(shown.RGBAAt(x, y)) {
				n++
			}
		}
	}
	return n
}

var black = color.RGBA{A: 255}

func isDrawn(c color.RGBA) bool { return c != black }
func isHero(c color.RGBA) bool  { return c.G > 100 && c != (color.RGBA{255, 255, 255, 255}) }

// different returns how many pixels differ.
func different(a, b *image.RGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]uint8(a.Pix[i:]) != [4]uint8(b.Pix[i:]) {
			n++
		}
	}
	return n
}

// middleOf returns where the heroes are on average.
func middleOf(shown *image.RGBA) image.Point {
	sum, n := image.Point{}, 0
	for y := range height {
		for x := range width {
			if isHero(shown.RGBAAt(x, y)) {
				sum, n = sum.Add(image.Pt(x, y)), n+1
			}
		}
	}
	return sum.Div(max(n, 1))
}

// The window shows heroes, they move, they come where the player presses, and they get the whole
// window when its size changes.
func TestHeroesMoveInTheWindow(t *testing.T) {
	s := newScreen(t)
	s.run("..")
	first := s.until("a window full of heroes", func(p *image.RGBA) bool { // it may show in parts
		return count(p, p.Rect, isHero) > 5_000 && count(p, p.Rect, isDrawn) == 800*600
	})
	keep(t, "ebiten", first)
	s.until("heroes that move", func(p *image.RGBA) bool { return different(first, p) > 5_000 })

	hand, err := xgb.NewConnDisplay(s.display)
	require.NoError(t, err)
	defer hand.Close()
	require.NoError(t, xtest.Init(hand))
	root := xproto.Setup(hand).DefaultScreen(hand).Root
	tree, err := xproto.QueryTree(hand, root).Reply()
	require.NoError(t, err)
	for _, w := range tree.Children { // the window, and invisible helpers
		at, err := xproto.GetGeometry(hand, xproto.Drawable(w)).Reply()
		require.NoError(t, err)
		if at.Width == 800 {
			require.NoError(t, xproto.ConfigureWindowChecked(hand, w,
				xproto.ConfigWindowX|xproto.ConfigWindowY|
					xproto.ConfigWindowWidth|xproto.ConfigWindowHeight,
				[]uint32{0, 0, width, height}).Check())
		}
	}
	s.until("the whole screen", func(p *image.RGBA) bool {
		return count(p, p.Rect, isDrawn) == width*height &&
			count(p, image.Rect(0, 600, width, height), isHero) > 500
	})

	const x, y = 350, 500
	require.NoError(t, xtest.FakeInputChecked(hand, xproto.MotionNotify, 0, 0, root, x, y, 0).Check())
	require.NoError(t, xtest.FakeInputChecked(hand, xproto.ButtonPress, 1, 0, root, 0, 0, 0).Check())
	pressed := s.until("heroes where the button is pressed", func(p *image.RGBA) bool {
		middle := middleOf(p)
		return middle.X < width/2-60 && middle.Y > height/2+60
	})
	keep(t, "ebiten-pressed", pressed)
}
