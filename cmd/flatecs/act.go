package main

import (
	"bufio"

	"github.com/flatecs/flatecs/cmd/acts/jsonout"
)

// act is one of the three tellings of the scene.
type act interface {
	begin() // tells the renderer that the scene begins
	frame() // updates, renders one by one, renders instances
	writeState(out *jsonout.Writer)
	live() int // game objects
	size() int // bytes of the world
	close()
}

// open builds the scene of the chosen act.
func (h *heroes) open(out *bufio.Writer, m *meter) (act, error) {
	log := &logRenderer{out: out, quiet: h.Render == "none"}
	m.enter(createState)
	defer m.leave()
	switch h.Act {
	case 1:
		return newAct1(h, log, m), nil
	case 2:
		return newAct2(h, log, m), nil
	}
	return newAct3(h, log, m)
}
