//go:build js && wasm

// Package screen provides the canvas for a program in a page: on the GPU, or without one.
package screen

import (
	"errors"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/soft"
	"github.com/flatecs/flatecs/cmd/render/webgl"
)

// A Screen is a canvas that draws on an element of the page.
type Screen interface {
	render.Canvas
	Look() *render.Look
	Resize(width, height int) error
	Problem() int
}

// New returns a screen that uses the GPU, or a [Flat] if that is not possible. The heap is the
// program's.
func New(element js.Value, heap *webgl.Heap, look render.Look) (Screen, error) {
	err := webgl.Try(heap)
	if !errors.Is(err, webgl.ErrNone) {
		return webgl.New(element, heap, look)
	}
	context := element.Call("getContext", "2d", map[string]any{"alpha": false})
	if !context.Truthy() {
		return nil, err
	}
	return &Flat{
		Canvas: soft.New(look, soft.Options{
			Width: element.Get("width").Int(), Height: element.Get("height").Int(), Bands: 1,
		}),
		element: element, context: context, heap: heap,
	}, nil
}

// A Flat draws on the CPU and shows the picture.
type Flat struct {
	*soft.Canvas
	element, context js.Value
	heap             *webgl.Heap
}

// Resize sets the size in pixels.
func (f *Flat) Resize(width, height int) error {
	f.element.Set("width", width)
	f.element.Set("height", height)
	f.Canvas.Resize(width, height)
	return nil
}

// End implements [render.Canvas].
func (f *Flat) End() (render.Report, error) {
	report, err := f.Canvas.End()
	picture := f.Image()
	f.heap.Picture(f.context, picture.Rect.Dx(), picture.Rect.Dy(), picture.Pix)
	return report, err
}

// Problem returns 0: a Flat does not use WebGL.
func (f *Flat) Problem() int { return 0 }
