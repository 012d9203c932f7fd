//go:build js && wasm

package main

import (
	"strconv"
	"syscall/js"
	"time"

	"github.com/flatecs/flatecs/cmd/render/webgl"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/web/player"
	"github.com/flatecs/flatecs/cmd/web/screen"
)

// memory is the size of the past in bytes.
const memory = 96 << 20

// An app is the page's interface to the program.
type app struct {
	now   js.Value
	clock func() time.Duration
	stage *stage // nil before the first scene
}

// newClock returns a clock that reads the page's performance.now.
func newClock() func() time.Duration {
	performance := js.Global().Get("performance")
	now := performance.Get("now").Call("bind", performance)
	return func() time.Duration { return milliseconds(now.Invoke()) }
}

func milliseconds(v js.Value) time.Duration {
	return time.Duration(v.Float() * float64(time.Millisecond))
}

// scenes describes the scenes for the page.
func scenes() any {
	var list []any
	for _, s := range gallery.All() {
		list = append(list, map[string]any{
			"name": s.Name, "about": s.About,
			"count": s.Defaults.Count, "supers": s.Defaults.Supers,
			"variants": variants(s), "inputs": texts(s.Inputs), "pilot": s.Pilot != nil,
			"lines": s.DrawGizmos != nil,
		})
	}
	return list
}

func variants(s *scene.Scene) []any {
	all := []any{}
	for _, v := range s.Variants {
		all = append(all, map[string]any{"name": v.Name, "about": v.About})
	}
	return all
}

func texts(list []string) []any {
	all := []any{}
	for _, text := range list {
		all = append(all, text)
	}
	return all
}

// open opens a scene on an element, in place of the previous one. Missing options take the scene's
// defaults. It returns an error as text, or nil.
func (a *app) open(args []js.Value) any {
	element, heap, wanted := args[0], args[1], args[2]
	sc, err := gallery.ByName(wanted.Get("scene").String())
	if err != nil {
		return err.Error()
	}
	o := sc.Defaults
	o.Clock = a.clock
	for name, dst := range map[string]*int{"count": &o.Count, "supers": &o.Supers} {
		if v := wanted.Get(name); v.Type() == js.TypeNumber {
			*dst = v.Int()
		}
	}
	if v := wanted.Get("variant"); v.Type() == js.TypeString {
		o.Variant = v.String()
	}
	if v := wanted.Get("seed"); v.Type() == js.TypeString {
		if o.Seed, err = strconv.ParseUint(v.String(), 10, 64); err != nil {
			return "the seed is a whole number from 0"
		}
	}
	if err := a.play(sc, o, element, webgl.NewHeap(heap)); err != nil {
		return err.Error()
	}
	return nil
}

func (a *app) play(sc *scene.Scene, o scene.Options, element js.Value, heap *webgl.Heap) error {
	p, err := player.Open(sc, o, memory)
	if err != nil {
		return err
	}
	c, err := screen.New(element, heap, sc.Look())
	if err != nil {
		p.Close()
		return err
	}
	p.Clock, p.Budget = a.clock, 12*time.Millisecond
	if a.stage != nil {
		a.stage.close()
	}
	a.stage = &stage{app: a, heap: heap, player: p, canvas: c}
	a.stage.begin()
	return nil
}
