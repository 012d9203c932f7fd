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
	d := &desk{
		Supervisor: Supervisor{
			Args: []string{"-test.run=^$"}, Deadline: time.Minute,
			Told: func(e Event) { told = append(told, e) },
		},
		arrivals: make(chan arrival), done: make(chan struct{}), timer: time.NewTimer(time.Hour),
		plays: &child{path: "old"}, played: true,
	}
	defer close(d.done)
	d.next, err = d.start(self)
	require.NoError(t, err)
	d.to(starting, time.Minute)
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	none := limit
	none.Cur = 0
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	d.ask(1)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	require.Len(t, told, 1)
	assert.Equal(t, Refused, told[0].What)
	assert.Contains(t, told[0].Why, "memory without a name")
	assert.Nil(t, d.next)
	assert.Equal(t, alone, d.phase)
	assert.Equal(t, "old", d.plays.path)
}
