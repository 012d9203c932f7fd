//go:build js && wasm

package webgl

import (
	"math/bits"
	"syscall/js"
)

// columns is the GPU buffer for a frame's columns, one after the other.
type columns struct {
	*context
	buffer     js.Value
	used, room int // bytes
}

// begin starts a frame with an empty buffer; the driver keeps the data of the previous frame.
func (c *columns) begin() {
	if c.room > 0 {
		c.bindBuffer.Invoke(arrayBuffer, c.buffer)
		c.Call("bufferData", arrayBuffer, c.room, streamDraw)
	}
	c.used = 0
}

// upload copies bytes from the program's memory to the GPU, and returns their offset in the buffer,
// which stays bound.
func (c *columns) upload(bytes []byte) (offset int) {
	if c.buffer.IsUndefined() {
		c.buffer = c.Call("createBuffer")
	}
	c.bindBuffer.Invoke(arrayBuffer, c.buffer)
	if c.used+len(bytes) > c.room {
		c.room = 1 << bits.Len(uint(max(c.room, len(bytes), 1<<16)))
		c.Call("bufferData", arrayBuffer, c.room, streamDraw)
		c.used = 0
	}
	offset = c.used
	c.heap.buffer.Invoke(c.Value, arrayBuffer, offset, floatsAt(bytes), len(bytes))
	c.used += len(bytes)
	return offset
}
