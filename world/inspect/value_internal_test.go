package inspect

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

func TestValuesInJSON(t *testing.T) {
	float := func(x float32) []byte {
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(x))
	}
	wide := func(x uint64) []byte { return binary.LittleEndian.AppendUint64(nil, x) }
	for _, c := range []struct {
		name  string
		field layout.AnyField
		bytes []byte
		want  string
	}{
		{"float32", layout.NewField[float32]("f"), float(0.1), "[0.1]"},
		{"large float32", layout.NewField[float32]("f"), float(math.MaxFloat32), "[3.4028235e+38]"},
		{"NaN", layout.NewField[float32]("f"), float(float32(math.NaN())), `["NaN"]`},
		{"infinities", layout.NewField[[2]float32]("f"), append(float(float32(math.Inf(1))), float(float32(math.Inf(-1)))...), `["+Inf","-Inf"]`},
		{"float64", layout.NewField[float64]("f"), wide(math.Float64bits(1e-300)), "[1e-300]"},
		{"int8", layout.NewField[[2]int8]("f"), []byte{0xff, 0x80}, "[-1,-128]"},
		{"int16", layout.NewField[int16]("f"), []byte{0xfe, 0xff}, "[-2]"},
		{"int64 that is exact", layout.NewField[int64]("f"), wide(1<<53 - 1), "[9007199254740991]"},
		{"int64 that is not", layout.NewField[int64]("f"), wide(uint64(1<<64 - 1<<53)), `["-9007199254740992"]`},
		{"uint64 that is not", layout.NewField[uint64]("f"), wide(math.MaxUint64), `["18446744073709551615"]`},
		{"uint8", layout.NewField[[3]uint8]("f"), []byte{0, 7, 255}, "[0,7,255]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := json.Marshal(lanes{c.field.Spec().Parts, c.bytes})
			require.NoError(t, err)
			assert.Equal(t, c.want, string(text))
		})
	}
	text, err := json.Marshal(lanes{layout.NewField[[1000]uint8]("f").Spec().Parts, make([]byte, 1000)})
	require.NoError(t, err)
	assert.Equal(t, maxLanes, strings.Count(string(text), "0"), "many lanes are cut")
}

type loud struct {
	Name string
	Size int
}

// String is not to be called: it may look at the running world.
func (loud) String() string { panic("called") }

// GoString as little.
func (loud) GoString() string { panic("called") }

func TestGoValuesInWords(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"nothing", nil, "nil"},
		{"text", "Bob", "Bob"},
		{"number", 7, "7"},
		{"struct", loud{"Bob", 3}, "{Name:Bob Size:3}"},
		{"array", [2]bool{true}, "[true false]"},
		{"duration", time.Second, "1000000000"},
		{"pointer", new(int), "*int"},
		{"slice", []int{1}, "[]int"},
		{"map", map[int]int{}, "map[int]int"},
		{"struct with a pointer", struct{ P *int }{}, "struct { P *int }"},
		{"function", func() {}, "func()"},
		{"any", [1]any{1}, "[1]interface {}"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, goString(c.value)) })
	}
	long := goString(string(make([]rune, 300)))
	assert.LessOrEqual(t, len(long), maxText+len("…"))
}

// A page has its part of a list. One after the last is empty, also where page×size is more than an
// int has room for.
func TestPagesOfLists(t *testing.T) {
	for _, test := range []struct{ page, size, total, first, end, pages int }{
		{0, 50, 0, 0, 0, 0},
		{0, 50, 120, 0, 50, 3},
		{1, 50, 120, 50, 100, 3},
		{2, 50, 120, 100, 120, 3},
		{2, 50, 101, 100, 101, 3},
		{1, 50, 100, 50, 100, 2},
		{3, 50, 120, 120, 120, 3},
		{8589935, 500, 120, 120, 120, 1},
		{math.MaxInt/500 + 1, 500, 120, 120, 120, 1},
		{math.MaxInt, 2, 120, 120, 120, 60},
		{0, 500, math.MaxInt, 0, 500, math.MaxInt/500 + 1},
	} {
		p := page{Page: test.page, Size: test.size}
		n := test.first
		for x := range onPage(&p, test.total, func(yield func(int) bool) {
			for x := range test.total {
				if !yield(x) {
					return
				}
			}
		}) {
			require.Equal(t, n, x, "%+v", test)
			n++
		}
		assert.Equal(t, []int{test.end, test.pages}, []int{n, p.Pages}, "%+v", test)
	}
}

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

// During sends requests on another goroutine, and lets the world continue until that returns.
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
