//go:build js && wasm

package webgl

import (
	"fmt"
	"syscall/js"

	"github.com/flatecs/flatecs/unsafeutil"
)

// A Heap is the browser's view of the program's memory: the result of the page's goHeap.
type Heap struct {
	value                          js.Value
	buffer, matrix, image, picture js.Value
}

// NewHeap returns the heap for a result of the page's goHeap.
func NewHeap(value js.Value) *Heap {
	return &Heap{
		value:  value,
		buffer: value.Get("buffer"), matrix: value.Get("matrix"),
		image: value.Get("image"), picture: value.Get("picture"),
	}
}

// Views returns how often the view was created: once, and again after each growth of the memory.
func (h *Heap) Views() int { return h.value.Call("views").Int() }

// Picture shows an image, RGBA bytes row by row, on a 2D canvas.
func (h *Heap) Picture(context js.Value, width, height int, pixels []byte) {
	h.picture.Invoke(context, width, height, address(pixels))
}

// address returns the address of bytes in the program's memory. They must be on the heap, which
// does not move.
func address(bytes []byte) int { return int(unsafeutil.Address(bytes)) }

// addressOfMatrix returns the address of a matrix, which must be part of a heap object.
func addressOfMatrix(m *[16]float32) int { return address(unsafeutil.Bytes(m[:])) }

// floatsAt returns the address of floats.
func floatsAt(bytes []byte) int {
	at := address(bytes)
	if at%4 != 0 {
		panic(fmt.Sprintf("webgl: positions at address %d; columns begin at multiples of 4", at))
	}
	return at
}
