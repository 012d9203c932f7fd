package query

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// Plans are the plans of a world, by the numbers of their queries. Readers may add plans
// concurrently, so the list is replaced, never changed.
type Plans struct {
	list   atomic.Pointer[[]*Plan]
	making sync.Mutex
}

// Made returns the plan of a query, or nil before its first use.
func (l *Plans) Made(q *Spec) *Plan {
	if list := l.list.Load(); list != nil && int(q.Number) < len(*list) {
		return (*list)[q.Number]
	}
	return nil
}

// Of returns the plan of q, creating it on first use. It panics with the error of [Plans.Make].
func (l *Plans) Of(t *kind.Table, q *Spec) *Plan {
	if p := l.Made(q); p != nil {
		return p
	}
	if err := l.Make(t, q); err != nil {
		panic(err.Error())
	}
	return (*l.list.Load())[q.Number]
}

// Make creates the plans of queries. The error wraps manager.ErrNoKind, or says that a query's
// terms contradict each other.
func (l *Plans) Make(t *kind.Table, queries ...*Spec) error {
	l.making.Lock()
	defer l.making.Unlock()
	var list []*Plan
	if old := l.list.Load(); old != nil {
		list = slices.Clone(*old)
	}
	made := make([]Plan, len(queries))
	for i, q := range queries {
		rules, err := RulesOf(t.Arena, q)
		if err == nil {
			err = rules.Possible()
		}
		if err != nil {
			text := strings.TrimPrefix(err.Error(), "flatecs: ")
			return &manager.PlainError{Text: "flatecs: " + q.String() + ": " + text, Of: err}
		}
		if list = kind.Grow(list, q.Number); list[q.Number] == nil {
			list[q.Number] = made[i].resolve(t, q)
		}
	}
	l.list.Store(&list)
	return nil
}
