//go:build browser

package server_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// shownOtherwise is how many sprites another future's canvas shows that the first one's does not.
const shownOtherwise = `(() => {
	const [first, other] = ["#stage canvas:not(.ghost, .other, .rings)", ".ghost, .other:not(.rings)"]
		.map((s) => document.querySelector(s)?.sprites ?? []);
	const has = new Set(first.map((s) => s.key));
	return other.filter((s) => !has.has(s.key)).length;
})()`

// A bird that has died stays as a ghost where time went back and it flies on.
func TestAGhostStays(t *testing.T) {
	b := visit(t, serving(t, start("flappy"))+"?fork=465", spying, 960, 640)
	b.Until(`document.querySelector(".ghost") && flatecs.now.steps >= 550`)
	assert.Positive(t, value[int](b, shownOtherwise), "another future is seen")
	b.Until(`flatecs.now.steps >= 620`)
	flies := `flatecs.now.words.startsWith("Score ") && !flatecs.now.words.includes("OVER")`
	assert.True(t, value[bool](b, flies))
	b.Shot("flappy-ghost")
	b.fine()
	value[bool](b, `(document.getElementById("past").value = 500,
		document.getElementById("past").oninput(), true)`)
	assert.False(t, value[bool](b, `!!document.querySelector(".ghost")`), "back in time alone")
}

// Where nobody plays, what comes after going back has a random number more, and both futures are
// seen.
func TestTwoFuturesSideBySide(t *testing.T) {
	b := visit(t, serving(t, start("tanks"))+"?count=20&fork=465", spying, 960, 640)
	b.Until(`document.querySelector(".other:not(.rings)") && flatecs.now.steps >= 600`)
	assert.Greater(t, value[int](b, shownOtherwise), 10)
	assert.Equal(t, []string{"ANOTHER FUTURE", "PAST"}, value[[]string](b,
		`[...document.querySelectorAll(".rings")].map((c) => c.ariaLabel)`))
	assert.True(t, value[bool](b, `(() => {
		const [future, past] = [...document.querySelectorAll(".rings")];
		const inks = (c) => {
			const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.width * .06);
			return data.filter((v, i) => i % 4 === 3 && v > 0).length;
		};
		return past.getBoundingClientRect().left < future.getBoundingClientRect().left &&
			inks(past) > 100 && inks(future) > 1.5 * inks(past);
	})()`), "words above both")
	assert.Positive(t, b.report().Bytes, "sprites have places")
	b.Shot("tanks-futures")
	b.fine()
	value[bool](b, `(document.getElementById("again").click(), true)`)
	assert.False(t, value[bool](b, `!!document.querySelector(".other")`))
}
