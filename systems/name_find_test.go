package systems

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamedWalks(t *testing.T) {
	s, ids := fullWorld(t)
	for _, i := range []int{5, 3, 1, 8, 6} {
		s = christen(t, s, ids[i], "a")
	}
	s = sure(Remove(s, ids[5], NameKind))
	s = christen(t, s, ids[5], "a") // its row is the first again, and its turn the last
	order := []GameObject{ids[3], ids[1], ids[8], ids[6], ids[5]}
	var want, got [][2]GameObject
	for _, a := range order {
		for _, b := range order {
			want = append(want, [2]GameObject{a, b})
		}
	}
	for a := range Named(s, "a") {
		for b := range Named(s, "a") {
			got = append(got, [2]GameObject{a, b})
		}
		for range Named(s, "a") {
			break
		}
	}
	assert.Equal(t, want, got)

	var turns []GameObject
	for id := range Named(s, "a") {
		turns = append(turns, id)
		switch id {
		case ids[3]:
			s = sure(Dispose(s, ids[1]))
			s = christen(t, s, ids[8], "b")
			s = christen(t, s, ids[2], "a")
		case ids[6]:
			s = christen(t, s, ids[8], "a")
		}
	}
	assert.Equal(t, []GameObject{ids[3], ids[6], ids[5]}, turns)
	whole(t, s)
}
