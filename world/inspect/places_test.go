package inspect_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// Each row in use is on the page that its number turns to, and at no other place.
func TestARowIsFoundByItsNumber(t *testing.T) {
	s := small(t, 200)
	for n := range uint32(60) { // holes, and one row that is on nobody
		id := world.Must(tool.GameObjectAt(s, 2*n+20))
		s = world.Must(world.Dispose(s, id))
	}
	loose, _ := world.Must2(world.CreateComponent(small(t, 200), Health))
	for name, s := range map[string]world.State{"holes": s, "loose": loose} {
		t.Run(name, func(t *testing.T) {
			h := inspector(t, s).Handler()
			for row := range 105 {
				status, found := get(t, h, "/api/rows?kind=health&size=7&page=3&q=x&row="+strconv.Itoa(row))
				use, _ := tool.RowUseOf(s, Health, layout.Row(row))
				if row >= 101 || use == tool.RowUnused {
					require.Equal(t, http.StatusNotFound, status, "row %d", row)
					assert.Contains(t, found["error"], "row "+strconv.Itoa(row)+" of health is not in use")
					continue
				}
				require.Equal(t, http.StatusOK, status)
				assert.Equal(t, float64(row), found["at"])
				rows := found["rows"].([]any)
				at := slices.IndexFunc(rows, func(r any) bool { return part(t, r, "row") == float64(row) })
				assert.GreaterOrEqual(t, at, 0, "row %d is on page %v", row, found["page"])
				_, same := get(t, h, "/api/rows?kind=health&size=7&page="+strconv.Itoa(int(found["page"].(float64))))
				assert.Equal(t, same["rows"], found["rows"])
			}
		})
	}
}

func TestARowThatCannotBeIsRefused(t *testing.T) {
	h := inspector(t, small(t, 20)).Handler()
	for query, want := range map[string]int{
		"kind=health&row=x": 400, "kind=health&row=-1": 400, "kind=frozen&row=0": 400,
		"kind=health&row=1073741824": 404, "kind=crowd&row=0": 404, "kind=pointer&row=0": 404,
	} {
		status, found := get(t, h, "/api/rows?"+query)
		assert.Equal(t, want, status, "%s: %v", query, found)
	}
}

// A query by hand finds whom the same query of the library finds.
func TestObjectsOfAQueryByHand(t *testing.T) {
	s := small(t, 60)
	h := inspector(t, s).Handler()
	for text, q := range map[string]world.Query{
		"health":                      world.NewQuery(world.With(Health)),
		"health, position":            world.NewQuery(world.With(Health, heroes.Position)),
		"position,health,frozen":      world.NewQuery(world.With(Health, Frozen)),
		" health , ! frozen ":         world.NewQuery(world.With(Health), world.Without(Frozen)),
		"!frozen":                     world.NewQuery(world.Without(Frozen)),
		"!frozen,!health":             world.NewQuery(world.Without(Frozen, Health)),
		"name,health,!frozen,!crowd":  world.NewQuery(world.With(world.NameKind, Health), world.Without(Frozen)),
		"crowd":                       world.NewQuery(world.With(crowd)),
		"position, health, !position": world.NewQuery(world.With(crowd)), // nobody
	} {
		status, found := get(t, h, "/api/objects?size=100&kinds="+url.QueryEscape(text))
		require.Equal(t, http.StatusOK, status, "%s: %v", text, found)
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
	_, found := get(t, h, "/api/objects?q=hero+4&kinds=health")
	assert.Equal(t, 1., found["total"], "both at once")
	_, found = get(t, h, "/api/objects?q=hero+3&kinds=health")
	assert.Equal(t, 0., found["total"])
	for query, want := range map[string]int{"nothing": 404, "health,": 404, "!": 404} {
		status, _ := get(t, h, "/api/objects?kinds="+url.QueryEscape(query))
		assert.Equal(t, want, status, query)
	}
}
