package peers

import (
	"slices"

	"github.com/unitoftime/ecs"
)

// A uot is a world of github.com/unitoftime/ecs, used as in its README ("Basic Usage"): all
// components of an entity in one call of Write ("try to reduce the number of write calls"), views
// by MapId; boxes are created once and reused if the values do not change.
type uot struct {
	held[ecs.Id]
	world  *ecs.World
	placed *ecs.View1[position]
	moving *ecs.View2[position, speed]
}

var (
	uotKinds = [kindCount]ecs.Component{
		ecs.C(position{}), ecs.C(speed{}), ecs.C(c1{}), ecs.C(c2{}), ecs.C(c3{}), ecs.C(c4{}),
		ecs.C(c5{}), ecs.C(c6{}), ecs.C(c7{}), ecs.C(c8{}), ecs.C(c9{}), ecs.C(c10{}),
	}
	uotSpeed = uotKinds[1]
)

func newUot(room Room) World {
	w := ecs.NewWorld()
	u := &uot{
		world:  w,
		placed: ecs.Query1[position](w),
		moving: ecs.Query2[position, speed](w),
	}
	u.held = hold(room, u.spawn)
	return u
}

func (u *uot) spawn(kinds Kinds, i int) ecs.Id {
	list := among(kinds, uotKinds)
	if kinds.Has(Velocity) {
		list[slices.Index(list, uotSpeed)] = ecs.C(speed(velocity(i)))
	}
	return u.write(list)
}

func (u *uot) write(list []ecs.Component) ecs.Id {
	id := u.world.NewId()
	ecs.Write(u.world, id, list...)
	return id
}

func (u *uot) Move() {
	u.moving.MapId(func(_ ecs.Id, p *position, v *speed) {
		p.X += v.X
		p.Y += v.Y
	})
}

func (u *uot) Positions() (r Result) {
	u.placed.MapId(func(_ ecs.Id, p *position) {
		addPosition(&r, *p)
	})
	return r
}

func (u *uot) Create(n int, kinds Kinds) {
	list := among(kinds, uotKinds)
	for range n {
		u.ids = append(u.ids, u.write(list))
	}
}

func (u *uot) Delete() {
	for _, id := range u.ids {
		ecs.Delete(u.world, id)
	}
	u.ids = u.ids[:0]
}

func (u *uot) Live() (n int) {
	for _, id := range u.ids {
		if u.world.Exists(id) {
			n++
		}
	}
	return n
}

func (u *uot) Clear() { u.Delete() }

func (u *uot) Add() {
	for _, id := range u.ids {
		ecs.Write(u.world, id, uotSpeed)
	}
}

func (u *uot) Remove() {
	for _, id := range u.ids {
		ecs.DeleteComponent(u.world, id, uotSpeed)
	}
}

func (u *uot) Movers() int { return u.moving.Count() }

func (u *uot) Read() (sum float64) {
	for _, id := range u.ids {
		sum += ecs.ReadPtr[position](u.world, id).X
	}
	return sum
}
