package inspect_test

import (
	"encoding/binary"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// raw asks for bytes.
func raw(tb testing.TB, h http.Handler, path string) (http.Header, []byte) {
	tb.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/debug/ecs"+path, nil))
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
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet,
		"http://localhost/debug/ecs/api/column?kind=position&field=xyz&after=1", nil))
	assert.Equal(t, http.StatusNoContent, w.Code)
	assert.Zero(t, w.Body.Len())
	_, bytes := raw(t, h, "/api/column?kind=position&field=xyz&after=0")
	assert.Len(t, bytes, 120)
}
