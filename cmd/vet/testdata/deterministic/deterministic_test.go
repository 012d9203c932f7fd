package deterministic

import (
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
)

var calls int

func TestSystem(t *testing.T) {
	a := float32(3)
	step := func(s world.State) world.State {
		calls++
		time.Now()
		a += a * a // want `write float32\(a \* a\)`
		return s
	}
	_ = step
}
