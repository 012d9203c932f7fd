//go:build ecsdebug

package systems

import (
	"math"
	"testing"
)

// TestDebugCatchesMisuse: writes to what is only read, copies kept beyond their batch, and states
// that were used up or closed.
func TestDebugCatchesMisuse(t *testing.T) {
	for _, q := range []Query{readA, inCopies(readA)} {
		s, _ := mixed(t, 100)
		mustPanic(t, "write to a field that is read", func() {
			for b := range q.In(s) {
				Column(b, fieldA)[0][1]++
			}
		})
	}
	for _, q := range []Query{writeA, inCopies(writeA)} {
		s, _ := mixed(t, 100)
		for b := range q.In(s) {
			Column(b, fieldA)[0][1] = float32(math.Inf(1))
		}
		mustPanic(t, "a NaN", func() {
			for b := range q.In(s) {
				a := Column(b, fieldA)
				a[0][1] -= a[0][1]
			}
		})
	}
	s, ids := mixed(t, 100)
	q := inCopies(writeC)
	var kept [][5]uint8
	for b := range q.In(s) {
		kept = Column(b, fieldC)
	}
	if kept[0][0] != 0xA5 {
		t.Errorf("a copy kept beyond its batch holds %d", kept[0][0])
	}
	old := s
	s, err := DisposeGameObject(s, ids[0])
	if err != nil {
		t.Fatal(err)
	}
	mustPanic(t, "a state that was used up", func() { Live(old) })
	mustPanic(t, "the zero state", func() { Live(State{}) })
	Close(s)
	mustPanic(t, "a closed state", func() { Live(s) })
}
