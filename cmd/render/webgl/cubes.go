//go:build js && wasm

package webgl

import (
	"syscall/js"

	"github.com/flatecs/flatecs/cmd/render"
)

const fog = .45 // fraction of the sky's colour at the farthest point

// A cubes draws cubes.
type cubes struct {
	*program
	array js.Value
	drawn bool // something was drawn this frame
}

// cubeStrip is the corners of a cube as a strip of triangles; bits x, y, z: the far end of the
// axis.
var cubeStrip = [14]uint8{2, 3, 6, 7, 5, 3, 1, 2, 0, 6, 4, 5, 0, 1}

func newCubes(c *context) *cubes {
	var corners []float32
	for _, corner := range cubeStrip {
		for axis := range 3 {
			corners = append(corners, float32(corner>>axis&1)*2-1)
		}
	}
	return &cubes{
		program: c.program(cubeVertex, cubeFragment, "view", "centre", "fog", "colour", "rim", "sky"),
		array:   c.array(c.vertices(corners), 3, 1),
	}
}

// drawCubes draws instances as cubes.
func (c *Canvas) drawCubes(style render.Style, positions []byte, n int) {
	c.toScreen()
	c.enable.Invoke(depthTest)
	c.disable.Invoke(blend)
	if !c.cubes.drawn {
		c.cubes.drawn = true
		c.Call("clear", depthBufferBit)
	}
	c.aim(c.cubes.program, style)
	c.cubes.set3("sky", share(c.Look().Sky[0]))
	half := c.Size(style, n) / (c.View.Scale * float32(c.Height))
	c.cubes.set4("fog", c.Middle, 1/(2*c.View.Radius), fog, half)
	c.drawColumns(c.cubes.array, len(cubeStrip), n, 1, positions)
}
