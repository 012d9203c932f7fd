package main

import (
	"bufio"
	"fmt"

	"github.com/flatecs/flatecs/cmd/acts/act1"
	"github.com/flatecs/flatecs/cmd/acts/act2"
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
	"github.com/flatecs/flatecs/systems/tool"
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
	case "1":
		one := [2]int{act1.NewScene(1, 0).Size(), act1.NewScene(0, 1).Size()}
		if err := h.fits(one); err != nil {
			return nil, err
		}
		return newAct1(h, log, m), nil
	case "2":
		one := [2]int{act2.NewScene(1, 0).Size(), act2.NewScene(0, 1).Size()}
		if err := h.fits(one); err != nil {
			return nil, err
		}
		return newAct2(h, log, m), nil
	}
	return newAct3(h, log, m)
}

// fits refuses more heroes than there is memory for, of which a normal and a super one take so many
// bytes: Go would end the program, or the system would.
func (h *heroes) fits(one [2]int) error {
	needs := uint64(h.normal())*uint64(one[0]) + uint64(h.super())*uint64(one[1])
	if most := uint64(tool.Memory()); needs+needs/4 > most { // what the heap takes beside them
		return fmt.Errorf("act %s: %d heroes take %d bytes, more than this machine has for this "+
			"program, %d; lower --count or --supers", h.Act, h.normal()+h.super(), needs, most)
	}
	return nil
}
