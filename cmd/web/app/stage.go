//go:build js && wasm

package main

import (
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/webgl"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/web/player"
	"github.com/flatecs/flatecs/cmd/web/screen"
	"github.com/flatecs/flatecs/world"
)

// longest is the longest time that a frame makes up for: a page in the background does not play.
const longest = 100 * time.Millisecond

// A stage is a scene on an element of the page.
type stage struct {
	*app
	heap   *webgl.Heap
	player *player.Player
	canvas screen.Screen
	view   *scene.View
	last   time.Duration // beginning of the previous frame; 0: none
	words  []string      // texts in the frame
}

// A listening is a canvas that reports the texts that it draws to the stage.
type listening struct {
	screen.Screen
	stage *stage
}

func (l listening) DrawText(t render.Text) {
	l.stage.words = append(l.stage.words, t.Text)
	l.Screen.DrawText(t)
}

// begin draws the first frame.
func (s *stage) begin() {
	s.canvas.Init()
	s.view = scene.NewView(s.player.Scene, listening{s.canvas, s})
	_, onCard := s.canvas.(*screen.Flat)
	s.now.Set("webgl", !onCard)
	s.now.Set("aspect", aspect(s.canvas.Look()))
	s.now.Set("seed", strconv.FormatUint(s.player.Options.Seed, 10))
	s.draw(0)
}

// aspect returns the ratio of width to height of a look's plane, or 0 if it has none.
func aspect(look *render.Look) float32 {
	if look.W <= 0 || look.H <= 0 {
		return 0
	}
	return look.W / look.H
}

func (s *stage) close() {
	_ = s.canvas.Close()
	s.player.Close()
}

// frame advances the time since the previous frame, and draws.
func (s *stage) frame(args []js.Value) any {
	at := milliseconds(args[0])
	elapsed := min(max(at-s.last, 0), longest)
	if s.last == 0 {
		elapsed = 0
	}
	s.last = at
	begin := s.clock()
	steps := s.player.Pass(elapsed)
	s.now.Set("stepMs", (s.clock()-begin).Seconds()*1e3)
	s.now.Set("frameMs", elapsed.Seconds()*1e3)
	s.draw(steps)
	return nil
}

// draw draws a frame, and reports it to the page.
func (s *stage) draw(steps int) {
	begin := s.clock()
	s.words = s.words[:0]
	report, err := s.player.Draw(s.view)
	s.now.Set("drawMs", (s.clock()-begin).Seconds()*1e3)
	if err != nil {
		s.now.Set("error", err.Error())
	}
	s.tell(report, steps)
}

func (s *stage) tell(r render.Report, steps int) {
	p := s.player
	for name, value := range map[string]int{
		"drawCalls": r.DrawCalls, "batches": r.Batches, "instances": r.Instances,
		"singles": r.Singles, "lines": r.Lines, "sprites": r.Sprites, "texts": r.Texts,
		"bytes": r.Bytes, "frameSteps": steps, "live": world.Len(p.State()),
		"worldBytes": len(world.Bytes(p.State())),
	} {
		s.now.Set(name, value)
	}
	for name, value := range map[string]uint64{
		"steps": p.Now(), "oldest": p.Oldest(), "newest": p.Newest(),
	} {
		s.now.Set(name, float64(value))
	}
	s.now.Set("views", s.heap.Views())
	s.now.Set("words", strings.Join(s.words, "\n"))
	s.now.Set("paused", p.Paused)
	s.now.Set("speed", p.Speed)
}

func (s *stage) resize(args []js.Value) any {
	if err := s.canvas.Resize(args[0].Int(), args[1].Int()); err != nil {
		s.now.Set("error", err.Error())
	}
	s.draw(0)
	return nil
}

func (s *stage) hold(args []js.Value) any {
	if input := scene.Input(args[0].Int()); args[1].Truthy() {
		s.player.Hold(input)
	} else {
		s.player.Release(input)
	}
	return nil
}

func (s *stage) seek(args []js.Value) any {
	s.player.Seek(uint64(max(args[0].Float(), 0)))
	s.draw(0)
	return nil
}

// step takes a number of steps, or one step for each input in a list.
func (s *stage) step(args []js.Value) any {
	if args[0].Type() == js.TypeNumber {
		for range args[0].Int() {
			s.player.Step()
		}
		s.draw(args[0].Int())
		return nil
	}
	const all = ^scene.Input(0)
	for i := range args[0].Length() {
		s.player.Release(all)
		s.player.Hold(scene.Input(args[0].Index(i).Int()))
		s.player.Step()
	}
	s.player.Release(all)
	s.draw(args[0].Length())
	return nil
}

func (s *stage) pause(args []js.Value) any {
	s.player.Paused = args[0].Truthy()
	return nil
}

func (s *stage) pilot(args []js.Value) any {
	s.player.Pilot = args[0].Truthy()
	return nil
}

func (s *stage) lines(args []js.Value) any {
	s.view.Lines = args[0].Truthy()
	return nil
}

func (s *stage) speed(args []js.Value) any {
	if x := args[0].Float(); x > 0 && x <= 64 {
		s.player.Speed = x
	}
	return nil
}

func (s *stage) turn(args []js.Value) any {
	yaw, pitch, zoom := args[0].Float(), args[1].Float(), args[2].Float()
	if zoom == 0 { // reset to the scene's view
		s.view.Back()
		return nil
	}
	s.view.Turn(render.Bearing{Yaw: float32(yaw), Pitch: float32(pitch), Zoom: float32(zoom)})
	return nil
}

func (s *stage) digest([]js.Value) any {
	text := strconv.FormatUint(world.Digest(s.player.State()), 16)
	return "0000000000000000"[len(text):] + text
}

func (s *stage) inputs([]js.Value) any { return s.player.Inputs() }

func (s *stage) problem([]js.Value) any { return s.canvas.Problem() }
