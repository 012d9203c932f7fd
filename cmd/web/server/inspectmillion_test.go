//go:build browser

package server_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A page of a million objects opens, goes to the last rows, leads from a dot to its object, finds by
// value and compares, each soon, in memory that is bounded.
func TestTheInspectorOfAMillion(t *testing.T) {
	const count = 1_000_000
	w := travelling(t, "cubes", count)
	w.tab = open(t, w.url, "", 1280, 900)
	begin := time.Now()
	soon := func(what, expression string) {
		t.Helper()
		w.until(expression)
		took := time.Since(begin)
		t.Logf("%s: %v", what, took.Round(time.Millisecond))
		assert.Less(t, took, 20*time.Second, what) // on any machine, whatever it does besides
		begin = time.Now()
	}
	soon("open", `document.getElementById("view").dataset.points === "1000001"`)
	assert.Contains(t, value[string](w.tab, `document.getElementById("view-text").textContent`),
		"1,000,001 points, 1 in ")
	soon("steps", `timeline.said?.next > 2`)
	require.True(t, value[bool](w.tab, `(document.activeElement.blur(), true)`))
	w.keys(" ")
	w.until(`document.getElementById("time-pause").textContent === "Go on"`)

	require.True(t, value[bool](w.tab, `(() => {
		const { x, y, width, height } = viewCanvas.getBoundingClientRect();
		const c = matrix(width / height), [a, b, d] = view.data;
		const along = row => c[row] * a + c[row + 4] * b + c[row + 8] * d + c[row + 12];
		pick(x + (along(0) / along(3) + 1) / 2 * width, y + (1 - along(1) / along(3)) / 2 * height);
		return true;
	})()`))
	soon("pick", `location.hash.startsWith("#objects/") && document.querySelector("#object [data-kind]")`)
	picked := value[string](w.tab, `location.hash.slice("#objects/".length)`)

	require.True(t, value[bool](w.tab, `(location.hash = "rows/Transform/999999", true)`))
	soon("the last row", `document.getElementById("rows").textContent.includes("999999") ||
		document.getElementById("rows").textContent.includes("999,999")`)

	require.True(t, value[bool](w.tab, `(location.hash = "objects", true)`))
	w.focus("objects-search")
	w.keys("Transform.position[1] < -1e9" + kb.Enter)
	soon("find none by value", `document.getElementById("objects-text").textContent === "0 found"`)
	w.focus("objects-search")
	require.True(t, value[bool](w.tab, `(document.getElementById("objects-search").select(), true)`))
	w.keys(picked + kb.Enter)
	soon("find one by id", `document.getElementById("objects-text").textContent === "1 found"`)

	require.True(t, value[bool](w.tab, `(location.hash = "time", true)`))
	soon("compare", `document.getElementById("pair-a").dataset.points === "131072"`)
	assert.Contains(t, value[string](w.tab, `document.getElementById("pair-a-text").textContent`),
		"first 131,072 of 1,000,001 drawn")

	heap := value[float64](w.tab, `performance.memory.usedJSHeapSize`) / 1e6
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%.0f MB of JavaScript, %d MB of Go", heap, m.HeapInuse/1e6)
	assert.Less(t, heap, 300.)
	assert.Less(t, m.HeapInuse/1e6, uint64(600), fmt.Sprint("of ", count))
	w.Shot("inspector-million")
}
