package queue

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBothWays: each way has its own order and room; lost datagrams are counted, and empty or too
// long ones are ignored.
func TestBothWays(t *testing.T) {
	b := NewBoth(10, 4)
	woken := func() bool {
		select {
		case <-b.Wake():
			return true
		default:
			return false
		}
	}
	b.Came([]byte("in"))
	b.Came(nil)
	b.Came([]byte("long!"))
	assert.False(t, woken())
	for _, datagram := range []string{"a", "", "long!", "bc", "def"} { // for which a has to go
		b.Send([]byte(datagram))
	}
	assert.True(t, woken())
	assert.False(t, woken())
	var next []byte
	for _, want := range []string{"bc", "def"} {
		assert.True(t, b.Next(&next))
		assert.Equal(t, want, string(next))
	}
	assert.False(t, b.Next(&next))
	came, ok := b.Receive()
	assert.True(t, ok)
	assert.Equal(t, "in", string(came))
	_, ok = b.Receive()
	assert.False(t, ok)
	assert.Equal(t, 1, b.Lost())
	b.Lose()
	assert.Equal(t, 2, b.Lost())
	for range 3 {
		b.Came([]byte("four"))
	}
	assert.Equal(t, 4, b.Lost())
}
