package peers

import (
	"slices"

	"github.com/mlange-42/ark/ecs"
)

// An ark is a world of github.com/mlange-42/ark. Its package documentation (section "ECS
// Manipulations") lists both loops, Next with Get and NextTable with GetColumns, and the batches;
// functions with a callback get nil where nothing is to be set.
// Filters may be registered, which caches what they match (Filter2.Register).
type ark struct {
	arkWay
	held[ecs.Entity]
	world    *ecs.World
	kinds    [kindCount]ecs.ID
	pairs    *ecs.Map2[position, speed]
	speeds   *ecs.Map1[speed]
	position *ecs.Map[position]
	tens     *ecs.Map10[c1, c2, c3, c4, c5, c6, c7, c8, c9, c10]
	placed   *ecs.Filter1[position]
	moving   *ecs.Filter2[position, speed]
	everyone *ecs.Filter0
}

// An arkWay is a way to use Ark.
type arkWay struct {
	tables bool // Move loops by table instead of by entity
	cached bool // filters are registered, which caches their tables
}

func newArk(way arkWay) func(Room) World {
	return func(room Room) World {
		w := ecs.NewWorld(1024)
		a := &ark{
			arkWay: way, world: w, kinds: arkKinds(w),
			pairs:    ecs.NewMap2[position, speed](w),
			speeds:   ecs.NewMap1[speed](w),
			position: ecs.NewMap[position](w),
			tens:     ecs.NewMap10[c1, c2, c3, c4, c5, c6, c7, c8, c9, c10](w),
			placed:   ecs.NewFilter1[position](w),
			moving:   ecs.NewFilter2[position, speed](w),
			everyone: ecs.NewFilter0(w),
		}
		a.held = hold(room, a.spawn)
		if way.cached {
			a.moving.Register()
		}
		return a
	}
}

func arkKinds(w *ecs.World) [kindCount]ecs.ID {
	return [kindCount]ecs.ID{
		ecs.ComponentID[position](w), ecs.ComponentID[speed](w),
		ecs.ComponentID[c1](w), ecs.ComponentID[c2](w), ecs.ComponentID[c3](w),
		ecs.ComponentID[c4](w), ecs.ComponentID[c5](w), ecs.ComponentID[c6](w),
		ecs.ComponentID[c7](w), ecs.ComponentID[c8](w), ecs.ComponentID[c9](w),
		ecs.ComponentID[c10](w),
	}
}

// spawn creates an entity with kinds that are known only at run time.
func (a *ark) spawn(kinds Kinds, i int) ecs.Entity {
	if v := speed(velocity(i)); kinds == both {
		return a.pairs.NewEntity(&position{}, &v)
	}
	entity := a.world.Unsafe().NewEntity(among(kinds, a.kinds)...)
	if kinds.Has(Velocity) {
		*a.speeds.Get(entity) = speed(velocity(i))
	}
	return entity
}

func (a *ark) Move() {
	query := a.moving.Query()
	if !a.tables {
		for query.Next() {
			p, v := query.Get()
			p.X += v.X
			p.Y += v.Y
		}
		return
	}
	for query.NextTable() {
		positions, speeds := query.GetColumns()
		for i := range positions {
			p, v := &positions[i], &speeds[i]
			p.X += v.X
			p.Y += v.Y
		}
	}
}

func (a *ark) Positions() (r Result) {
	query := a.placed.Query()
	for query.Next() {
		addPosition(&r, *query.Get())
	}
	return r
}

func (a *ark) Create(n int, kinds Kinds) {
	for range n {
		if kinds == ten {
			a.ids = append(a.ids, a.tens.NewEntityFn(nil))
		} else {
			a.ids = append(a.ids, a.pairs.NewEntityFn(nil))
		}
	}
}

func (a *ark) Delete() {
	for _, entity := range a.ids {
		a.world.RemoveEntity(entity)
	}
	a.ids = a.ids[:0]
}

// Clear deletes all entities, as upstream does between runs.
func (a *ark) Clear() {
	if len(a.ids) < 64 {
		slices.Reverse(a.ids)
		a.Delete()
		return
	}
	a.world.RemoveEntities(a.everyone.Batch(), nil)
	a.ids = a.ids[:0]
}

func (a *ark) Live() int {
	query := a.everyone.Query()
	defer query.Close()
	return query.Count()
}

func (a *ark) Add() {
	for _, entity := range a.ids {
		a.speeds.AddFn(entity, nil)
	}
}

func (a *ark) Remove() {
	for _, entity := range a.ids {
		a.speeds.Remove(entity)
	}
}

func (a *ark) Movers() int {
	query := a.moving.Query()
	defer query.Close()
	return query.Count()
}

func (a *ark) Read() (sum float64) {
	for _, entity := range a.ids {
		sum += a.position.Get(entity).X
	}
	return sum
}
