package inspect_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
)

// part returns what is at a path of names and numbers in JSON.
func part(tb testing.TB, from any, path ...any) any {
	tb.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			require.Contains(tb, from, p)
			from = from.(map[string]any)[p]
		case int:
			require.Greater(tb, len(from.([]any)), p, "%v", from)
			from = from.([]any)[p]
		}
	}
	return from
}

func TestOverviewTellsOfTheWorld(t *testing.T) {
	s := small(t, 200)
	s = world.Must(world.Dispose(s, world.Must(tool.GameObjectAt(s, 7))))
	status, found := get(t, inspector(t, s).Handler(), "/api/overview")
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, map[string]any{"alive": 199., "peak": 200., "capacity": 210.}, found["objects"])
	used := 0
	for _, p := range tool.Parts(s) {
		used += len(tool.Used(s, &p))
	}
	assert.Equal(t, map[string]any{"allocated": float64(len(world.Bytes(s))), "used": float64(used)}, found["bytes"])
	assert.Equal(t, map[string]any{"used": 5., "total": 8.}, found["kinds"])
	assert.InDelta(t, 1, found["watchers"], 0)
	assert.InDelta(t, 1, found["frame"], 0)
	assert.InDelta(t, world.Tick(s), found["tick"], 0)
	assert.Equal(t, true, found["names"])
	assert.Equal(t, "flatecs", found["title"])
}

func TestKindsTellHowFullTheyAre(t *testing.T) {
	s := small(t, 128)
	s, _ = world.Must2(world.CreateComponent(s, Health))
	s = world.Must(world.Suspend(s, world.Must(tool.GameObjectAt(s, 2)), Health))
	_, found := get(t, inspector(t, s).Handler(), "/api/kinds")
	k := part(t, found, "kinds", 0)
	now := part(t, k, "now")
	for name, want := range map[string]any{
		"name": "health", "number": 0., "role": "component", "inUse": true,
		"mounted": 63., "loose": 1., "suspended": 1., "high": 65., "capacity": 128., "full": 65. / 128,
	} {
		assert.Equal(t, want, part(t, k, name), name)
	}
	assert.Equal(t, map[string]any{"name": "points", "bytes": 4., "parts": []any{
		map[string]any{"name": "", "type": "int32", "lanes": 1.},
	}}, part(t, k, "fields", 0))
	q := tool.QualityOf(s, Health)
	assert.InDelta(t, 63./float64(q.Runs), part(t, now, "meanRun"), 1e-9)
	assert.InDelta(t, float64(q.Lockstep)/63, part(t, now, "lockstep"), 1e-9)

	assert.Equal(t, "mark", part(t, found, "kinds", 1, "role"))
	assert.Equal(t, "values", part(t, found, "kinds", 2, "role"))
	assert.NotContains(t, part(t, found, "kinds", 2), "now", "nobody has it")
	assert.Equal(t, "beside", part(t, found, "kinds", 7, "role"))
	for n, name := range tool.KindNames(s) {
		assert.Equal(t, name, part(t, found, "kinds", n, "name"))
	}
}

func TestWatchersTellTheirMembers(t *testing.T) {
	_, found := get(t, inspector(t, small(t, 12)).Handler(), "/api/watchers")
	assert.Equal(t, []any{map[string]any{
		"number": 0., "rules": "all of health; none of frozen", "members": 4., "entered": 4., "left": 0.,
	}}, found["watchers"])
}

func TestRowsTellTheirUse(t *testing.T) {
	s := small(t, 4)
	s, loose := world.Must2(world.CreateComponent(s, Health))
	s = world.Must(world.Suspend(s, world.Must(tool.GameObjectAt(s, 2)), Health))
	s, gone := world.Must2(world.CreateComponent(s, Health))
	s = world.DisposeComponent(s, Health, gone)
	h := inspector(t, s).Handler()
	_, found := get(t, h, "/api/rows?kind=health")
	require.Len(t, found["rows"], 3)
	assert.Equal(t, "mounted", part(t, found, "rows", 0, "use"))
	assert.Equal(t, "suspended", part(t, found, "rows", 1, "use"))
	assert.InDelta(t, 2, part(t, found, "rows", 1, "object", "index"), 0)
	assert.Equal(t, "loose", part(t, found, "rows", 2, "use"))
	assert.InDelta(t, float64(loose), part(t, found, "rows", 2, "row"), 0)
	assert.NotContains(t, part(t, found, "rows", 2), "object")

	_, found = get(t, h, "/api/rows?kind=health&size=1&page=2")
	require.Len(t, found["rows"], 1)
	assert.Equal(t, "loose", part(t, found, "rows", 0, "use"))

	_, found = get(t, h, "/api/rows?kind=frozen&size=1&page=1")
	assert.InDelta(t, 2, found["total"], 0)
	assert.InDelta(t, 3, part(t, found, "rows", 0, "object", "index"), 0)
	assert.NotContains(t, part(t, found, "rows", 0), "row", "marks have none")
}

func TestSearchFindsIdsAndNames(t *testing.T) {
	s := small(t, 60)
	s = world.Must(world.SetName(s, world.Must(tool.GameObjectAt(s, 50)), "Äöü & <b>12</b>"))
	h := inspector(t, s).Handler()
	for _, c := range []struct {
		path string
		want []float64
	}{
		{"objects?q=12", []float64{12, 50}},
		{"objects?q=12v1", []float64{12}},
		{"objects?q=12v2", nil},
		{"objects?q=hero+3", []float64{3}},
		{"objects?q=HERO", []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"objects?q=" + url.QueryEscape("äÖ"), []float64{50}},
		{"objects?q=" + url.QueryEscape("<b>"), []float64{50}},
		{"objects?q=nobody", nil},
		{"objects?q=99999999999999999999", nil},
		{"objects?q=-1", nil},
		{"objects?size=2&page=29", []float64{58, 59}},
		{"rows?kind=health&q=hero", []float64{0, 2, 4, 6, 8}},
		{"rows?kind=health&q=12", []float64{12, 50}},
		{"rows?kind=health&q=13", nil},
		{"rows?kind=frozen&q=hero", []float64{0, 3, 6, 9}},
	} {
		status, found := get(t, h, "/api/"+c.path)
		require.Equal(t, http.StatusOK, status, c.path)
		var indexes []float64
		for _, o := range append(list(found["objects"]), list(found["rows"])...) {
			if row, ok := o.(map[string]any)["object"]; ok {
				o = row
			}
			indexes = append(indexes, part(t, o, "index").(float64))
		}
		assert.Equal(t, c.want, indexes, c.path)
	}
}

func list(x any) []any { l, _ := x.([]any); return l }

func TestObjectsTellAllTheyHave(t *testing.T) {
	s := small(t, 10)
	id := world.Must(tool.GameObjectAt(s, 6))
	s = world.Must(world.Set(s, id, wide, [2]uint64{0, math.MaxUint64}))
	s = world.Must(world.Add(s, id, Title))
	s = world.Must(world.SetValue(s, id, Title, "Queen"))
	n := 5
	s = world.Must(world.Add(s, id, Pointer))
	s = world.Must(world.SetValue(s, id, Pointer, &n))
	_, found := get(t, inspector(t, s).Handler(), "/api/object?id=6v1")
	assert.Equal(t, "Hero 6", found["name"])
	values := map[string]any{}
	for _, c := range list(found["components"]) {
		values[part(t, c, "kind").(string)] = part(t, c, "values")
	}
	assert.Equal(t, map[string]any{
		"health":   []any{[]any{100.}, []any{0., "18446744073709551615"}},
		"frozen":   []any{},
		"title":    []any{"Queen"},
		"pointer":  []any{"*int"},
		"position": []any{[]any{6., -6., 0.5}},
		"name":     []any{[]any{"Hero 6"}, values["name"].([]any)[1], []any{7.}},
	}, values)
}

func TestRefusedQuestions(t *testing.T) {
	s := small(t, 10)
	s = world.Must(world.Dispose(s, world.Must(tool.GameObjectAt(s, 9))))
	h := inspector(t, s).Handler()
	statuses(t, h, "/api/", map[string]int{
		"rows?kind=position&page=-1":                   400,
		"rows?kind=position&page=1.5":                  400,
		"rows?kind=position&page=x":                    400,
		"rows?kind=position&page=99999999999999999999": 400,
		"rows?kind=position&page=1073741824":           200, // there is nothing there
		"rows?kind=position&size=0":                    400,
		"rows?kind=position&size=501":                  400,
		"rows?kind=position&size=-5":                   400,
		"rows?kind=position&size=500":                  200,
		"rows":                                         404,
		"rows?kind=nobody":                             404,
		"rows?kind=POSITION":                           404,
		"objects?page=-1":                              400,
		"objects?page=1073741824&size=500":             200,
		"object":                                       400,
		"object?id=":                                   400,
		"object?id=x":                                  400,
		"object?id=-1":                                 400,
		"object?id=1vx":                                400,
		"object?id=nobody":                             400,
		"object?id=4294967296":                         400,
		"object?id=4294967295":                         404,
		"object?id=9":                                  404,
		"object?id=8v2":                                404,
		"object?id=8v1":                                200,
		"object?id=1v2147483647":                       404,
		"times?since=-1":                               400,
		"times?since=18446744073709551615":             200,
		"column?kind=nobody&field=xyz":                 404,
		"column?kind=position&field=nothing":           404,
		"column?kind=frozen&field=x":                   404,
		"column?kind=position&field=xyz&rows=some":     400,
		"column?kind=position&field=xyz&max=-1":        400,
		"events?topics=nothing":                        400,
		"rows?kind=health&row=x":                       400,
		"rows?kind=health&row=-1":                      400,
		"rows?kind=frozen&row=0":                       400,
		"rows?kind=health&row=1073741824":              404,
		"rows?kind=crowd&row=0":                        404,
		"rows?kind=pointer&row=0":                      404,
	})
}

func TestAWorldWithoutNamesAndKinds(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 2}))
	s, _ = world.Must2(world.Create(s))
	h := inspector(t, s).Handler()
	statuses(t, h, "/api/", map[string]int{
		"overview": 200, "times": 200, "kinds": 200, "watchers": 200, "objects": 200,
		"objects?q=x": 200, "object?id=0": 200, "rows?kind=position": 404,
		"rows?kind=position&q=x": 404,
	})
	_, found := get(t, h, "/api/overview")
	assert.Equal(t, false, found["names"])
}

// statuses asks for paths that begin alike, whose answers have these statuses.
func statuses(t *testing.T, h http.Handler, begin string, want map[string]int) {
	t.Helper()
	inspect.Statuses(t, func(path string) *httptest.ResponseRecorder {
		return inspect.Ask(h, begin+path)
	}, want)
}

// raw asks for bytes.
func raw(tb testing.TB, h http.Handler, path string) (http.Header, []byte) {
	tb.Helper()
	w := inspect.Ask(h, path)
	require.Equal(tb, http.StatusOK, w.Code, "%s", w.Body)
	return w.Header(), world.Must(io.ReadAll(w.Body))
}

func TestAColumnIsTheWorldsOwnBytes(t *testing.T) {
	s := small(t, 100)
	s = world.Must(world.Remove(s, world.Must(tool.GameObjectAt(s, 40)), heroes.Position))
	h := inspector(t, s).Handler()

	header, bytes := raw(t, h, "/api/column?kind=position&field=xyz")
	assert.Equal(t, tool.Buffer(s, heroes.Position.Kind())[:1200], bytes)
	for name, want := range map[string]string{
		"Content-Type": "application/octet-stream", "Content-Length": "1200", "X-Rows": "100",
		"X-Rows-Total": "100", "X-Lanes": "3", "X-Type": "float32", "X-Frame": "1", "X-Tick": "1",
	} {
		assert.Equal(t, want, header.Get(name), name)
	}

	header, mounted := raw(t, h, "/api/column?kind=position&field=xyz&rows=mounted")
	assert.Equal(t, append(append([]byte{}, bytes[:40*12]...), bytes[41*12:]...), mounted)
	assert.Equal(t, "99", header.Get("X-Rows"))

	header, some := raw(t, h, "/api/column?kind=position&field=xyz&rows=mounted&max=45")
	assert.Equal(t, mounted[:45*12], some)
	assert.Equal(t, "45", header.Get("X-Rows"))
	assert.Equal(t, "99", header.Get("X-Rows-Total"))
	assert.InDelta(t, 41, math.Float32frombits(binary.LittleEndian.Uint32(some[40*12:])), 0)

	_, none := raw(t, h, "/api/column?kind=position&field=xyz&max=0")
	assert.Empty(t, none)
	_, second := raw(t, h, "/api/column?kind=health&field=wide")
	assert.Len(t, second, 50*16)
}

func TestAColumnThatIsKnownIsNotSent(t *testing.T) {
	h := inspector(t, small(t, 10)).Handler()
	w := inspect.Ask(h, "/api/column?kind=position&field=xyz&after=1")
	assert.Equal(t, http.StatusNoContent, w.Code)
	assert.Zero(t, w.Body.Len())
	_, bytes := raw(t, h, "/api/column?kind=position&field=xyz&after=0")
	assert.Len(t, bytes, 120)
}

type (
	point  struct{ X, Y, Z float32 }
	turret struct {
		Target world.GameObject
		Pos    point
		Heat   float16.Float16
		Ready  bool
		Flags  [9]bool
	}
)

var Turret = layout.NewComponent("turret", turret{Heat: float16.Fromfloat32(0.5)})

// turrets returns a world of n objects, each with a turret that aims at the one before it.
func turrets(tb testing.TB, n int) (world.State, []world.GameObject) {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{GameObjects: n, Kinds: layout.Kinds(Turret.Count(n))}))
	var ids []world.GameObject
	for i := range n {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, Turret.Kind()))
		v := turret{Pos: point{float32(i), 1, -1}, Ready: i%2 == 0}
		if i > 0 {
			v.Target = ids[i-1]
		}
		s = world.Must(world.Set(s, id, Turret, v))
		ids = append(ids, id)
	}
	return s, ids
}

func TestValuesAreToldPartByPart(t *testing.T) {
	s, ids := turrets(t, 4)
	s = world.Must(world.Dispose(s, ids[1]))
	s, _ = world.Must2(world.Create(s)) // of the same index, a generation later
	s = world.Must(world.Set(s, ids[3], Turret, turret{Target: world.Must(tool.GameObjectAt(s, 1))}))
	h := inspector(t, s).Handler()
	_, found := get(t, h, "/api/rows?kind=turret")
	assert.Equal(t, []any{
		map[string]any{"name": "Target", "type": "id", "lanes": 1.},
		map[string]any{"name": "Pos.X", "type": "float32", "lanes": 1.},
		map[string]any{"name": "Pos.Y", "type": "float32", "lanes": 1.},
		map[string]any{"name": "Pos.Z", "type": "float32", "lanes": 1.},
		map[string]any{"name": "Heat", "type": "float16", "lanes": 1.},
		map[string]any{"name": "Ready", "type": "bool", "lanes": 1.},
		map[string]any{"name": "Flags", "type": "bool", "lanes": 9.},
	}, part(t, found, "fields", 0, "parts"))
	values := part(t, found, "rows", 0, "values", 0).([]any)
	require.Len(t, values, 15)
	assert.Equal(t, []any{"nobody", 0., 1., -1., 0., true, false}, values[:7])
	assert.Equal(t, []any{"1", 2., 1., -1.}, part(t, found, "rows", 1, "values", 0).([]any)[:4])
	assert.Equal(t, "1v2", part(t, found, "rows", 2, "values", 0, 0))
	status, gone := get(t, h, "/api/object?id="+ids[1].String()+"v1")
	assert.Equal(t, http.StatusNotFound, status, "%v", gone)
}

func TestAColumnOfAPart(t *testing.T) {
	s, _ := turrets(t, 10)
	h := inspector(t, s).Handler()
	header, all := raw(t, h, "/api/column?kind=turret&field=turret")
	assert.Equal(t, tool.Buffer(s, Turret.Kind())[:320], all)
	for name, want := range map[string]string{"X-Rows": "10", "X-Stride": "32", "X-Lanes": "0", "X-Type": "mixed"} {
		assert.Equal(t, want, header.Get(name), name)
	}
	header, points := raw(t, h, "/api/column?kind=turret&field=turret&part=Pos&rows=mounted")
	for name, want := range map[string]string{"X-Rows": "10", "X-Stride": "12", "X-Lanes": "3", "X-Type": "float32"} {
		assert.Equal(t, want, header.Get(name), name)
	}
	require.Len(t, points, 120)
	for i := range 10 {
		assert.InDelta(t, i, math.Float32frombits(binary.LittleEndian.Uint32(points[12*i:])), 0)
	}
	header, flags := raw(t, h, "/api/column?kind=turret&field=turret&part=Flags&max=3")
	assert.Equal(t, "bool", header.Get("X-Type"))
	assert.Len(t, flags, 27)
	for _, name := range []string{"Po", "Pos.W", "pos", "."} {
		w := inspect.Ask(h, "/api/column?kind=turret&field=turret&part="+name)
		assert.Equal(t, http.StatusNotFound, w.Code)
		assert.Contains(t, w.Body.String(), "has no part")
	}
}

func TestThePageLeadsToReferences(t *testing.T) {
	_, text := page(t, "")
	assert.Equal(t, 2, strings.Count(text, "isObject(part, text) ? [text, '#objects/' + text] : [text]"))
	assert.Equal(t, 1, strings.Count(text, "const isObject ="))
}

var (
	gold = layout.NewComponent[int32]("gold of all")
	seat = layout.NewRelation("seat=a", layout.Relation{Disposed: layout.Clear}) // as in a query
)

// related returns a world of 81 objects: a parent, and 80 others, the last 70 of which are its
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

// A query as text finds the same objects as the library's query.
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
		"childOf, health, !childOf":   world.NewQuery(world.With(crowd)), // no object
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
