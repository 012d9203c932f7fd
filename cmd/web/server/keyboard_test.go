//go:build browser

package server_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// focus sets the focus as the tab key would.
func (b tab) focus(selector string) {
	b.T.Helper()
	value[bool](b, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, selector))
}

// A game that was chosen by a key on its button hears the next keys, and its button flaps by keys.
func TestAGameByKeyboardAlone(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100&paused", spying, 640, 360)
	b.focus(`#scenes button:last-child`)
	b.keys(kb.Enter)
	b.Until(`document.title.endsWith("flappy")`)
	assert.Equal(t, "stage", value[string](b, `document.activeElement.id`))
	for _, from := range []string{"#stage", "#press", "#step"} {
		b.keys("r")
		b.focus(from)
		still := value[string](b, `(flatecs.step(20), flatecs.digest())`)
		b.keys("r")
		b.focus(from)
		key := " "
		if from == "#step" {
			key = kb.ArrowUp // space presses the button
		}
		b.keys(key)
		assert.NotEqual(t, still, value[string](b, `(flatecs.step(20), flatecs.digest())`), from)
	}
	b.fine()
}

// The view is turned by keys, and steps are taken from any button.
func TestTheViewByKeyboardAlone(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=500&paused", spying, 640, 360)
	first := b.picture("view")
	for _, key := range []string{kb.PageUp, kb.PageDown} {
		b.keys(key)
		assert.Greater(t, differing(first, b.picture("view-nearer")), 500, "%q", key)
		b.keys("0")
		assert.Zero(t, differing(first, b.picture("view-again")))
	}
	for _, key := range []string{kb.ArrowLeft, kb.ArrowUp} {
		require.NoError(t, chromedp.Do(b.Ctx,
			chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierShift))))
		assert.Greater(t, differing(first, b.picture("view-turned")), 500, "%q", key)
		b.keys("0")
	}
	steps := b.report().Steps
	b.focus("#again")
	b.keys(kb.ArrowRight)
	assert.Equal(t, steps+1, b.report().Steps)
	b.focus("#count")
	b.keys(kb.ArrowRight)
	assert.Zero(t, b.report().Steps, "a slider takes the arrows: other objects, from the start")
}

// The head of the page is one line of buttons on a phone.
func TestThePhonesButtonsAreInOneRow(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100&paused", spying, 360, 740,
		chromedp.EmulateMobile)
	b.Shot("phone-narrow")
	at := b.area("#scenes")
	for _, selector := range []string{"#show-report", "#show-help"} {
		assert.Less(t, b.area(selector).Min.Y, at.Max.Y, selector)
	}
	assert.LessOrEqual(t, value[int](b, `document.querySelector("nav").scrollWidth -
		document.querySelector("nav").clientWidth`), 0, "all scenes are seen")
}
