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
}

func newBowl(room Room) World {
	d := &bowl{
		world:  donburi.NewWorld(),
		placed: donburi.NewQuery(filter.Contains(donburiPosition)),
		moving: donburi.NewQuery(filter.Contains(donburiPosition, donburiSpeed)),
		unmarked: donburi.NewQuery(filter.And(filter.Contains(donburiPosition, donburiSpeed),
			filter.Not(filter.Contains(donburiMark)))),
	}
	d.held = hold(room, d.spawn, d.world.Remove)
	return d
}

func (d *bowl) spawn(kinds Kinds, i int) donburi.Entity {
	entity := d.world.Create(among(kinds, donburiKinds)...)
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
		addPosition(&r, *donburiPosition.Get(entry))
	}
	return r
}

func (d *bowl) Create(n int, kinds Kinds) {
	d.ids = append(d.ids, d.world.CreateMany(n, among(kinds, donburiKinds)...)...)
}

func (d *bowl) Delete() {
	for _, entity := range d.ids {
		d.world.Remove(entity)
	}
	d.ids = d.ids[:0]
}

func (d *bowl) Live() int { return d.world.Len() }

func (d *bowl) Add()    { d.add(d.ids, donburiSpeed) }
func (d *bowl) Remove() { d.drop(d.ids, donburiSpeed) }
func (d *bowl) Mark()   { d.add(d.chosen, donburiMark) }
func (d *bowl) Unmark() { d.drop(d.chosen, donburiMark) }

func (d *bowl) add(entities []donburi.Entity, c component.IComponentType) {
	for _, entity := range entities {
		d.world.Entry(entity).AddComponent(c)
	}
}

func (d *bowl) drop(entities []donburi.Entity, c component.IComponentType) {
	for _, entity := range entities {
		d.world.Entry(entity).RemoveComponent(c)
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

// Make makes a world, which has no capacity.
func (d *bowl) Make() { d.made = donburi.NewWorld() }
