package hand

import (
	"errors"
	"os"
	"sync/atomic"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/mapping"
)

// A turn is a word of shared memory that says which of two programs plays.
type turn struct {
	word []uint64 // nil: there is no other program
	page []byte   // contains the word
}

const pageSize = 4096 // size of the shared memory

// Values of the word.
const (
	turnOld    = 0
	turnNew    = 1
	turnNobody = 2 // the old program took the turn back
)

// newTurn returns the shared memory of a turn.
func newTurn() (*os.File, error) { return mapping.Memory("flatecs turn", pageSize) }

// open maps the memory of a turn, and closes f.
func (t *turn) open(f *os.File) error {
	b, err := mapping.Map(f, pageSize, mapping.Shared)
	if err == nil {
		t.page, t.word = b, tool.Words(b)
	}
	return errors.Join(err, f.Close())
}

// take sets the word, unless another program has set it. It reports whether this program set it, or
// is alone.
func (t *turn) take(as uint64) bool {
	return len(t.word) == 0 || atomic.CompareAndSwapUint64(&t.word[0], turnOld, as)
}

func (t *turn) close() {
	if t.page != nil {
		_ = mapping.Unmap(t.page)
	}
	t.page, t.word = nil, nil
}
