package inspect

import (
	"errors"
	"maps"
	"sync"

	"github.com/flatecs/flatecs/world"
)

// refusals counts refusals that the program reported.
type refusals struct {
	mutex    sync.Mutex
	commands uint64
	full     map[string]uint64 // per kind: calls that found it full
}

// count counts the refusals in an error of the world.
func (r *refusals) count(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if refused, ok := errors.AsType[*world.ApplyError](err); ok {
		r.commands += uint64(len(refused.Refused))
		for _, command := range refused.Refused {
			r.countOne(command.Err)
		}
		return
	}
	r.countOne(err)
}

// countOne counts the error of one call or command if it reports a full kind.
func (r *refusals) countOne(err error) {
	if !errors.Is(err, world.ErrFull) && !errors.Is(err, world.ErrTooMany) {
		return
	}
	kind := objectsKind
	if e, ok := errors.AsType[*world.Error](err); ok {
		kind = e.Kind
	}
	if r.full == nil {
		r.full = map[string]uint64{}
	}
	r.full[kind]++
}

// objectsKind is the name of the game objects in errors.
const objectsKind = "game object"

// now returns the counts so far.
func (r *refusals) now() (commands uint64, full map[string]uint64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.commands, maps.Clone(r.full)
}
