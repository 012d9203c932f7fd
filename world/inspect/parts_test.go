package inspect_test

import (
	"encoding/binary"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

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
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet,
			"http://localhost/debug/ecs/api/column?kind=turret&field=turret&part="+name, nil))
		assert.Equal(t, http.StatusNotFound, w.Code)
		assert.Contains(t, w.Body.String(), "has no part")
	}
}

func TestThePageLeadsToReferences(t *testing.T) {
	_, text := page(t, "")
	assert.Equal(t, 2, strings.Count(text, "isObject(part, text) ? [text, '#objects/' + text] : [text]"))
	assert.Equal(t, 1, strings.Count(text, "const isObject ="))
}
