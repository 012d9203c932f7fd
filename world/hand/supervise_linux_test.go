package hand

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWithoutDescriptors: the next version is given up if there is no memory for whose turn it is.
func TestWithoutDescriptors(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	var told []Event
	v := &supervision{
		config:   Supervisor{Deadline: time.Minute, Told: func(e Event) { told = append(told, e) }},
		children: newChildren([]string{"-test.run=^$"}), clock: newClock(),
		plays: &child{path: "old"}, played: true,
	}
	defer close(v.children.done)
	v.next, err = v.children.start(self)
	require.NoError(t, err)
	v.clock.begin(starting, time.Minute)
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	none := limit
	none.Cur = 0
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	v.requestWorld(1)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	require.Len(t, told, 1)
	assert.Equal(t, Refused, told[0].What)
	assert.Contains(t, told[0].Why, "memory without a name")
	assert.Nil(t, v.next)
	assert.Equal(t, alone, v.clock.phase)
	assert.Equal(t, "old", v.plays.path)
}
