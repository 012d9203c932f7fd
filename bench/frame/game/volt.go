package game

import (
	"github.com/akmonengine/volt"

	"github.com/flatecs/flatecs/world/pose"
)

// A battery is the game in github.com/akmonengine/volt, used as in its README: queries by Foreach,
// generic functions, a tag for the mark. It has no query that leaves a tag out, so move asks HasTag
// in the loop, as the README does of what a query cannot say. Ids carry no generation, so the
// program counts how often a slot was used.
type battery struct {
	script *Script
	systems
	world *volt.World
	ids   []volt.EntityId // by slot
	used  []uint32        // of each slot
	gone  []voltGone
	cells Cells[volt.EntityId]

	aging    volt.Query2[voltSlot, voltLifetime]
	hunting  volt.Query4[voltSlot, voltPosition, voltVelocity, voltTarget]
	faster   volt.Query2[voltVelocity, voltAcceleration]
	moving   volt.Query2[voltPosition, voltVelocity]
	healing  volt.Query1[voltHealth]
	drawn    volt.Query1[voltSprite]
	bodies   volt.Query2[voltPosition, voltBody]
	parts    volt.Query4[voltPosition, voltLocal, voltGlobal, voltParent]
	everyone volt.Query1[voltSlot]
}

type voltGone struct {
	entity volt.EntityId
	slot   uint32
}

// Volt numbers components by a method.
type (
	voltSlot         struct{ Slot }
	voltSprite       struct{ Sprite }
	voltPosition     struct{ Position }
	voltVelocity     struct{ Velocity }
	voltAcceleration struct{ Acceleration }
	voltLifetime     struct{ Lifetime }
	voltHealth       struct{ Health }
	voltBody         struct{ Body }
	voltBurning      struct{ Burning }
	voltChilled      struct{ Chilled }
	voltLocal        struct{ Local }
	voltGlobal       struct{ Global }
	voltParent       struct {
		Entity volt.EntityId
		Slot   uint32 // or Nobody
	}
	voltTarget struct {
		Entity     volt.EntityId
		Slot, Used uint32
	}
)

func (voltSlot) GetComponentId() volt.ComponentId         { return 0 }
func (voltSprite) GetComponentId() volt.ComponentId       { return 1 }
func (voltPosition) GetComponentId() volt.ComponentId     { return 2 }
func (voltVelocity) GetComponentId() volt.ComponentId     { return 3 }
func (voltAcceleration) GetComponentId() volt.ComponentId { return 4 }
func (voltLifetime) GetComponentId() volt.ComponentId     { return 5 }
func (voltHealth) GetComponentId() volt.ComponentId       { return 6 }
func (voltBody) GetComponentId() volt.ComponentId         { return 7 }
func (voltBurning) GetComponentId() volt.ComponentId      { return 8 }
func (voltChilled) GetComponentId() volt.ComponentId      { return 9 }
func (voltTarget) GetComponentId() volt.ComponentId       { return 10 }
func (voltLocal) GetComponentId() volt.ComponentId        { return 11 }
func (voltGlobal) GetComponentId() volt.ComponentId       { return 12 }
func (voltParent) GetComponentId() volt.ComponentId       { return 13 }

const voltFrozen = volt.TAGS_INDICES

func register[T volt.ComponentInterface](w *volt.World) {
	volt.RegisterComponent[T](w, &volt.ComponentConfig[T]{BuilderFn: func(any, any) {}})
}

func newVolt(script *Script) Game {
	w := volt.CreateWorld(script.Objects)
	register[voltSlot](w)
	register[voltSprite](w)
	register[voltPosition](w)
	register[voltVelocity](w)
	register[voltAcceleration](w)
	register[voltLifetime](w)
	register[voltHealth](w)
	register[voltBody](w)
	register[voltBurning](w)
	register[voltChilled](w)
	register[voltTarget](w)
	register[voltLocal](w)
	register[voltGlobal](w)
	register[voltParent](w)
	none := volt.QueryConfiguration{}
	v := &battery{
		script: script, world: w, ids: make([]volt.EntityId, script.Objects),
		used:  make([]uint32, script.Objects),
		aging: volt.CreateQuery2[voltSlot, voltLifetime](w, none),
		hunting: volt.CreateQuery4[voltSlot, voltPosition, voltVelocity, voltTarget](w,
			none),
		faster:  volt.CreateQuery2[voltVelocity, voltAcceleration](w, none),
		moving:  volt.CreateQuery2[voltPosition, voltVelocity](w, none),
		healing: volt.CreateQuery1[voltHealth](w, none),
		drawn:   volt.CreateQuery1[voltSprite](w, none),
		bodies:  volt.CreateQuery2[voltPosition, voltBody](w, none),
		parts: volt.CreateQuery4[voltPosition, voltLocal, voltGlobal, voltParent](w,
			none),
		everyone: volt.CreateQuery1[voltSlot](w, none),
	}
	for slot := range uint32(script.Objects) {
		v.create(slot)
	}
	for slot := range uint32(script.Objects) {
		if SortOf(slot) == Hunter {
			*volt.GetComponent[voltTarget](w, v.ids[slot]) = v.refer(script.Object(slot).Target)
		}
	}
	v.systems = systems{
		damage: v.damage, freeze: v.freeze, swap: v.swap, age: v.age, spawn: v.spawn,
		chase: v.chase, accelerate: v.accelerate, move: v.move, heal: v.heal, animate: v.animate,
		hang: v.hang, assemble: v.assemble, collide: v.collide,
	}
	return v
}

func (v *battery) Frame(spent *Spent) { v.run(spent) }
func (v *battery) Close()             {}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (v *battery) create(slot uint32) {
	o := v.script.Object(slot)
	w, id, sprite, at := v.world, voltSlot{o.Slot}, voltSprite{o.Sprite}, voltPosition{o.Position}
	speed, more := voltVelocity{o.Velocity}, voltAcceleration{o.Acceleration}
	var err error
	switch o.Sort {
	case Rock:
		v.ids[slot], err = volt.CreateEntityWithComponents4(w, id, sprite, at, voltBody{o.Body})
	case Part:
		v.ids[slot], err = volt.CreateEntityWithComponents6(w, id, sprite, at, voltLocal{o.Local},
			voltGlobal{o.Global}, v.parent(o.Parent))
	case Debris:
		v.ids[slot], err = volt.CreateEntityWithComponents5(w, id, sprite, at, speed, more)
	case Bullet:
		v.ids[slot], err = volt.CreateEntityWithComponents5(w, id, sprite, at, speed,
			voltLifetime{o.Lifetime})
	case Creature:
		v.ids[slot], err = volt.CreateEntityWithComponents8(w, id, sprite, at, speed, more,
			voltHealth{o.Health}, voltBody{o.Body}, voltBurning{})
	case Hunter:
		v.ids[slot], err = volt.CreateEntityWithComponents6(w, id, sprite, at, speed,
			voltHealth{o.Health}, voltTarget{})
	case Drone:
		v.ids[slot], err = volt.CreateEntityWithComponents7(w, id, sprite, at, speed, more,
			voltHealth{o.Health}, voltChilled{})
	}
	must(err)
	v.used[slot]++
}

func (v *battery) refer(slot uint32) voltTarget {
	return voltTarget{v.ids[slot], slot, v.used[slot]}
}

// parent refers to the parent in a slot, or to none.
func (v *battery) parent(slot uint32) voltParent {
	if slot == Nobody {
		return voltParent{Slot: Nobody}
	}
	return voltParent{v.ids[slot], slot}
}

func (v *battery) damage() {
	for _, hit := range v.script.Hits {
		volt.GetComponent[voltHealth](v.world, v.ids[hit.Slot]).Damage(hit.Points)
	}
}

func (v *battery) freeze() {
	for _, slot := range v.script.Thaw {
		must(v.world.RemoveTag(voltFrozen, v.ids[slot]))
	}
	for _, slot := range v.script.Freeze {
		must(v.world.AddTag(voltFrozen, v.ids[slot]))
	}
}

func (v *battery) swap() {
	w := v.world
	for _, slot := range v.script.Swaps {
		id := v.ids[slot]
		if w.HasComponents(id, voltBurning{}.GetComponentId()) {
			heat := volt.GetComponent[voltBurning](w, id).Heat
			must(volt.RemoveComponent[voltBurning](w, id))
			must(volt.AddComponent(w, id, voltChilled{Chilled{heat + 1}}))
		} else {
			cold := volt.GetComponent[voltChilled](w, id).Cold
			must(volt.RemoveComponent[voltChilled](w, id))
			must(volt.AddComponent(w, id, voltBurning{Burning{cold + 1}}))
		}
	}
}

func (v *battery) age() {
	for r := range v.aging.Foreach(nil) {
		if r.B.Frames--; r.B.Frames <= 0 {
			v.gone = append(v.gone, voltGone{r.EntityId, r.A.Number})
		}
	}
	for _, gone := range v.gone {
		v.world.RemoveEntity(gone.entity)
	}
}

func (v *battery) spawn() {
	for _, gone := range v.gone {
		v.create(gone.slot)
	}
	v.gone = v.gone[:0]
}

func (v *battery) chase() {
	for r := range v.hunting.Foreach(nil) {
		if v.used[r.D.Slot] != r.D.Used {
			*r.D = v.refer(v.script.Pick(r.A.Number))
			continue
		}
		at := volt.GetComponent[voltPosition](v.world, r.D.Entity)
		r.C.Chase(r.B.Position, at.Position)
	}
}

func (v *battery) accelerate() {
	for r := range v.faster.Foreach(nil) {
		r.A.Accelerate(&r.B.Acceleration)
	}
}

func (v *battery) move() {
	for r := range v.moving.Foreach(nil) {
		if !v.world.HasTag(voltFrozen, r.EntityId) {
			r.A.Move(&r.B.Velocity)
		}
	}
}

func (v *battery) heal() {
	for r := range v.healing.Foreach(nil) {
		r.A.Heal()
	}
}

func (v *battery) animate() {
	for r := range v.drawn.Foreach(nil) {
		r.A.Animate()
	}
}

func (v *battery) hang() {
	for _, h := range v.script.Hangs {
		*volt.GetComponent[voltParent](v.world, v.ids[h.Slot]) = v.parent(h.Parent)
	}
}

// assemble relies on parents coming before their children: they were created in that order, and no
// part is ever removed.
func (v *battery) assemble() {
	for r := range v.parts.Foreach(nil) {
		Turn(&r.B.Pose2)
		up := pose.Identity2
		if r.D.Slot != Nobody {
			up = volt.GetComponent[voltGlobal](v.world, r.D.Entity).Pose2
		}
		r.C.Pose2 = up.Compose(r.B.Pose2)
		r.A.Place(&r.C.Pose2)
	}
}

func (v *battery) collide() {
	v.cells.Clear(v.script.Side)
	for r := range v.bodies.Foreach(nil) {
		v.cells.Add(r.A.Position, r.B.Radius, r.EntityId)
	}
	v.cells.Touching(func(one, other volt.EntityId) {
		volt.GetComponent[voltBody](v.world, one).Contacts++
		volt.GetComponent[voltBody](v.world, other).Contacts++
	})
}

func (v *battery) Each(yield func(*Object)) {
	for r := range v.everyone.Foreach(nil) {
		id := r.EntityId
		o := Object{Sort: SortOf(r.A.Number), Slot: r.A.Slot, Target: Nobody, Parent: Nobody}
		voltValue(v.world, id, func(c *voltSprite) { o.Sprite = c.Sprite })
		voltValue(v.world, id, func(c *voltPosition) { o.Position = c.Position })
		voltValue(v.world, id, func(c *voltVelocity) { o.Velocity = c.Velocity })
		voltValue(v.world, id, func(c *voltAcceleration) { o.Acceleration = c.Acceleration })
		voltValue(v.world, id, func(c *voltLifetime) { o.Lifetime = c.Lifetime })
		voltValue(v.world, id, func(c *voltHealth) { o.Health = c.Health })
		voltValue(v.world, id, func(c *voltBody) { o.Body = c.Body })
		voltValue(v.world, id, func(c *voltBurning) { o.IsBurning, o.Burning = true, c.Burning })
		voltValue(v.world, id, func(c *voltChilled) { o.IsChilled, o.Chilled = true, c.Chilled })
		voltValue(v.world, id, func(c *voltTarget) {
			if v.used[c.Slot] == c.Used {
				o.Target = c.Slot
			}
		})
		voltValue(v.world, id, func(c *voltLocal) { o.Local = c.Local })
		voltValue(v.world, id, func(c *voltGlobal) { o.Global = c.Global })
		voltValue(v.world, id, func(c *voltParent) { o.Parent = c.Slot })
		o.IsFrozen = v.world.HasTag(voltFrozen, id)
		yield(&o)
	}
}

// voltValue calls do with a component, if the entity has one.
func voltValue[T volt.ComponentInterface](w *volt.World, id volt.EntityId, do func(*T)) {
	var zero T
	if w.HasComponents(id, zero.GetComponentId()) {
		do(volt.GetComponent[T](w, id))
	}
}
