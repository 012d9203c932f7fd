package game

// A plain is the game without any library: a slice for each field, in which the sorts lie side by
// side, so that a system is a loop over a range that every object in it takes part in. Bullets are
// a pool; what is swapped and what is frozen are flags. An object is known by its row, and a
// reference counts how often the row was used.
type plain struct {
	script *Script
	systems
	ranges [SortCount]span
	rowOf  []uint32 // of each slot

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
	used         []uint32 // how often a row was

	gone []uint32 // rows of bullets that are over
	grid Grid[uint32]
}

type span struct{ from, to int }

// A temperature is Burning or Chilled.
type temperature struct {
	value   float32
	burning bool
}

type reference struct{ row, used uint32 }

// order is how the sorts lie side by side, so that those with a kind are one range, or two.
var order = [SortCount]Sort{Bullet, Debris, Drone, Creature, Hunter, Rock}

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
	for slot := range uint32(n) {
		p.put(script.Object(slot))
	}
	for slot := range uint32(n) {
		if o := script.Object(slot); o.Sort == Hunter {
			p.target[p.rowOf[slot]] = p.refer(o.Target)
		}
	}
	p.systems = systems{
		damage: p.damage, freeze: p.freeze, swap: p.swap, age: p.age, spawn: p.spawn,
		chase: p.chase, accelerate: p.accelerate, move: p.move, heal: p.heal, animate: p.animate,
		collide: p.collide,
	}
	return p
}

func (p *plain) Frame(spent *Spent) { p.run(spent) }
func (p *plain) Close()             {}

func (p *plain) put(o Object) {
	row := p.rowOf[o.Slot.Number]
	p.slot[row], p.sprite[row], p.position[row] = o.Slot, o.Sprite, o.Position
	p.velocity[row], p.acceleration[row] = o.Velocity, o.Acceleration
	p.lifetime[row], p.health[row], p.body[row] = o.Lifetime, o.Health, o.Body
	p.temperature[row].burning = o.IsBurning
	p.alive[row] = true
	p.used[row]++
}

func (p *plain) refer(slot uint32) reference {
	row := p.rowOf[slot]
	return reference{row, p.used[row]}
}

// from returns the range from the first row of one sort to the last of another.
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

func (p *plain) collide() {
	p.grid.Clear(p.script.Side * p.script.Side)
	for _, sort := range []Sort{Creature, Rock} {
		for i := p.ranges[sort].from; i < p.ranges[sort].to; i++ {
			p.grid.Add(p.script.Cell(p.position[i]), uint32(i))
		}
	}
	for cell := range p.grid.Cells {
		for i, a := range cell {
			for _, b := range cell[:i] {
				if Touch(p.position[a], p.position[b], p.body[a].Radius, p.body[b].Radius) {
					p.body[a].Contacts++
					p.body[b].Contacts++
				}
			}
		}
	}
}

func (p *plain) Each(yield func(*Object)) {
	for _, sort := range order {
		for i := p.ranges[sort].from; i < p.ranges[sort].to; i++ {
			if !p.alive[i] {
				continue
			}
			o := Object{
				Sort: sort, Slot: p.slot[i], Sprite: p.sprite[i], Position: p.position[i],
				Velocity: p.velocity[i], Acceleration: p.acceleration[i], Lifetime: p.lifetime[i],
				Health: p.health[i], Body: p.body[i], IsFrozen: p.frozen[i], Target: Nobody,
			}
			if sort == Creature || sort == Drone {
				if t := p.temperature[i]; t.burning {
					o.IsBurning, o.Burning.Heat = true, t.value
				} else {
					o.IsChilled, o.Chilled.Cold = true, t.value
				}
			}
			if t := p.target[i]; sort == Hunter && p.used[t.row] == t.used && p.alive[t.row] {
				o.Target = p.slot[t.row].Number
			}
			yield(&o)
		}
	}
}
