package inspect_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
)

// The page has what the program says of a client, of whom it asked; the program is asked by Publish
// alone, and only while somebody wants to know.
func TestAClientIsToldOf(t *testing.T) {
	asked := 0
	var now atomic.Int64
	now.Store(int64(time.Minute))
	s := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	t.Cleanup(func() { world.Close(s) })
	i, err := inspect.New(s, inspect.Options{
		Clock: func() time.Duration { return time.Duration(now.Load()) },
		Client: func(dst []byte, number int) []byte {
			asked++
			if number > 1 {
				return dst
			}
			return append(dst, "client "+strconv.Itoa(number)+" sees nothing\n"...)
		},
	})
	require.NoError(t, err)
	t.Cleanup(i.Close)
	ask := func(i *inspect.Inspector, number string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		i.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet,
			"http://localhost/debug/ecs/api/client?number="+number, nil))
		return w
	}
	publish := func() {
		now.Add(int64(100 * time.Millisecond))
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
	}
	publish()
	require.Zero(t, asked)
	w := ask(i, "1")
	require.Equal(t, http.StatusServiceUnavailable, w.Code, "no frame comes")
	assert.Contains(t, w.Body.String(), "no frame has told of client 1 so far: the program is paused")
	require.Zero(t, asked)
	for _, number := range []string{"1", "0", "2", "0", "1"} {
		got := make(chan *httptest.ResponseRecorder)
		go func() { got <- ask(i, number) }()
		for w = nil; w == nil; {
			select {
			case w = <-got:
			case <-time.After(time.Millisecond):
				publish()
			}
		}
		if number == "2" {
			require.Equal(t, http.StatusNotFound, w.Code)
			assert.Contains(t, w.Body.String(), "the program has no client 2")
			continue
		}
		require.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, "client "+number+" sees nothing\n", w.Body.String())
		assert.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	}
	require.Positive(t, asked)

	for number, want := range map[string]string{
		"": "number is ", "x": "number is ", "-1": "number is ", "2147483647": "number is ",
	} {
		w = ask(i, number)
		assert.Equal(t, http.StatusBadRequest, w.Code)
		assert.Contains(t, w.Body.String(), want)
	}
	w = ask(inspector(t, s), "1")
	assert.Equal(t, http.StatusNotFound, w.Code)
	assert.Contains(t, w.Body.String(), "set Options.Client")
}
