package command

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A cursor is a position in a run.
type cursor struct {
	head int    // index of the run, or of its kept part
	at   uint32 // number of the spawn in the run
	next int    // index of the command behind the run
	gaps bool   // the run was kept in an earlier Apply, and some of its spawns are done
	kept bool   // this Apply keeps some spawn of the run
}

// enter returns a cursor at the first spawn of a run.
func (a *applying) enter(at int) cursor {
	return cursor{head: at, next: a.record.after(at), gaps: a.record.run(at).gaps != 0}
}

// spawn carries out consecutive spawns of one recipe, as many at once as there is room for.
func (a *applying) spawn() {
	a.streak.CarryOut(a.arena)
	first := &a.record.commands[a.at]
	p := a.pools[first.kind]
	if first.known {
		a.refuseSpawn(p, first.id, a.arena.Managers[first.field].Kind.Name, a.ring(a.at))
		a.at++
		return
	}
	c := a.enter(a.at)
	if !a.spawnAlone(p, &c) {
		a.spawnRuns(p, &c)
	}
	a.at = c.next
}

// spawnAlone carries out the only spawn of a run if its object is ready.
func (a *applying) spawnAlone(p *structure.Pool, c *cursor) bool {
	if a.record.run(c.head).count != 1 || p.Relates {
		return false
	}
	id, ok := p.SpawnHome(a.arena)
	if ok {
		a.spawnedOne(c, id)
		a.number++
	}
	return ok
}

// spawnRuns carries out the runs of spawns of a pool from c on.
func (a *applying) spawnRuns(p *structure.Pool, c *cursor) {
	for a.pending(c) {
		from, n := *c, 0
		if room := p.RoomFor(a.arena); room > 0 {
			n = a.spawnable(from, room, p.Relates)
		}
		switch n {
		case 0:
			a.refuseNext(p, c)
			continue
		case 1:
			id, _ := p.Spawn(a.arena) // there is room
			a.spawnedOne(c, id)
		default:
			p.SpawnN(a.arena, n, false, func(block uint32, x uint64, down bool) {
				a.spawned(p, c, block, x, down)
			})
		}
		if p.Relates {
			a.refer(&from, n)
		} else {
			a.number += n
		}
	}
}

// pending moves c to the next spawn to carry out, in this run or in the following runs of the
// recipe, and reports whether there is one.
func (a *applying) pending(c *cursor) bool {
	for {
		r := a.record.run(c.head)
		for ; c.at < r.count; c.at++ {
			if !c.gaps || a.record.Births.object(r.id(c.at)) == r.id(c.at) {
				return true
			}
		}
		if c.next >= a.record.used || !a.record.isRun(c.next) ||
			a.record.run(c.next).recipe != r.recipe {
			return false
		}
		*c = a.enter(c.next)
	}
}

// id returns the recorded id of a spawn of the run.
func (r *run) id(at uint32) gameobject.ID { return r.first + gameobject.ID(at) }

// spawnable returns how many spawns from c on, at most most, can be carried out at once: it stops
// at a spawn that refers to a dead object by a relation, which a recipe that relates may have.
// Spawns of a run with gaps come one by one.
func (a *applying) spawnable(c cursor, most int, relates bool) (n int) {
	for n < most && a.pending(&c) && (n == 0 || !c.gaps) {
		together := 1
		if relates {
			if _, err := a.refusedReference(&c); err != nil {
				break
			}
		} else if !c.gaps {
			together = int(a.record.run(c.head).count - c.at)
		}
		if n += together; c.gaps {
			break
		}
		c.at += uint32(together)
	}
	return min(n, most)
}

// spawned assigns the new objects x of a block, ascending or, with down, descending, to the spawns
// from c on, with their values except references.
func (a *applying) spawned(p *structure.Pool, c *cursor, block uint32, x uint64, down bool) {
	for x != 0 && a.pending(c) {
		r := a.record.run(c.head)
		part := firstOf(x, int(r.count-c.at), down)
		x &^= part
		a.name(r.id(c.at), block, part, down)
		at, setters := a.valuesAt(c), a.record.setters(c.head)
		for i := range setters {
			s := &setters[i]
			m := &a.arena.Managers[s.place]
			stride := m.Data.Columns[s.field].Stride
			if m.Kind.Fields[s.field].Relation == nil {
				n := bits.OnesCount64(part) - 1
				values := buffer.Span[byte](a.record.base, at, n*int(r.size)+stride)
				p.SetEach(m, int(s.field), block, part, down, values, int(r.size))
			}
			at += stride
		}
		c.at += uint32(bits.OnesCount64(part))
	}
}

// spawnedOne assigns a new object to the spawn at c, with its values except references.
func (a *applying) spawnedOne(c *cursor, id gameobject.ID) {
	a.record.Births.became(a.record.run(c.head).id(c.at), id)
	at, setters := a.valuesAt(c), a.record.setters(c.head)
	for i := range setters {
		s := &setters[i]
		m := &a.arena.Managers[s.place]
		column := &m.Data.Columns[s.field]
		if m.Kind.Fields[s.field].Relation == nil {
			row, _ := m.RowOf(id.Index())
			column.Set(int(row), buffer.Span[byte](a.record.base, at, column.Stride))
		}
		at += column.Stride
	}
	c.at++
}

// firstOf returns the first n bits of x: the lowest or, with down, the highest.
func firstOf(x uint64, n int, down bool) uint64 {
	if n >= bits.OnesCount64(x) {
		return x
	}
	rest := x
	for ; n > 0 && rest != 0; n-- {
		if down {
			rest &^= 1 << (bits.Len64(rest) - 1)
		} else {
			rest &= rest - 1
		}
	}
	return x &^ rest
}

// name records the objects x of a block as created for the ids from first on.
func (a *applying) name(first gameobject.ID, block uint32, x uint64, down bool) {
	o := a.record.Births.of(first)
	made := o.made[first.Index()-o.first:]
	if at := uint32(bits.TrailingZeros64(x)); (x>>at)&(x>>at+1) == 0 && !down {
		a.arena.Objects.AtEach(made[:bits.OnesCount64(x)], block<<6+at)
		return
	}
	for n := 0; x != 0; n++ {
		i := uint32(bits.TrailingZeros64(x))
		if down {
			i = uint32(bits.Len64(x) - 1)
		}
		x &^= 1 << i
		made[n] = a.arena.Objects.At(block<<6 + i)
	}
}

// valuesAt returns the offset of the values of a spawn, in bytes.
func (a *applying) valuesAt(c *cursor) int {
	r := a.record.run(c.head)
	return c.head*commandSize + r.values() + int(c.at)*int(r.size)
}

// refuseNext refuses the next spawn, or keeps it.
func (a *applying) refuseNext(p *structure.Pool, c *cursor) {
	id := a.record.run(c.head).id(c.at)
	relation, err := a.refusedReference(c)
	if err == nil {
		err = p.CheckRoom(a.arena, 1)
	}
	if a.refuseSpawn(p, id, relation, err) {
		a.keepRun(c)
	}
	c.at++
}

// refuseSpawn refuses a spawn because of a relation or, if relation is empty, because there is no
// room. It reports whether to keep the spawn.
//
//go:noinline
func (a *applying) refuseSpawn(
	p *structure.Pool, id gameobject.ID, relation string, err error,
) (kept bool) {
	e := a.note(Spawn, a.number, gameobject.Nobody, p.Name, err)
	if relation != "" {
		e.Command, e.Kind = opNames[Fill], relation
	}
	a.number++
	fate := refused
	if e.Kept = a.keeping && noRoom(err); e.Kept {
		fate = id
	}
	a.record.Births.became(id, fate)
	return e.Kept
}

// keepRun moves the spawns from c on to the end of the kept commands, unless this was done. Spawns
// among them that are carried out or refused later leave gaps.
func (a *applying) keepRun(c *cursor) {
	if c.kept {
		return
	}
	r, values := *a.record.run(c.head), a.valuesAt(c)
	first, count := r.id(c.at), r.count-c.at
	copy(a.record.commands[a.kept:], a.record.commands[c.head:c.head+commandsOf(r.values())])
	size := int(count) * int(r.size)
	copy(buffer.Span[byte](a.record.base, a.kept*commandSize+r.values(), size),
		buffer.Span[byte](a.record.base, values, size))
	kept := a.record.run(a.kept)
	kept.first, kept.count, kept.gaps = first, count, 1
	c.head, c.at, c.kept = a.kept, 0, true
	a.kept += kept.commands()
}
