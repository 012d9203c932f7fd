package tool

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// Begin empties g for the objects that [Groups.Create] creates. Until [Groups.End], call nothing
// else for the world. It panics in a walk, and in a task.
func (g *Groups) Begin(s systems.State) {
	g.checked().begin(systems.Changing(s))
	g.making = true
}

// checkMaking panics unless Begin was called.
func (g *Groups) checkMaking() {
	if !g.checked().making {
		panic("flatecs: Groups are changed outside Begin and End; call Begin first")
	}
}

// End returns the State of the world with the objects created since [Groups.Begin].
func (g *Groups) End() systems.State {
	g.checkMaking()
	s := g.tools.Changed()
	g.begin(systems.Tools{})
	return s
}

// Create creates a group of n new objects without kinds, in the order of their indexes, and appends
// their ids to dst. The caller has checked that there is room; see [CheckRoom].
func (g *Groups) Create(dst []gameobject.ID, n int) []gameobject.ID {
	g.checkMaking()
	if n < 0 || n > g.tools.Arena.Objects.Left() {
		panic(fmt.Sprintf("flatecs: %d new objects, and room for %d; ask CheckRoom first", n,
			g.tools.Arena.Objects.Left()))
	}
	i := len(g.groups)
	g.groups = append(g.groups, group{objects: n, first: len(g.byGroup)})
	if i == 0 {
		g.byGroup, g.groups[0].first = g.byGroup[:0], 0
	}
	g.sorted = slices.Grow(g.sorted[:0], n)
	for range n {
		id, err := g.tools.Arena.Objects.Create(0)
		if err != nil {
			panic(manager.RefuseID(g.tools.Arena, err, id).Error())
		}
		g.sorted = append(g.sorted, uint64(id.Index())<<32)
	}
	g.sorted, g.spare = ascend(g.sorted, g.spare)
	dst = slices.Grow(dst, n)
	for keys := g.sorted; len(keys) > 0; {
		block, x := keys[0]>>38, uint64(0)
		for len(keys) > 0 && keys[0]>>38 == block {
			x |= 1 << (keys[0] >> 32 & 63)
			keys = keys[1:]
		}
		dst = g.born(dst, i, uint32(block), x)
	}
	return dst
}

// born adds the new objects x of a block to a group, and appends their ids to dst.
func (g *Groups) born(dst []gameobject.ID, i int, block uint32, x uint64) []gameobject.ID {
	g.byGroup = append(g.byGroup, uint32(len(g.runs)))
	g.runs = append(g.runs, run{objects: x, block: block, group: uint32(i)})
	g.groups[i].n++
	for ; x != 0; x &= x - 1 {
		dst = append(dst, g.tools.Arena.Objects.At(block<<6+uint32(bits.TrailingZeros64(x))))
	}
	return dst
}

// Add adds a kind to the new objects of a group. The caller has checked that there is room.
func (g *Groups) Add(i, kind int) {
	g.checkMaking()
	n, m := g.at(i).objects, g.manager(kind)
	if !m.Kind.Mark && n > m.Rows.Cap()-m.Live() {
		panic(fmt.Sprintf("flatecs: %d components of %s, and room for %d; ask CheckRoom first", n,
			m.Kind.Name, m.Rows.Cap()-m.Live()))
	}
	g.checkHave(i, m, false)
	for _, r := range g.runsOf(i) {
		m.AddBlock(g.runs[r].block, g.runs[r].objects)
	}
}

// Suspend suspends the components of a kind of the new objects of a group. It panics if the kind is
// packed.
func (g *Groups) Suspend(i, kind int) {
	g.checkMaking()
	g.at(i)
	m := g.manager(kind)
	g.checkHave(i, m, true)
	for _, r := range g.runsOf(i) {
		run := &g.runs[r]
		for x := run.objects; x != 0; x &= x - 1 {
			_ = m.Suspend(run.block<<6 + uint32(bits.TrailingZeros64(x))) // the objects have it
		}
	}
}

// checkHave panics unless all objects of a group have a component, or, without all, none has it.
func (g *Groups) checkHave(i int, m *manager.Manager, all bool) {
	for _, r := range g.runsOf(i) {
		run := &g.runs[r]
		have := run.objects & m.Blocks.Holds(run.block)
		if all && have != run.objects || !all && have != 0 {
			panic("flatecs: new objects get each kind once, and keep what they got; " +
				m.Kind.Name + " is not so")
		}
	}
}

// Name gives a new object a name, or a suspended name. The caller has checked the room, and that
// the name is UTF-8 of at most [systems.MaxName] bytes.
func (g *Groups) Name(id gameobject.ID, name []byte, suspended bool) {
	g.checkMaking()
	g.tools.Name(id, name, suspended)
}

// CheckRoom returns an error unless a world has room for n more components of a kind, or objects if
// kind is -1. The error wraps [systems.ErrFull] or [systems.ErrTooMany].
func CheckRoom(s systems.State, kind, n int) error {
	t := systems.ToolsOf(s)
	if kind >= t.OnObjects() {
		panic(fmt.Sprintf("flatecs: no object has a kind with number %d; see NumberOf", kind))
	}
	if n < 0 {
		return &systems.Error{Err: systems.ErrCount, Kind: "objects to make", Count: n}
	}
	if kind < 0 {
		if n > t.Arena.Objects.Left() {
			return manager.RefuseID(t.Arena, gameobject.ErrTooMany, gameobject.Nobody)
		}
		return nil
	}
	return manager.CheckRoom(n, &t.Arena.Managers[kind])
}

// extend returns b with n more bytes.
func extend(b []byte, n int) []byte { return slices.Grow(b, n)[:len(b)+n] }
