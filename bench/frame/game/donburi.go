package game

import (
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/component"
	"github.com/yohamta/donburi/filter"

	"github.com/flatecs/flatecs/world/pose"
)

// A bowl is the game in github.com/yohamta/donburi, by its README: loops by Iter with
// ComponentType.Get ("Queries", which "allow for high performance"), entities by Create, and by id
// through World.Entry. Entities to be removed are collected first.
type bowl struct {
	script *Script
	systems
	world donburi.World
	ids   []donburi.Entity // by slot
	gone  []donburi.Entity
	freed []uint32 // slots
	cells Cells[donburi.Entity]
}

type (
	bowlTarget struct{ Entity donburi.Entity }
	bowlParent struct{ Entity donburi.Entity }
)

var (
	bowlSlot         = donburi.NewComponentType[Slot]()
	bowlSprite       = donburi.NewComponentType[Sprite]()
	bowlPosition     = donburi.NewComponentType[Position]()
	bowlVelocity     = donburi.NewComponentType[Velocity]()
	bowlAcceleration = donburi.NewComponentType[Acceleration]()
	bowlLifetime     = donburi.NewComponentType[Lifetime]()
	bowlHealth       = donburi.NewComponentType[Health]()
	bowlBody         = donburi.NewComponentType[Body]()
	bowlBurning      = donburi.NewComponentType[Burning]()
	bowlChilled      = donburi.NewComponentType[Chilled]()
	bowlHunted       = donburi.NewComponentType[bowlTarget]()
	bowlLocal        = donburi.NewComponentType[Local]()
	bowlGlobal       = donburi.NewComponentType[Global]()
	bowlHangsOn      = donburi.NewComponentType[bowlParent]()
	bowlFrozen       = donburi.NewTag("frozen")

	bowlSorts = [SortCount][]component.IComponentType{
		Rock:   {bowlSlot, bowlSprite, bowlPosition, bowlBody},
		Part:   {bowlSlot, bowlSprite, bowlPosition, bowlLocal, bowlGlobal, bowlHangsOn},
		Debris: {bowlSlot, bowlSprite, bowlPosition, bowlVelocity, bowlAcceleration},
		Bullet: {bowlSlot, bowlSprite, bowlPosition, bowlVelocity, bowlLifetime},
		Creature: {
			bowlSlot, bowlSprite, bowlPosition, bowlVelocity, bowlAcceleration, bowlHealth,
			bowlBody, bowlBurning,
		},
		Hunter: {bowlSlot, bowlSprite, bowlPosition, bowlVelocity, bowlHealth, bowlHunted},
		Drone: {
			bowlSlot, bowlSprite, bowlPosition, bowlVelocity, bowlAcceleration, bowlHealth,
			bowlChilled,
		},
	}

	bowlAging  = donburi.NewQuery(filter.Contains(bowlLifetime))
	bowlHunts  = donburi.NewQuery(filter.Contains(bowlHunted))
	bowlFaster = donburi.NewQuery(filter.Contains(bowlVelocity, bowlAcceleration))
	bowlMoving = donburi.NewQuery(filter.And(filter.Contains(bowlPosition, bowlVelocity),
		filter.Not(filter.Contains(bowlFrozen))))
	bowlHeals    = donburi.NewQuery(filter.Contains(bowlHealth))
	bowlDrawn    = donburi.NewQuery(filter.Contains(bowlSprite))
	bowlBodies   = donburi.NewQuery(filter.Contains(bowlPosition, bowlBody))
	bowlParts    = donburi.NewQuery(filter.Contains(bowlHangsOn))
	bowlEveryone = donburi.NewQuery(filter.Contains(bowlSlot))
)

func newDonburi(script *Script) Game {
	d := &bowl{
		script: script, world: donburi.NewWorld(), ids: make([]donburi.Entity, script.Objects),
	}
	for slot := range uint32(script.Objects) {
		d.create(slot)
	}
	for slot := range uint32(script.Objects) {
		if SortOf(slot) == Hunter {
			target := bowlTarget{d.ids[script.Object(slot).Target]}
			bowlHunted.SetValue(d.world.Entry(d.ids[slot]), target)
		}
	}
	d.systems = systems{
		damage: d.damage, freeze: d.freeze, swap: d.swap, age: d.age, spawn: d.spawn,
		chase: d.chase, accelerate: d.accelerate, move: d.move, heal: d.heal, animate: d.animate,
		hang: d.hang, assemble: d.assemble, collide: d.collide,
	}
	return d
}

func (d *bowl) Frame(spent *Spent) { d.run(spent) }
func (d *bowl) Close()             {}

func (d *bowl) create(slot uint32) {
	o := d.script.Object(slot)
	d.ids[slot] = d.world.Create(bowlSorts[o.Sort]...)
	entry := d.world.Entry(d.ids[slot])
	bowlSlot.SetValue(entry, o.Slot)
	bowlSprite.SetValue(entry, o.Sprite)
	bowlPosition.SetValue(entry, o.Position)
	if o.Sort >= Debris {
		bowlVelocity.SetValue(entry, o.Velocity)
	}
	switch o.Sort {
	case Part:
		bowlLocal.SetValue(entry, o.Local)
		bowlGlobal.SetValue(entry, o.Global)
		bowlHangsOn.SetValue(entry, bowlParent{d.entity(o.Parent)})
	case Debris, Creature, Drone:
		bowlAcceleration.SetValue(entry, o.Acceleration)
	case Bullet:
		bowlLifetime.SetValue(entry, o.Lifetime)
	}
	if o.Sort >= Creature {
		bowlHealth.SetValue(entry, o.Health)
	}
	if o.Sort == Rock || o.Sort == Creature {
		bowlBody.SetValue(entry, o.Body)
	}
}

// entity returns that of a slot, or none.
func (d *bowl) entity(slot uint32) donburi.Entity {
	if slot == Nobody {
		return donburi.Null
	}
	return d.ids[slot]
}

func (d *bowl) damage() {
	for _, hit := range d.script.Hits {
		bowlHealth.Get(d.world.Entry(d.ids[hit.Slot])).Damage(hit.Points)
	}
}

func (d *bowl) freeze() {
	for _, slot := range d.script.Thaw {
		d.world.Entry(d.ids[slot]).RemoveComponent(bowlFrozen)
	}
	for _, slot := range d.script.Freeze {
		d.world.Entry(d.ids[slot]).AddComponent(bowlFrozen)
	}
}

func (d *bowl) swap() {
	for _, slot := range d.script.Swaps {
		entry := d.world.Entry(d.ids[slot])
		if entry.HasComponent(bowlBurning) {
			cold := Chilled{bowlBurning.Get(entry).Heat + 1}
			entry.RemoveComponent(bowlBurning)
			donburi.Add(entry, bowlChilled, &cold)
		} else {
			heat := Burning{bowlChilled.Get(entry).Cold + 1}
			entry.RemoveComponent(bowlChilled)
			donburi.Add(entry, bowlBurning, &heat)
		}
	}
}

func (d *bowl) age() {
	for entry := range bowlAging.Iter(d.world) {
		lifetime := bowlLifetime.Get(entry)
		if lifetime.Frames--; lifetime.Frames <= 0 {
			d.gone = append(d.gone, entry.Entity())
			d.freed = append(d.freed, bowlSlot.Get(entry).Number)
		}
	}
	for _, entity := range d.gone {
		d.world.Remove(entity)
	}
	d.gone = d.gone[:0]
}

func (d *bowl) spawn() {
	for _, slot := range d.freed {
		d.create(slot)
	}
	d.freed = d.freed[:0]
}

func (d *bowl) chase() {
	for entry := range bowlHunts.Iter(d.world) {
		target := bowlHunted.Get(entry)
		if !d.world.Valid(target.Entity) {
			target.Entity = d.ids[d.script.Pick(bowlSlot.Get(entry).Number)]
			continue
		}
		at := bowlPosition.Get(d.world.Entry(target.Entity))
		bowlVelocity.Get(entry).Chase(*bowlPosition.Get(entry), *at)
	}
}

func (d *bowl) accelerate() {
	for entry := range bowlFaster.Iter(d.world) {
		bowlVelocity.Get(entry).Accelerate(bowlAcceleration.Get(entry))
	}
}

func (d *bowl) move() {
	for entry := range bowlMoving.Iter(d.world) {
		bowlPosition.Get(entry).Move(bowlVelocity.Get(entry))
	}
}

func (d *bowl) heal() {
	for entry := range bowlHeals.Iter(d.world) {
		bowlHealth.Get(entry).Heal()
	}
}

func (d *bowl) animate() {
	for entry := range bowlDrawn.Iter(d.world) {
		bowlSprite.Get(entry).Animate()
	}
}

func (d *bowl) hang() {
	for _, h := range d.script.Hangs {
		bowlHangsOn.Get(d.world.Entry(d.ids[h.Slot])).Entity = d.ids[h.Parent]
	}
}

// assemble relies on parents coming before their children: they were created in that order, and no
// part is ever removed.
func (d *bowl) assemble() {
	for entry := range bowlParts.Iter(d.world) {
		local, global, up := bowlLocal.Get(entry), bowlGlobal.Get(entry), pose.Identity2
		Turn(&local.Pose2)
		if parent := bowlHangsOn.Get(entry).Entity; parent != donburi.Null {
			up = bowlGlobal.Get(d.world.Entry(parent)).Pose2
		}
		global.Pose2 = up.Compose(local.Pose2)
		bowlPosition.Get(entry).Place(&global.Pose2)
	}
}

func (d *bowl) collide() {
	d.cells.Clear(d.script.Side)
	for entry := range bowlBodies.Iter(d.world) {
		d.cells.Add(*bowlPosition.Get(entry), bowlBody.Get(entry).Radius, entry.Entity())
	}
	d.cells.Touching(func(one, other donburi.Entity) {
		bowlBody.Get(d.world.Entry(one)).Contacts++
		bowlBody.Get(d.world.Entry(other)).Contacts++
	})
}

func (d *bowl) Each(yield func(*Object)) {
	for entry := range bowlEveryone.Iter(d.world) {
		slot := *bowlSlot.Get(entry)
		o := Object{Sort: SortOf(slot.Number), Slot: slot, Target: Nobody}
		o.Sprite, o.Position = *bowlSprite.Get(entry), *bowlPosition.Get(entry)
		o.Velocity = bowlValue(entry, bowlVelocity)
		o.Acceleration = bowlValue(entry, bowlAcceleration)
		o.Lifetime, o.Health = bowlValue(entry, bowlLifetime), bowlValue(entry, bowlHealth)
		o.Body, o.IsFrozen = bowlValue(entry, bowlBody), entry.HasComponent(bowlFrozen)
		o.IsBurning, o.Burning = entry.HasComponent(bowlBurning), bowlValue(entry, bowlBurning)
		o.IsChilled, o.Chilled = entry.HasComponent(bowlChilled), bowlValue(entry, bowlChilled)
		if o.Sort == Hunter {
			if target := bowlHunted.Get(entry).Entity; d.world.Valid(target) {
				o.Target = bowlSlot.Get(d.world.Entry(target)).Number
			}
		}
		o.Parent, o.Local, o.Global = Nobody, bowlValue(entry, bowlLocal),
			bowlValue(entry, bowlGlobal)
		if parent := bowlValue(entry, bowlHangsOn).Entity; parent != donburi.Null {
			o.Parent = bowlSlot.Get(d.world.Entry(parent)).Number
		}
		yield(&o)
	}
}

// bowlValue is that of a component, or nothing.
func bowlValue[T any](entry *donburi.Entry, c *donburi.ComponentType[T]) (value T) {
	if entry.HasComponent(c) {
		value = *c.Get(entry)
	}
	return value
}
