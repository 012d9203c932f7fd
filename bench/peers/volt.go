package peers

import "github.com/akmonengine/volt"

// A battery is a world of github.com/akmonengine/volt, used as in its README: queries by Foreach
// ("Queries"; ForeachChannel, "for faster performances", takes more goroutines than the others
// have), entities by CreateEntityWithComponents (see the comments of CreateEntityWithComponents2
// and AddComponents2), and generic functions where there are some ("this non-generic version …
// might be slower").
type battery struct {
	held[volt.EntityId]
	world  *volt.World
	placed volt.Query1[position]
	moving volt.Query2[position, speed]
	tens   volt.Query1[c10]
}

func newBattery(room Room) World {
	w := volt.CreateWorld(capacity)
	register[position](w)
	register[speed](w)
	if room.Kinds&^both != 0 {
		register[c1](w)
		register[c2](w)
		register[c3](w)
		register[c4](w)
		register[c5](w)
		register[c6](w)
		register[c7](w)
		register[c8](w)
		register[c9](w)
		register[c10](w)
	}
	v := &battery{
		world:  w,
		placed: volt.CreateQuery1[position](w, volt.QueryConfiguration{}),
		moving: volt.CreateQuery2[position, speed](w, volt.QueryConfiguration{}),
		tens:   volt.CreateQuery1[c10](w, volt.QueryConfiguration{}),
	}
	v.held = hold(room, v.spawn, w.RemoveEntity)
	return v
}

func register[T volt.ComponentInterface](w *volt.World) {
	volt.RegisterComponent[T](w, &volt.ComponentConfig[T]{BuilderFn: func(any, any) {}})
}

func (v *battery) spawn(kinds Kinds, i int) volt.EntityId {
	var list []volt.ComponentIdConf
	for j := range kindCount - 1 {
		if kinds.Has(1 << j) {
			list = append(list, volt.ComponentIdConf{ComponentId: volt.ComponentId(j)})
		}
	}
	entity := v.world.CreateEntity()
	check(v.world.AddComponents(entity, list...))
	if kinds.Has(Velocity) {
		*volt.GetComponent[speed](v.world, entity) = speed(velocity(i))
	}
	return entity
}

func (v *battery) Move() {
	for r := range v.moving.Foreach(nil) {
		r.A.X += r.B.X
		r.A.Y += r.B.Y
	}
}

func (v *battery) Positions() (r Result) {
	for entity := range v.placed.Foreach(nil) {
		addPosition(&r, *entity.A)
	}
	return r
}

func (v *battery) Create(n int, kinds Kinds) {
	for range n {
		var entity volt.EntityId
		var err error
		if kinds == ten {
			entity, err = volt.CreateEntityWithComponents8(v.world,
				c1{}, c2{}, c3{}, c4{}, c5{}, c6{}, c7{}, c8{})
			check(err)
			err = volt.AddComponents2(v.world, entity, c9{}, c10{})
		} else {
			entity, err = volt.CreateEntityWithComponents2(v.world, position{}, speed{})
		}
		check(err)
		v.ids = append(v.ids, entity)
	}
}

func (v *battery) Delete() {
	for _, entity := range v.ids {
		v.world.RemoveEntity(entity)
	}
	v.ids = v.ids[:0]
}

// Live asks two queries, for World.Count counts the capacity.
func (v *battery) Live() int { return v.placed.Count() + v.tens.Count() }

func (v *battery) Add() {
	for _, entity := range v.ids {
		check(volt.AddComponent(v.world, entity, speed{}))
	}
}

func (v *battery) Remove() {
	for _, entity := range v.ids {
		check(volt.RemoveComponent[speed](v.world, entity))
	}
}

func (v *battery) Movers() int { return v.moving.Count() }

func (v *battery) Read() (sum float64) {
	for _, entity := range v.ids {
		sum += volt.GetComponent[position](v.world, entity).X
	}
	return sum
}

func (v *battery) Write() {
	for _, entity := range v.ids {
		volt.GetComponent[position](v.world, entity).X++
	}
}

// Make makes a world, without components, which are registered world by world.
func (v *battery) Make() { v.made = volt.CreateWorld(capacity) }
