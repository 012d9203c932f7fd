package frame

import "github.com/flatecs/flatecs/world/pose"

// A plain is the game without a library: a slice for each field, in which the sorts are contiguous,
// so that a system is a loop over a range without exceptions. Bullets are a pool; swapped and
// frozen objects have flags. An object is identified by its row, and references contain the number
// of uses of the row.
type plain struct {
	script *Script
	systems
	ranges [SortCount]span
	rowOf  []uint32 // per slot

	slot         []Slot
	sprite       []Sprite
	position     []Position
	velocity     []Velocity
	acceleration []Acceleration
	lifetime     []Lifetime
	health       []Health
	body         []Body
	temperature  []temperature
	target       []reference
	frozen       []bool
	alive        []bool
	used         []uint32 // number of uses per row

	local  []pose.Pose2 // per part, like the following fields
	global []pose.Pose2
	parent []uint32 // its number, or Nobody

	gone  []uint32 // rows of expired bullets
	cells Cells[uint32]
}

type span struct{ from, to int }

// A temperature is Burning or Chilled.
type temperature struct {
	value   float32
	burning bool
}

type reference struct{ row, used uint32 }

// order is the order of the sorts. The sorts with a kind are one or two ranges.
var order = [SortCount]Sort{Bullet, Debris, Drone, Creature, Hunter, Rock, Part}

func newPlain(script *Script) Game {
	n := script.Objects
	p := &plain{
		script: script, rowOf: make([]uint32, n), slot: make([]Slot, n), sprite: make([]Sprite, n),
		position: make([]Position, n), velocity: make([]Velocity, n),
		acceleration: make([]Acceleration, n), lifetime: make([]Lifetime, n),
		health: make([]Health, n), body: make([]Body, n), temperature: make([]temperature, n),
		target: make([]reference, n), frozen: make([]bool, n), alive: make([]bool, n),
		used: make([]uint32, n),
	}
	row := 0
	for _, sort := range order {
		from := row
		for slot := range uint32(n) {
			if SortOf(slot) == sort {
				p.rowOf[slot] = uint32(row)
				row++
			}
		}
		p.ranges[sort] = span{from, row}
	}
	n = p.ranges[Part].to - p.ranges[Part].from
	p.local, p.global, p.parent = make([]pose.Pose2, n), make([]pose.Pose2, n), make([]uint32, n)
	for slot := range uint32(script.Objects) {
		p.put(script.Object(slot))
	}
	for slot := range uint32(script.Objects) {
		if o := script.Object(slot); o.Sort == Hunter {
			p.target[p.rowOf[slot]] = p.refer(o.Target)
		}
	}
	p.systems = systems{
		damage: p.damage, freeze: p.freeze, swap: p.swap, age: p.age, spawn: p.spawn,
		chase: p.chase, accelerate: p.accelerate, move: p.move, heal: p.heal, animate: p.animate,
		hang: p.hang, assemble: p.assemble, collide: p.collide,
	}
	return p
}

func (p *plain) put(o Object) {
	row := p.rowOf[o.Slot.Number]
	p.slot[row], p.sprite[row], p.position[row] = o.Slot, o.Sprite, o.Position
	p.velocity[row], p.acceleration[row] = o.Velocity, o.Acceleration
	p.lifetime[row], p.health[row], p.body[row] = o.Lifetime, o.Health, o.Body
	p.temperature[row].burning = o.Sort == Creature
	if part := int(row) - p.ranges[Part].from; o.Sort == Part {
		p.local[part], p.global[part], p.parent[part] = o.Local.Pose2, o.Global.Pose2, Nobody
		if o.Parent != Nobody {
			p.parent[part] = p.part(o.Parent)
		}
	}
	p.alive[row] = true
	p.used[row]++
}

// part returns the number of a part.
func (p *plain) part(slot uint32) uint32 {
	return p.rowOf[slot] - uint32(p.ranges[Part].from)
}

func (p *plain) refer(slot uint32) reference {
	row := p.rowOf[slot]
	return reference{row, p.used[row]}
}

// from returns the range from the first row of one sort to the last row of another.
func (p *plain) from(first, last Sort) (from, to int) {
	return p.ranges[first].from, p.ranges[last].to
}

func (p *plain) damage() {
	for _, hit := range p.script.Hits {
		p.health[p.rowOf[hit.Slot]].Damage(hit.Points)
	}
}

func (p *plain) freeze() {
	for _, slot := range p.script.Thaw {
		p.frozen[p.rowOf[slot]] = false
	}
	for _, slot := range p.script.Freeze {
		p.frozen[p.rowOf[slot]] = true
	}
}

func (p *plain) swap() {
	for _, slot := range p.script.Swaps {
		t := &p.temperature[p.rowOf[slot]]
		t.value, t.burning = t.value+1, !t.burning
	}
}

func (p *plain) age() {
	from, to := p.from(Bullet, Bullet)
	for i := from; i < to; i++ {
		if p.alive[i] {
			if p.lifetime[i].Frames--; p.lifetime[i].Frames <= 0 {
				p.alive[i] = false
				p.gone = append(p.gone, uint32(i))
			}
		}
	}
}

func (p *plain) spawn() {
	for _, row := range p.gone {
		p.put(p.script.Object(p.slot[row].Number))
	}
	p.gone = p.gone[:0]
}

func (p *plain) chase() {
	from, to := p.from(Hunter, Hunter)
	for i := from; i < to; i++ {
		t := p.target[i]
		if p.used[t.row] != t.used || !p.alive[t.row] {
			p.target[i] = p.refer(p.script.Pick(p.slot[i].Number))
			continue
		}
		p.velocity[i].Chase(p.position[i], p.position[t.row])
	}
}

func (p *plain) accelerate() {
	from, to := p.from(Debris, Creature)
	v, a := p.velocity[from:to], p.acceleration[from:to]
	for i := range v {
		v[i].Accelerate(&a[i])
	}
}

func (p *plain) move() {
	from, to := p.from(Bullet, Hunter)
	at, v, frozen := p.position[from:to], p.velocity[from:to], p.frozen[from:to]
	for i := range at {
		if !frozen[i] {
			at[i].Move(&v[i])
		}
	}
}

func (p *plain) heal() {
	from, to := p.from(Drone, Hunter)
	health := p.health[from:to]
	for i := range health {
		health[i].Heal()
	}
}

func (p *plain) animate() {
	for i := range p.sprite {
		p.sprite[i].Animate()
	}
}

func (p *plain) hang() {
	for _, h := range p.script.Hangs {
		p.parent[p.part(h.Slot)] = p.part(h.Parent)
	}
}

// assemble relies on parents preceding their children.
func (p *plain) assemble() {
	at := p.position[p.ranges[Part].from:p.ranges[Part].to]
	for i, parent := range p.parent {
		Turn(&p.local[i])
		up := pose.Identity2
		if parent != Nobody {
			up = p.global[parent]
		}
		p.global[i] = up.Compose(p.local[i])
		at[i].Place(&p.global[i])
	}
}

func (p *plain) collide() {
	p.cells.Clear(p.script.Side)
	for _, sort := range []Sort{Creature, Rock} {
		for i := p.ranges[sort].from; i < p.ranges[sort].to; i++ {
			p.cells.Add(p.position[i], p.body[i].Radius, uint32(i))
		}
	}
	p.cells.Touching(func(one, other uint32) {
		p.body[one].Contacts++
		p.body[other].Contacts++
	})
}

func (p *plain) Each(yield func(*Seen)) {
	for i := range p.slot {
		if !p.alive[i] {
			continue
		}
		o := Seen{
			Slot: p.slot[i], Sprite: p.sprite[i], Position: p.position[i], Velocity: p.velocity[i],
			Health: p.health[i], Body: p.body[i], Frozen: p.frozen[i],
		}
		t, sort := p.temperature[i], SortOf(o.Slot.Number)
		switch {
		case sort != Creature && sort != Drone:
		case t.burning:
			o.Burning = &Burning{t.value}
		default:
			o.Chilled = &Chilled{t.value}
		}
		yield(&o)
	}
}
