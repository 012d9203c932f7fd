//go:build browser

package server_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A page of the inspector that is opened for the first time has nothing to complain of, and at the
// Time tab it shows the frame of a second ago beside now, in every width.
func TestTheFirstSightOfTheInspector(t *testing.T) {
	for _, wide := range []int64{390, 768, 1280} {
		t.Run(fmt.Sprint(wide), func(t *testing.T) {
			w := travelling(t, "boids", 300)
			w.tab.T = t
			for _, next := w.past.Frames(); next < 90; _, next = w.past.Frames() {
				w.turn()
			}
			how := []chromedp.EmulateViewportOption{}
			if wide == 390 {
				how = append(how, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
			}
			w.tab = open(t, w.url+"#time", "", wide, 900, how...)
			w.until(`document.getElementById("pair-b").dataset.points === "300"`)
			_, next := w.past.Frames()
			first := value[int](w.tab, `+document.getElementById("compare-a").value`)
			assert.True(t, first > 0 && int(next) >= first+60, "%d of %d", first, next)
			assert.Equal(t, "now", value[string](w.tab, `document.getElementById("compare-b").value`))
			assert.Positive(t, value[int](w.tab, `document.querySelectorAll("#changes tbody tr").length`))
			w.Shot(fmt.Sprintf("sight-time-%d", wide))
			for _, view := range []string{"overview", "kinds", "rows", "objects", "model", "profiles"} {
				require.True(t, value[bool](w.tab, fmt.Sprintf(`(location.hash = %q, true)`, view)))
				w.until(fmt.Sprintf(`!document.getElementById("panel-%s").hidden`, view))
				for range 20 {
					w.turn()
				}
				assert.EqualValues(t, wide, value[int](w.tab, `document.documentElement.scrollWidth`), view)
				w.Shot(fmt.Sprintf("sight-%s-%d", view, wide))
			}
			assert.Empty(t, value[[]string](w.tab, `[...document.querySelectorAll("#tabs button")].filter((b) => {
				const { left, right } = b.getBoundingClientRect();
				return b.offsetWidth === 0 || left < 0 || right > innerWidth;
			}).map((b) => b.textContent)`), "tabs that are not seen")
			assert.Empty(t, w.Console())
			assert.Contains(t, value[string](w.tab, `document.querySelector("link[rel=icon]").href`), "data:image/svg")
		})
	}
}
