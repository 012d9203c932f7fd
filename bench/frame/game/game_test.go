package game

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// play returns what every library has come to after each of some frames.
func play(l Library, objects, frames int) (sums []Sum) {
	script := NewScript(objects)
	g := l.New(script)
	defer g.Close()
	sums = append(sums, SumOf(g.Each))
	for range frames {
		script.Next()
		var spent Spent
		g.Frame(&spent)
		sums = append(sums, SumOf(g.Each))
	}
	return sums
}

func TestEveryLibraryComesToTheSameSumInEveryFrame(t *testing.T) {
	for _, objects := range []int{100, 3_000} {
		var want []Sum
		for _, l := range Libraries() {
			got := play(l, objects, 120)
			if want == nil {
				want = got
			}
			for frame := range want {
				if !assert.Equal(t, want[frame], got[frame], "%s, %d objects, frame %d", l.Name,
					objects, frame) {
					break
				}
			}
		}
	}
}
