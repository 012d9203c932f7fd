package queue_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// A guest is a client that may go.
type guest struct {
	number int
	err    error
}

func (g *guest) Err() error { return g.err }

// Arrivals are taken in their order, but for those that went, and hold as many that are gone as may
// be there at once.
func TestArrivalsAgainstAList(t *testing.T) {
	const most = 5
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var a queue.Arrivals[*guest]
		var here []*guest // that came, were not taken, and did not go
		for n := range 200 {
			switch r.IntN(4) {
			case 0, 1:
				if len(here) < most {
					g := &guest{number: n}
					a.Put(g, most)
					here = append(here, g)
				}
			case 2:
				if len(here) > 0 {
					i := r.IntN(len(here))
					here[i].err = errors.New("it went")
					here = append(here[:i:i], here[i+1:]...)
				}
			default:
				g, ok := a.Take()
				assert.Equal(t, len(here) > 0, ok)
				if ok {
					assert.Same(t, here[0], g)
					here = here[1:]
				}
			}
			assert.LessOrEqual(t, a.Len(), 2*most)
		}
	}
}
