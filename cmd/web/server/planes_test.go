//go:build browser

package server_test

import (
	"fmt"
	"image"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// A scene that is a plane lies in the middle between the bars, as large as fits there, in every
// shape of window, whether it hears inputs or not; a field without words on its side in a high one.
func TestPlanesLieBetweenTheBars(t *testing.T) {
	for _, w := range []window{
		{"phone", 390, 844, true},
		{"phone-on-its-side", 844, 390, true},
		{"desktop", 1280, 720, false},
		{"large", 1920, 1080, false},
	} {
		for _, name := range []string{"tanks", "flappy"} {
			t.Run(w.name+"-"+name, func(t *testing.T) { w.showsPlane(t, name) })
		}
	}
}

func (w window) showsPlane(t *testing.T, name string) {
	t.Helper()
	how := []chromedp.EmulateViewportOption{}
	if w.mobile {
		how = append(how, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	b := visit(t, serving(t, start(name))+"?count=200&paused", spying, w.wide, w.high, how...)
	value[bool](b, `(flatecs.step(240), true)`)
	b.Until(`!document.getElementById("timeline").hidden`)
	b.frames(2)
	b.Shot(fmt.Sprintf("plane-%s-%s", w.name, name))
	page := image.Rect(0, 0, int(w.wide), int(w.high))
	plane, stage := b.area("#stage canvas"), b.area("#stage")
	assert.True(t, plane.In(page) && plane.In(stage), "%v in %v", plane, stage)
	for _, bar := range []string{"#scenes", "#about", "#report", "#timeline", "#controls"} {
		assert.False(t, b.area(bar).Overlaps(plane), "%s at %v, the plane at %v", bar, b.area(bar), plane)
	}
	off := plane.Min.Add(plane.Max).Sub(stage.Min.Add(stage.Max)) // twice from middle to middle
	assert.True(t, off.In(image.Rect(-2, -2, 3, 3)), "%v is not in the middle of %v", plane, stage)
	share := max(float64(plane.Dx())/float64(stage.Dx()), float64(plane.Dy())/float64(stage.Dy()))
	assert.Greater(t, share, .98, "%v in %v", plane, stage)
	high := name == "tanks" && w.wide < w.high
	assert.Equal(t, high, plane.Dy() > plane.Dx(), "%v on its side", plane)
	if high {
		assert.Greater(t, plane.Dx()*plane.Dy(), page.Dx()*page.Dy()/2, "half of a phone")
	}
	b.fine()
}
