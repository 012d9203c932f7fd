//go:build js && wasm

package webgl

import (
	"fmt"
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

// Constants of the WebGL2 specification.
const (
	triangles, triangleStrip     = 4, 5
	zero, one                    = 0, 1
	oneMinusSrcColour            = 0x0301
	oneMinusSrcAlpha             = 0x0303
	constantAlpha                = 0x8003
	oneMinusConstantAlpha        = 0x8004
	depthBufferBit, colourBit    = 0x0100, 0x4000
	cullFace, depthTest, blend   = 0x0B44, 0x0B71, 0x0BE2
	texture2D                    = 0x0DE1
	unsignedByte, float          = 0x1401, 0x1406
	halfFloat                    = 0x140B
	rgba, rgba16f                = 0x1908, 0x881A
	nearest, linear              = 0x2600, 0x2601
	linearMipmapLinear           = 0x2703
	magFilter, minFilter         = 0x2800, 0x2801
	wrapS, wrapT, clampToEdge    = 0x2802, 0x2803, 0x812F
	texture0                     = 0x84C0
	arrayBuffer                  = 0x8892
	staticDraw, streamDraw       = 0x88E4, 0x88E0
	fragmentShader, vertexShader = 0x8B30, 0x8B31
	compileStatus, linkStatus    = 0x8B81, 0x8B82
	framebuffer, colour0         = 0x8D40, 0x8CE0
	framebufferComplete          = 0x8CD5
)

// A context is a WebGL2 context, with the functions bound that every frame calls.
type context struct {
	js.Value
	heap   *Heap
	failed error // the first error of program and resize, until Resize returns it

	bindBuffer, bindVertexArray, bindFramebuffer, bindTexture js.Value
	drawArrays, drawArraysInstanced                           js.Value
	enable, disable, blendFunc, viewport                      js.Value
	attrib3f, attribPointer                                   js.Value
	uniform1f, uniform2f, uniform3f, uniform4f, useProgram    js.Value
}

func newContext(gl js.Value, heap *Heap) *context {
	bound := func(name string) js.Value { return gl.Get(name).Call("bind", gl) }
	return &context{
		Value: gl, heap: heap,
		bindBuffer: bound("bindBuffer"), bindVertexArray: bound("bindVertexArray"),
		bindFramebuffer: bound("bindFramebuffer"), bindTexture: bound("bindTexture"),
		drawArrays: bound("drawArrays"), drawArraysInstanced: bound("drawArraysInstanced"),
		enable: bound("enable"), disable: bound("disable"),
		blendFunc: bound("blendFunc"), viewport: bound("viewport"),
		attrib3f: bound("vertexAttrib3f"), attribPointer: bound("vertexAttribPointer"),
		uniform1f: bound("uniform1f"), uniform2f: bound("uniform2f"),
		uniform3f: bound("uniform3f"), uniform4f: bound("uniform4f"),
		useProgram: bound("useProgram"),
	}
}

// A program is a linked pair of shaders, with the locations of its uniforms.
type program struct {
	*context
	object js.Value
	places map[string]js.Value
}

// program compiles and links shaders. An error contains the compiler's message.
func (c *context) program(vertex, fragment string, uniforms ...string) *program {
	p := &program{context: c, object: c.Call("createProgram"), places: map[string]js.Value{}}
	for kind, source := range map[int]string{vertexShader: vertex, fragmentShader: fragment} {
		shader := c.Call("createShader", kind)
		c.Call("shaderSource", shader, version+source)
		c.Call("compileShader", shader)
		c.Call("attachShader", p.object, shader)
		if !c.Call("getShaderParameter", shader, compileStatus).Truthy() {
			c.fail("webgl: shader: %s", c.Call("getShaderInfoLog", shader))
		}
	}
	c.Call("linkProgram", p.object)
	if !c.Call("getProgramParameter", p.object, linkStatus).Truthy() {
		c.fail("webgl: program: %s", c.Call("getProgramInfoLog", p.object))
	}
	for _, name := range uniforms {
		p.places[name] = c.Call("getUniformLocation", p.object, name)
	}
	return p
}

// fail stores the first error.
func (c *context) fail(format string, what ...any) {
	if c.failed == nil {
		c.failed = fmt.Errorf(format, what...)
	}
}

func (p *program) use()                        { p.useProgram.Invoke(p.object) }
func (p *program) set1(name string, x float32) { p.uniform1f.Invoke(p.places[name], x) }
func (p *program) set3(name string, v [3]float32) {
	p.uniform3f.Invoke(p.places[name], v[0], v[1], v[2])
}

func (p *program) matrix(m *[16]float32) {
	p.heap.matrix.Invoke(p.Value, p.places["view"], addressOfMatrix(m))
}

func (p *program) set2(name string, x, y float32) {
	p.uniform2f.Invoke(p.places[name], x, y)
}

func (p *program) set4(name string, x, y, z, w float32) {
	p.uniform4f.Invoke(p.places[name], x, y, z, w)
}

// vertices creates a constant buffer of numbers.
func (c *context) vertices(numbers []float32) js.Value {
	array := js.Global().Get("Float32Array").New(len(numbers))
	for i, x := range numbers {
		array.SetIndex(i, x)
	}
	buffer := c.Call("createBuffer")
	c.bindBuffer.Invoke(arrayBuffer, buffer)
	c.Call("bufferData", arrayBuffer, array, staticDraw)
	return buffer
}

// drawColumns draws vertices vertices for each of n instances, whose positions are contiguous in
// the bytes; perInstance positions per instance are attributes from 1 on.
func (c *Canvas) drawColumns(array js.Value, vertices, n, perInstance int, bytes []byte) {
	c.bindVertexArray.Invoke(array)
	stride := perInstance * render.PositionBytes
	offset := c.columns.upload(bytes[:n*stride])
	for i := range perInstance {
		c.attribPointer.Invoke(1+i, 3, float, false, stride, offset+i*render.PositionBytes)
	}
	c.drawArraysInstanced.Invoke(triangleStrip, 0, vertices, n)
}

// array creates a vertex array. Attribute 0 has the given numbers per vertex; the others are per
// instance.
func (c *context) array(vertices js.Value, numbers, perInstance int) js.Value {
	array := c.Call("createVertexArray")
	c.bindVertexArray.Invoke(array)
	c.bindBuffer.Invoke(arrayBuffer, vertices)
	c.Call("enableVertexAttribArray", 0)
	c.attribPointer.Invoke(0, numbers, float, false, 0, 0)
	for i := range perInstance {
		c.Call("enableVertexAttribArray", 1+i)
		c.Call("vertexAttribDivisor", 1+i, 1)
	}
	return array
}

// A target is a texture for drawing on.
type target struct {
	*context
	texture, frame js.Value
	width, height  int
}

// resize sets the size of the target, and clears it.
func (t *target) resize(width, height, filter int) {
	if t.frame.IsUndefined() {
		t.frame = t.Call("createFramebuffer")
	} else {
		t.Call("deleteTexture", t.texture)
	}
	t.width, t.height = width, height
	t.texture = t.Call("createTexture")
	t.bindTexture.Invoke(texture2D, t.texture)
	t.Call("texImage2D", texture2D, 0, rgba16f, width, height, 0, rgba, halfFloat, nil)
	t.filter(filter, filter)
	t.bind()
	t.Call("framebufferTexture2D", framebuffer, colour0, texture2D, t.texture, 0)
	if s := t.Call("checkFramebufferStatus", framebuffer).Int(); s != framebufferComplete {
		t.fail("%w that adds up light (framebuffer status %#x)", ErrNone, s)
	}
}

func (t *target) bind() {
	t.bindFramebuffer.Invoke(framebuffer, t.frame)
	t.viewport.Invoke(0, 0, t.width, t.height)
}

// filter sets the filters of the bound texture.
func (c *context) filter(small, large int) {
	c.Call("texParameteri", texture2D, minFilter, small)
	c.Call("texParameteri", texture2D, magFilter, large)
	c.Call("texParameteri", texture2D, wrapS, clampToEdge)
	c.Call("texParameteri", texture2D, wrapT, clampToEdge)
}
