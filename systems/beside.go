package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/manager"
)

// beside lists what lies beside a world's bytes and is true only of the bytes that it was made of.
// Everything else beside them is of the world's shape, is working memory without meaning between
// two calls, or belongs to the program, such as listeners: see beside_test.go, which names each.
//
//	versions   managers count writes and changes of structure; lists of relations, levels, what
//	           walks know of a tree, indexes, and moments of package tool are valid for one count
//	past       up to which tick which copies are equal to the world
//	commands   since when columns may hold recorded ids; what the last Apply created
//	shown      columns that View returned, with hashes, in builds with -tags ecsdebug
var beside = [...]struct {
	name   string
	forget func(j *job, since uint64)
}{
	{"versions", func(j *job, _ uint64) { j.Overwritten() }},
	{"past", func(j *job, since uint64) { j.past.Cut(since) }},
	{"commands", func(j *job, _ uint64) { j.commands.Forget() }},
	{"shown", func(j *job, _ uint64) { j.lent = manager.Lent{} }},
}

// arrive forgets what lies beside the bytes. Every function that replaces them calls it: Restore,
// Take for the State of its snapshot, Clone, Resized, and those of package tool and of worlds over
// memory that others write. The new bytes differ from the old ones in what was written at tick
// since or later; 0: in anything.
func (j *job) arrive(since uint64) {
	for i := range beside {
		beside[i].forget(j, since)
	}
}

// adoptCommands copies the recorded commands of a world that may have its kinds in another order.
// The error wraps [ErrOther] if commands name a kind that j lacks.
func (j *job) adoptCommands(from *job) error {
	j.commands.CopyFrom(&from.commands)
	place := func(of int) int { return j.Slot(from.Managers[of].Kind) }
	if lacking := j.commands.Resettle(place); lacking >= 0 {
		err := &manager.Error{Err: ErrNoKind, Kind: from.Managers[lacking].Kind.Name}
		return fmt.Errorf("flatecs: resize: %w: recorded commands name a kind that the counts "+
			"lack; apply them before, or add the kind: %w", ErrOther, err)
	}
	return nil
}
