//go:build ecsdebug && !race

package systems

import (
	"bytes"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
)

// A heard is a log, written by any goroutine.
type heard struct {
	sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(b []byte) (int, error) {
	h.Lock()
	defer h.Unlock()
	return h.text.Write(b)
}

func (h *heard) String() string {
	h.Lock()
	defer h.Unlock()
	return h.text.String()
}

//go:noinline
func forget(t *testing.T) {
	t.Helper()
	const n = 2_000_000
	_ = sure(CreateState(Counts{GameObjects: n, Kinds: layout.Kinds(childOf.Count(n))}))
}

// TestForgottenRelationsAreNamed: the bytes of a world, the copy that they are compared with, and the
// lists of its relations are all said to be made here.
func TestForgottenRelationsAreNamed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is mapped on Linux for sure")
	}
	var log heard
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	forget(t)
	told := func() int { return strings.Count(log.String(), "unclosed_debug_test.go:") }
	for end := time.Now().Add(time.Minute); told() < 3 && time.Now().Before(end); {
		// The collector calls when it likes.
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	assert.Equal(t, 3, told(), log.String())
	assert.NotContains(t, log.String(), "systems/internal")
}
