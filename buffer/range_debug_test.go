//go:build ecsdebug && !race

package buffer

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reserved makes a Range that is not freed, or is.
//
//go:noinline
func reserved(t *testing.T, free bool) {
	t.Helper()
	r, ok := Reserve(8<<20, 0)
	require.True(t, ok)
	if free {
		r.Free()
	}
}

func TestForgottenRangesAreNamed(t *testing.T) {
	if !mappable {
		return
	}
	told := make(chan string, 10)
	before := unclosed
	unclosed = func(text string) { told <- text }
	defer func() { unclosed = before }()
	reserved(t, true)
	reserved(t, false)
	var text string
	for text == "" { // the collector calls when it likes
		runtime.GC()
		select {
		case text = <-told:
		default:
			runtime.Gosched()
		}
	}
	assert.Contains(t, text, "8388608 bytes was not closed")
	assert.Contains(t, text, "range_debug_test.go:")
	runtime.GC()
	assert.Empty(t, told, "what was freed is not named")
}
