package manager_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var touched = layout.NewComponent[uint32]("touched")

// TouchAscending stamps what TouchRows stamps, whatever gaps there are between the rows.
func TestTouchAscending(t *testing.T) {
	const rows = 2048
	r := rand.New(rand.NewPCG(3, 1))
	for share := 1; share <= 12; share++ { // of the rows
		a, b := alone(t, touched.Kind(), rows), alone(t, touched.Kind(), rows)
		var list []uint32
		for row := range uint32(rows) {
			alone := row/64%4 == 3 // of its word
			if alone && row%64 == uint32(share) || !alone && r.IntN(12) < share {
				list = append(list, row)
			}
		}
		_, tick := a.Stamps()
		require.Zero(t, tick)
		for _, m := range []interface{ Stamps() ([]uint64, uint64) }{a, b} {
			stamps, _ := m.Stamps()
			for i := range stamps {
				stamps[i] = 5 // touching sets the tick, which is 0
			}
		}
		a.TouchRows(list)
		b.TouchAscending(list)
		want, _ := a.Stamps()
		got, _ := b.Stamps()
		require.Equal(t, want, got)
		require.Equal(t, a.Written, b.Written)
	}
}
