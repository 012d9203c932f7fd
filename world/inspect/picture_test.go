package inspect_test

import (
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
)

// A picture is that of the frame that is looked at. Without one, and where it panics, it is refused.
func TestThePictureIsOfTheFrame(t *testing.T) {
	s, i, now := ruled(t, inspect.Options{Picture: func(s world.State) image.Image {
		if world.Tick(s) == 3 {
			panic("three")
		}
		m := image.NewRGBA(image.Rect(0, 0, 2, 2))
		m.SetRGBA(1, 0, color.RGBA{uint8(world.Tick(s)), 2, 3, 255})
		return m
	}})
	ask := func(i *inspect.Inspector) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		i.Handler().ServeHTTP(w,
			httptest.NewRequest(http.MethodGet, "http://localhost/debug/ecs/api/picture", nil))
		return w
	}
	require.Equal(t, http.StatusOK, ask(i).Code, "somebody looks from now on")
	for world.Tick(s) < 4 {
		*now++
		s = world.Advance(s)
		require.NoError(t, i.Publish(s))
		w := ask(i)
		if world.Tick(s) == 3 {
			assert.Equal(t, http.StatusInternalServerError, w.Code)
			assert.Contains(t, w.Body.String(), "the picture panicked: three")
			continue
		}
		m, err := png.Decode(w.Body)
		require.NoError(t, err)
		assert.Equal(t, image.Pt(2, 2), m.Bounds().Size())
		r, _, _, _ := m.At(1, 0).RGBA()
		assert.Equal(t, world.Tick(s), uint64(r>>8))
	}
	assert.Equal(t, http.StatusNotFound, ask(inspector(t, s)).Code)
}
