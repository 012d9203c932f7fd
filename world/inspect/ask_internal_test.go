package inspect

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ask asks a handler for a path of the page, such as /api/overview.
func Ask(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost"+root+path, nil))
	return w
}

// Post posts to a path of the page, with the token.
func Post(h http.Handler, path, body, token string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+root+path, strings.NewReader(body))
	r.Header.Set(tokenHeader, token)
	h.ServeHTTP(w, r)
	return w
}

// During asks on another goroutine, and has the world go on until that returns.
func During[T any](ask func() T, goOn func()) T {
	done := make(chan T, 1)
	go func() { done <- ask() }()
	for {
		goOn()
		select {
		case found := <-done:
			return found
		case <-time.After(100 * time.Microsecond):
		}
	}
}

// Statuses asks for each of the paths, whose answers have these statuses, and say why.
func Statuses(
	t *testing.T, ask func(path string) *httptest.ResponseRecorder, want map[string]int,
) {
	t.Helper()
	for path, status := range want {
		w := ask(path)
		assert.Equal(t, status, w.Code, "%.80s: %s", path, w.Body)
		var found map[string]any
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &found), path)
		if status == http.StatusOK {
			assert.NotContains(t, found, "error", path)
		} else {
			assert.NotEmpty(t, found["error"], path)
		}
	}
}

// docs/INSPECTOR.md describes every endpoint.
func TestEndpointsAreDescribed(t *testing.T) {
	text, err := os.ReadFile("../../docs/INSPECTOR.md")
	require.NoError(t, err)
	for _, e := range travelling(t, false).inspector.site.endpoints {
		assert.Contains(t, string(text), "\n### "+root+"/api/"+e.name)
	}
}
