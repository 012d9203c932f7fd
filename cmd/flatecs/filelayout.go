package main

import (
	"io"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// layoutLines is how many lines per part are printed of a world, unless it is said.
const layoutLines = 16

// printLayout loads the world, whatever its kinds, and prints its bytes by their names.
func (c *fileInspect) printLayout(out, stderr io.Writer, f *save.File) error {
	state, err := loaded(f, stderr, "loading")
	if err != nil {
		return err
	}
	defer world.Close(state)
	o := tool.LayoutOptions{Part: c.Part, Most: layoutLines}
	if c.Most != nil {
		o.Most = *c.Most
	}
	return tool.PrintLayout(out, state, o)
}
