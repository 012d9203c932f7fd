//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/soft"
	"github.com/flatecs/flatecs/cmd/render/webgl"
)

// A canvas draws on an element of the page.
type canvas interface {
	render.Canvas
	Look() *render.Look
	Resize(width, height int) error
	Problem() int
}

// newCanvas returns a canvas that uses the graphics card, or one that does without.
func newCanvas(element js.Value, heap *webgl.Heap, look render.Look) (canvas, error) {
	err := webgl.Try(heap)
	if !errors.Is(err, webgl.ErrNone) {
		return webgl.New(element, heap, look)
	}
	context := element.Call("getContext", "2d", map[string]any{"alpha": false})
	if !context.Truthy() {
		return nil, err
	}
	return &flat{
		Canvas: soft.New(look, soft.Options{
			Width: element.Get("width").Int(), Height: element.Get("height").Int(), Bands: 1,
		}),
		element: element, context: context, heap: heap,
	}, nil
}

// A flat draws with the processor and shows the picture.
type flat struct {
	*soft.Canvas
	element, context js.Value
	heap             *webgl.Heap
}

func (f *flat) Resize(width, height int) error {
	f.element.Set("width", width)
	f.element.Set("height", height)
	f.Canvas.Resize(width, height)
	return nil
}

func (f *flat) End() (render.Report, error) {
	report, err := f.Canvas.End()
	picture := f.Image()
	f.heap.Picture(f.context, picture.Rect.Dx(), picture.Rect.Dy(), picture.Pix)
	return report, err
}

func (f *flat) Problem() int { return 0 }
