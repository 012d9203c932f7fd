package peers

import (
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/component"
	"github.com/yohamta/donburi/filter"
)

var (
	donburiPosition = donburi.NewComponentType[position]()
	donburiSpeed    = donburi.NewComponentType[speed]()
	donburiMark     = donburi.NewTag("mark")
	donburiKinds    = [kindCount]component.IComponentType{
		donburiPosition, donburiSpeed,
		donburi.NewComponentType[c1](), donburi.NewComponentType[c2](),
		donburi.NewComponentType[c3](), donburi.NewComponentType[c4](),
		donburi.NewComponentType[c5](), donburi.NewComponentType[c6](),
		donburi.NewComponentType[c7](), donburi.NewComponentType[c8](),
		donburi.NewComponentType[c9](), donburi.NewComponentType[c10](),
		donburiMark,
	}
)

// A bowl is a world of github.com/yohamta/donburi, used as in its README: entities by Create and,
// many at once, by CreateMany ("Getting Started"); loops by Iter with ComponentType.Get ("Queries",
// which "allow for high performance").
type bowl struct {
	held[donburi.Entity]
	world    donburi.World
	placed   *donburi.Query
	moving   *donburi.Query
	unmarked *donburi.Query
	made     donburi.World // the last by Make
}

func newBowl(room Room) World {
	return &bowl{
		world:  donburi.NewWorld(),
		placed: donburi.NewQuery(filter.Contains(donburiPosition)),
		moving: donburi.NewQuery(filter.Contains(donburiPosition, donburiSpeed)),
		unmarked: donburi.NewQuery(filter.And(filter.Contains(donburiPosition, donburiSpeed),
			filter.Not(filter.Contains(donburiMark)))),
		held: hold[donburi.Entity](room),
	}
}

func bowlKinds(kinds Kinds) (list []component.IComponentType) {
	for i, kind := range donburiKinds {
		if kinds.Has(1 << i) {
			list = append(list, kind)
		}
	}
	return list
}

func (d *bowl) Spawn(kinds Kinds, i int) { d.ids = append(d.ids, d.spawn(kinds, i)) }

func (d *bowl) Replace(kinds Kinds, i int) {
	d.world.Remove(d.ids[i])
	d.ids[i] = d.spawn(kinds, i)
}

func (d *bowl) spawn(kinds Kinds, i int) donburi.Entity {
	entity := d.world.Create(bowlKinds(kinds)...)
	if kinds.Has(Velocity) {
		donburiSpeed.SetValue(d.world.Entry(entity), speed(velocity(i)))
	}
	return entity
}

func (d *bowl) Move()         { d.walk(d.moving) }
func (d *bowl) MoveUnmarked() { d.walk(d.unmarked) }

func (d *bowl) walk(q *donburi.Query) {
	for entry := range q.Iter(d.world) {
		p, v := donburiPosition.Get(entry), donburiSpeed.Get(entry)
		p.X += v.X
		p.Y += v.Y
	}
}

func (d *bowl) Positions() (r Result) {
	for entry := range d.placed.Iter(d.world) {
		p := donburiPosition.Get(entry)
		r.Count, r.Sum = r.Count+1, r.Sum+p.X+2*p.Y
	}
	return r
}

func (d *bowl) Create(n int, kinds Kinds) {
	d.ids = append(d.ids, d.world.CreateMany(n, bowlKinds(kinds)...)...)
}

func (d *bowl) Delete() {
	for _, entity := range d.ids {
		d.world.Remove(entity)
	}
	d.ids = d.ids[:0]
}

func (d *bowl) Live() int { return d.world.Len() }

func (d *bowl) Add() {
	for _, entity := range d.ids {
		d.world.Entry(entity).AddComponent(donburiSpeed)
	}
}

func (d *bowl) Remove() {
	for _, entity := range d.ids {
		d.world.Entry(entity).RemoveComponent(donburiSpeed)
	}
}

func (d *bowl) Movers() int { return d.moving.Count(d.world) }

func (d *bowl) Read() (sum float64) {
	for _, entity := range d.ids {
		sum += donburiPosition.Get(d.world.Entry(entity)).X
	}
	return sum
}

func (d *bowl) Write() {
	for _, entity := range d.ids {
		donburiPosition.Get(d.world.Entry(entity)).X++
	}
}

func (d *bowl) Mark(objects []int) {
	for _, i := range objects {
		d.world.Entry(d.ids[i]).AddComponent(donburiMark)
	}
}

func (d *bowl) Unmark(objects []int) {
	for _, i := range objects {
		d.world.Entry(d.ids[i]).RemoveComponent(donburiMark)
	}
}

// Make makes a world, which has no capacity.
func (d *bowl) Make() { d.made = donburi.NewWorld() }
