package inspect

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// What cannot be is refused, and nothing changes.
func TestRefusedWishes(t *testing.T) {
	g := travelling(t, false)
	status, _ := g.wish(`{"op":"back","frame":0,"inputs":"same"}`)
	assert.Equal(t, http.StatusNotFound, status, "nothing is recorded")
	for range 60 {
		g.turn()
	}
	before := world.Digest(g.state)
	for body, want := range map[string]int{
		`{"op":"back","frame":9,"inputs":"same"}`:                   404,
		`{"op":"back","frame":61,"inputs":"same"}`:                  404,
		`{"op":"back","frame":-1,"inputs":"live"}`:                  404,
		`{"op":"back","frame":2147483647,"inputs":"live"}`:          404,
		`{"op":"back","frame":9223372036854775808,"inputs":"live"}`: 400,
		`{"op":"back","frame":20}`:                                  400,
		`{"op":"back","frame":20,"inputs":"same","fork":1}`:         400,
		`{"op":"step","steps":-1}`:                                  400,
		`{"op":"step","steps":10001}`:                               400,
		`{"op":"speed","speed":5}`:                                  400,
		`{"op":"speed","speed":-5}`:                                 400,
		`{"op":"halt"}`:                                             400,
		`{}`:                                                        400,
		`{"op":"pause","more":1}`:                                   400,
		``:                                                          400,
		`{"op":"` + strings.Repeat("x", 5000) + `"}`:                400,
		`{"op":"back","frame":60,"inputs":"live"}`:                  200,
	} {
		status, found := g.wish(body)
		assert.Equal(t, want, status, "%.60s: %v", body, found)
	}
	assert.Equal(t, before, world.Digest(g.state))
	for path, want := range map[string]int{
		"overview?at=9": 404, "overview?at=60": 404, "overview?at=-1": 404,
		"overview?at=x": 400, "overview?at=99999999999999999999": 400, "overview?at=other": 404,
		"overview?at=now": 200, "overview?at=59": 200, "rows?at=59&kind=nothing": 404,
		"object?at=59&id=39v1": 404,
	} {
		status, found := g.during(http.MethodGet, path, "")
		assert.Equal(t, want, status, "%s: %v", path, found)
	}
	g.inspector.token = "another"
	r := httptest.NewRequest(http.MethodPost, "http://localhost/debug/ecs/api/time",
		strings.NewReader(`{"op":"pause"}`))
	w := httptest.NewRecorder()
	g.inspector.Handler().ServeHTTP(w, r)
	assert.Equal(t, http.StatusForbidden, w.Code, "without the token")
}

// As many worlds are open as may be; when each is being read, others wait.
func TestFewWorldsAreOpen(t *testing.T) {
	g := travelling(t, false)
	for range 50 {
		g.turn()
	}
	for frame := range 50 {
		_, err := g.look(fmt.Sprint(frame))
		require.NoError(t, err)
	}
	require.Len(t, g.inspector.moments.all, maxMoments)
	spare := g.inspector.moments.spare()
	assert.Negative(t, spare.past, "no request finds a slot that is being written")
	g.inspector.moments.letGo(spare)
	for _, m := range g.inspector.moments.all {
		g.inspector.moments.hold(m)
	}
	_, err := g.look("3")
	require.ErrorContains(t, err, "too many worlds of the past")
	for _, m := range g.inspector.moments.all {
		g.inspector.moments.letGo(m)
	}
	_, err = g.look("3")
	require.NoError(t, err)
}

// Copies that are being read outlive the inspector, and end with their last reader.
func TestHeldCopiesOutliveTheInspector(t *testing.T) {
	g := travelling(t, false)
	g.turn()
	_, err := g.look("0")
	require.NoError(t, err)
	held := []*frame{g.inspector.frames.holdLatest(), g.inspector.moments.all[0]}
	g.inspector.moments.hold(held[1])
	g.inspector.Close()
	for n, pool := range []*slots{&g.inspector.frames.slots, &g.inspector.moments.slots} {
		assert.NotPanics(t, func() { held[n].snapshot.State() })
		pool.letGo(held[n])
		assert.Panics(t, func() { held[n].snapshot.State() })
	}
	g = travelling(t, false)
	last := g.inspector.frames.latest
	g.inspector.Close()
	assert.Panics(t, func() { last.snapshot.State() }, "nobody reads it")
}

// A program that does not call Turn: requests are refused after a while, and not done later.
func TestTimeOfAWorldThatStandsStill(t *testing.T) {
	t.Parallel()
	g := travelling(t, true)
	g.turn()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "http://localhost/debug/ecs/api/time",
		strings.NewReader(`{"op":"pause"}`))
	r.Header.Set(tokenHeader, g.inspector.token)
	g.inspector.Handler().ServeHTTP(w, r)
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Contains(t, w.Body.String(), "does not call Turn")
	assert.Equal(t, 1, g.turn())
}
