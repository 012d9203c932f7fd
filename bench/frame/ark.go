package frame

import (
	"github.com/mlange-42/ark/ecs"

	"github.com/flatecs/flatecs/world/pose"
)

// ArkTarget is a reference to an entity.
type ArkTarget struct{ Entity ecs.Entity }

// ArkParent is a reference to the parent of a part.
type ArkParent struct{ Entity ecs.Entity }

// An ark is the game in github.com/mlange-42/ark, with the methods that its package documentation
// recommends ("ECS Manipulations"): loops by NextTable and GetColumns, the fastest ones; replacing
// a kind by Exchange1; components by id through Map. Filters are registered, which caches their
// tables. An open query locks the world, so entities to be removed are collected.
type ark struct {
	script *Script
	systems
	world *ecs.World
	ids   []ecs.Entity // by slot
	gone  []uint32     // slots
	cells Cells[ecs.Entity]

	positions  *ecs.Map[Position]
	healths    *ecs.Map[Health]
	bodies     *ecs.Map[Body]
	globals    *ecs.Map[Global]
	parents    *ecs.Map[ArkParent]
	marks      *ecs.Map1[Frozen]
	burning    *ecs.Map[Burning]
	chilled    *ecs.Map[Chilled]
	targets    *ecs.Map[ArkTarget]
	toChilled  *ecs.Exchange1[Chilled]
	toBurning  *ecs.Exchange1[Burning]
	bullets    *ecs.Map5[Slot, Sprite, Position, Velocity, Lifetime]
	aging      *ecs.Filter2[Slot, Lifetime]
	hunting    *ecs.Filter4[Slot, Position, Velocity, ArkTarget]
	faster     *ecs.Filter2[Velocity, Acceleration]
	moving     *ecs.Filter2[Position, Velocity]
	healing    *ecs.Filter1[Health]
	drawn      *ecs.Filter1[Sprite]
	collisions *ecs.Filter2[Position, Body]
	assembled  *ecs.Filter4[Position, Local, Global, ArkParent]
}

func newArk(script *Script) Game {
	w := ecs.NewWorld(script.Objects)
	a := &ark{
		script: script, world: w, ids: make([]ecs.Entity, script.Objects),
		positions: ecs.NewMap[Position](w),
		healths:   ecs.NewMap[Health](w), bodies: ecs.NewMap[Body](w),
		globals: ecs.NewMap[Global](w), parents: ecs.NewMap[ArkParent](w),
		marks:   ecs.NewMap1[Frozen](w),
		burning: ecs.NewMap[Burning](w), chilled: ecs.NewMap[Chilled](w),
		targets:    ecs.NewMap[ArkTarget](w),
		toChilled:  ecs.NewExchange1[Chilled](w).Removes(ecs.C[Burning]()),
		toBurning:  ecs.NewExchange1[Burning](w).Removes(ecs.C[Chilled]()),
		bullets:    ecs.NewMap5[Slot, Sprite, Position, Velocity, Lifetime](w),
		aging:      ecs.NewFilter2[Slot, Lifetime](w).Register(),
		hunting:    ecs.NewFilter4[Slot, Position, Velocity, ArkTarget](w).Register(),
		faster:     ecs.NewFilter2[Velocity, Acceleration](w).Register(),
		moving:     ecs.NewFilter2[Position, Velocity](w).Without(ecs.C[Frozen]()).Register(),
		healing:    ecs.NewFilter1[Health](w).Register(),
		drawn:      ecs.NewFilter1[Sprite](w).Register(),
		collisions: ecs.NewFilter2[Position, Body](w).Register(),
		assembled:  ecs.NewFilter4[Position, Local, Global, ArkParent](w).Register(),
	}
	a.start()
	a.systems = systems{
		damage: a.damage, freeze: a.freeze, swap: a.swap, age: a.age, spawn: a.spawn,
		chase: a.chase, accelerate: a.accelerate, move: a.move, heal: a.heal, animate: a.animate,
		hang: a.hang, assemble: a.assemble, collide: a.collide,
	}
	return a
}

// start creates every object.
func (a *ark) start() {
	w := a.world
	rocks := ecs.NewMap4[Slot, Sprite, Position, Body](w)
	machines := ecs.NewMap6[Slot, Sprite, Position, Local, Global, ArkParent](w)
	debris := ecs.NewMap5[Slot, Sprite, Position, Velocity, Acceleration](w)
	creatures := ecs.NewMap8[
		Slot, Sprite, Position, Velocity, Acceleration, Health, Body, Burning,
	](w)
	hunters := ecs.NewMap6[Slot, Sprite, Position, Velocity, Health, ArkTarget](w)
	drones := ecs.NewMap7[Slot, Sprite, Position, Velocity, Acceleration, Health, Chilled](w)
	for slot := range uint32(a.script.Objects) {
		o := a.script.Object(slot)
		switch o.Sort {
		case Rock:
			a.ids[slot] = rocks.NewEntity(&o.Slot, &o.Sprite, &o.Position, &o.Body)
		case Part:
			a.ids[slot] = machines.NewEntity(&o.Slot, &o.Sprite, &o.Position, &o.Local, &o.Global,
				&ArkParent{a.entity(o.Parent)})
		case Debris:
			a.ids[slot] = debris.NewEntity(&o.Slot, &o.Sprite, &o.Position, &o.Velocity,
				&o.Acceleration)
		case Bullet:
			a.fire(&o)
		case Creature:
			a.ids[slot] = creatures.NewEntity(&o.Slot, &o.Sprite, &o.Position, &o.Velocity,
				&o.Acceleration, &o.Health, &o.Body, &Burning{})
		case Hunter:
			a.ids[slot] = hunters.NewEntity(&o.Slot, &o.Sprite, &o.Position, &o.Velocity,
				&o.Health, &ArkTarget{})
		case Drone:
			a.ids[slot] = drones.NewEntity(&o.Slot, &o.Sprite, &o.Position, &o.Velocity,
				&o.Acceleration, &o.Health, &Chilled{})
		}
	}
	for slot := range uint32(a.script.Objects) {
		if SortOf(slot) == Hunter {
			a.targets.Get(a.ids[slot]).Entity = a.ids[a.script.Object(slot).Target]
		}
	}
}

// entity returns the entity in a slot, or the zero Entity.
func (a *ark) entity(slot uint32) (e ecs.Entity) {
	if slot != Nobody {
		e = a.ids[slot]
	}
	return e
}

func (a *ark) fire(o *Object) {
	a.ids[o.Slot.Number] = a.bullets.NewEntity(&o.Slot, &o.Sprite, &o.Position, &o.Velocity,
		&o.Lifetime)
}

func (a *ark) damage() {
	for _, hit := range a.script.Hits {
		a.healths.Get(a.ids[hit.Slot]).Damage(hit.Points)
	}
}

func (a *ark) freeze() {
	for _, slot := range a.script.Thaw {
		a.marks.Remove(a.ids[slot])
	}
	for _, slot := range a.script.Freeze {
		a.marks.AddFn(a.ids[slot], nil)
	}
}

func (a *ark) swap() {
	for _, slot := range a.script.Swaps {
		id := a.ids[slot]
		if a.burning.Has(id) {
			a.toChilled.Exchange(id, &Chilled{a.burning.Get(id).Heat + 1})
		} else {
			a.toBurning.Exchange(id, &Burning{a.chilled.Get(id).Cold + 1})
		}
	}
}

func (a *ark) age() {
	for q := a.aging.Query(); q.Next(); {
		slot, lifetime := q.Get()
		if lifetime.Frames--; lifetime.Frames <= 0 {
			a.gone = append(a.gone, slot.Number)
		}
	}
	for _, slot := range a.gone {
		a.world.RemoveEntity(a.ids[slot])
	}
}

func (a *ark) spawn() {
	for _, slot := range a.gone {
		o := a.script.Object(slot)
		a.fire(&o)
	}
	a.gone = a.gone[:0]
}

func (a *ark) chase() {
	for q := a.hunting.Query(); q.NextTable(); {
		slots, positions, velocities, targets := q.GetColumns()
		for i := range targets {
			if !a.world.Alive(targets[i].Entity) {
				targets[i].Entity = a.ids[a.script.Pick(slots[i].Number)]
				continue
			}
			velocities[i].Chase(positions[i], *a.positions.GetUnchecked(targets[i].Entity))
		}
	}
}

func (a *ark) accelerate() {
	for q := a.faster.Query(); q.NextTable(); {
		v, by := q.GetColumns()
		for i := range v {
			v[i].Accelerate(&by[i])
		}
	}
}

func (a *ark) move() {
	for q := a.moving.Query(); q.NextTable(); {
		p, v := q.GetColumns()
		for i := range p {
			p[i].Move(&v[i])
		}
	}
}

func (a *ark) heal() {
	for q := a.healing.Query(); q.NextTable(); {
		healths := q.GetColumns()
		for i := range healths {
			healths[i].Heal()
		}
	}
}

func (a *ark) animate() {
	for q := a.drawn.Query(); q.NextTable(); {
		sprites := q.GetColumns()
		for i := range sprites {
			sprites[i].Animate()
		}
	}
}

func (a *ark) hang() {
	for _, h := range a.script.Hangs {
		a.parents.Get(a.ids[h.Slot]).Entity = a.ids[h.Parent]
	}
}

// assemble relies on the order of creation: parents precede their children, and no part is ever
// removed.
func (a *ark) assemble() {
	for q := a.assembled.Query(); q.NextTable(); {
		positions, locals, globals, parents := q.GetColumns()
		for i := range parents {
			Turn(&locals[i].Pose2)
			up := pose.Identity2
			if parent := parents[i].Entity; !parent.IsZero() {
				up = a.globals.GetUnchecked(parent).Pose2
			}
			globals[i].Pose2 = up.Compose(locals[i].Pose2)
			positions[i].Place(&globals[i].Pose2)
		}
	}
}

func (a *ark) collide() {
	a.cells.Clear(a.script.Side)
	for q := a.collisions.Query(); q.Next(); {
		position, body := q.Get()
		a.cells.Add(*position, body.Radius, q.Entity())
	}
	a.cells.Touching(func(one, other ecs.Entity) {
		a.bodies.GetUnchecked(one).Contacts++
		a.bodies.GetUnchecked(other).Contacts++
	})
}

func (a *ark) Each(yield func(*Seen)) {
	velocities, sprites := ecs.NewMap[Velocity](a.world), ecs.NewMap[Sprite](a.world)
	for q := ecs.NewFilter2[Slot, Position](a.world).Query(); q.Next(); {
		id := q.Entity()
		slot, position := q.Get()
		yield(&Seen{
			Slot: *slot, Position: *position, Sprite: *sprites.Get(id),
			Velocity: arkValue(velocities, id), Health: arkValue(a.healths, id),
			Body: arkValue(a.bodies, id), Burning: a.burning.Get(id), Chilled: a.chilled.Get(id),
			Frozen: a.marks.HasAll(id),
		})
	}
}

// arkValue returns a component's value, or the zero value.
func arkValue[T any](m *ecs.Map[T], id ecs.Entity) (value T) {
	if at := m.Get(id); at != nil {
		value = *at
	}
	return value
}
