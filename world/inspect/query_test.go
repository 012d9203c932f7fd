package inspect_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/stretchr/testify/assert"
)

var (
	gold = layout.NewComponent[int32]("gold of all")
	seat = layout.NewRelation("seat=a", layout.Relation{Disposed: layout.Clear}) // as in a query
)

// related returns a world of 81 objects: a parent, and 80 others of which the last 70 are its
// children. 20 of them have gold, -5 to 14.
func related(t *testing.T) world.State {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 90, Names: 9, Kinds: layout.Kinds(family.ChildOf, seat, Health, Frozen, crowd, gold),
	}))
	s, parent := world.Must2(world.CreateWith(s, family.ChildOf))
	for i := range 80 {
		kinds := []layout.AnyKind{family.ChildOf}
		for k, every := range map[layout.AnyKind]int{gold: 4, Health: 2, Frozen: 3, seat: 5} {
			if i%every == 0 {
				kinds = append(kinds, k)
			}
		}
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, kinds...))
		if i >= 10 {
			s = world.Must(world.Set(s, id, family.ChildOf, parent))
		} else if i < 9 {
			s = world.Must(world.SetName(s, id, fmt.Sprintf("Hero %d", i)))
		}
		if i%4 == 0 {
			s = world.Must(world.Set(s, id, gold, int32(i/4-5)))
		}
		if i%2 == 0 {
			s = world.Must(world.Set(s, id, wide, [2]uint64{0, uint64(i)}))
		}
		if i%5 == 0 && i > 30 {
			s = world.Must(world.Set(s, id, seat, id-1))
		}
	}
	return s
}

// A query by hand finds whom the same query of the library finds.
func TestQueriesByHand(t *testing.T) {
	s := related(t)
	h := inspector(t, s).Handler()
	for text, q := range map[string]world.Query{
		"health":                      world.NewQuery(world.With(Health)),
		"health,childOf,frozen":       world.NewQuery(world.With(Health, Frozen)),
		" health , ! frozen ":         world.NewQuery(world.With(Health), world.Without(Frozen)),
		"!frozen":                     world.NewQuery(world.Without(Frozen)),
		"!frozen,!health":             world.NewQuery(world.Without(Frozen, Health)),
		"name,health,!frozen,!crowd":  world.NewQuery(world.With(world.NameKind, Health), world.Without(Frozen)),
		"crowd":                       world.NewQuery(world.With(crowd)),
		"childOf, health, !childOf":   world.NewQuery(world.With(crowd)), // nobody
		"childOf=nobody":              world.NewQuery(family.NoTarget(family.ChildOf)),
		"!childOf = nobody":           world.NewQuery(family.HasTarget(family.ChildOf)),
		"seat=a, seat=a=nobody":       world.NewQuery(world.With(seat), family.NoTarget(seat)),
		"childOf != nobody":           world.NewQuery(family.HasTarget(family.ChildOf)),
		"gold of all >= -5, !seat=a":  world.NewQuery(world.With(gold), world.Without(seat)),
		"health.points = 100, frozen": world.NewQuery(world.With(Health, Frozen)),
	} {
		_, found := get(t, h, "/api/objects?size=100&kinds="+url.QueryEscape(text))
		var want, got []float64
		for id := range q.Objects(s) {
			want = append(want, float64(id.Index()))
		}
		for _, o := range found["objects"].([]any) {
			got = append(got, part(t, o, "index").(float64))
		}
		assert.Equal(t, want, got, "%q", text)
		assert.Equal(t, float64(len(want)), found["total"])
	}
	for text, want := range map[string]int{
		"gold of all < 0": 5, "gold of all<=0": 6, "gold of all > 0": 14, "gold of all >= 14": 1,
		"gold of all = 3": 1, "gold of all != 3": 19, "!gold of all = 3": 80, "gold of all[0]=3": 1,
		"gold of all > 1.5": 13, "gold of all < 9, gold of all > 3": 5, "gold of all > 1e9": 0,
		"childOf=0v1": 70, "childOf=0v1, !childOf = 0": 0, "seat=a=35": 1, "childOf!=0": 11,
		"health.wide[1] < 20": 10, "health.wide[0] > 0": 0,
	} {
		_, found := get(t, h, "/api/objects?kinds="+url.QueryEscape(text))
		assert.EqualValues(t, want, found["total"], text)
	}
	_, found := get(t, h, "/api/objects?q=hero+4&kinds=health")
	assert.Equal(t, 1., found["total"], "both at once")
	_, found = get(t, h, "/api/objects?q=hero+3&kinds=health")
	assert.Equal(t, 0., found["total"])
	refused := map[string]int{}
	for text, status := range map[string]int{
		"nothing": 404, "health,": 404, "!": 404, "no=nobody": 404, "gold": 404, "gold < 3": 404,
		"health=nobody": 400, "childOf=": 400, "childOf=x": 400, "childOf=99": 404, "childOf < 3": 400,
		"gold of all < x": 400, "< 3": 404, "gold of all[1] = 3": 404, "gold of all <": 400,
		"gold of all = nobody": 400, "childOf != 99": 404, "health.wide = 1": 400,
	} {
		refused[url.QueryEscape(text)] = status
	}
	statuses(t, h, "/api/objects?kinds=", refused)
}

// Who refers to an object is told by each relation; of many, the first.
func TestFamiliesUnfold(t *testing.T) {
	h := inspector(t, related(t)).Handler()
	_, found := get(t, h, "/api/object?id=0v1")
	of := list(found["referrers"])[0]
	assert.Equal(t, "childOf", part(t, of, "relation"))
	assert.EqualValues(t, 70, part(t, of, "count"))
	assert.Len(t, part(t, of, "objects"), 50)
	_, found = get(t, h, "/api/object?id=1v1")
	assert.Empty(t, found["referrers"])
}
