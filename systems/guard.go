package systems

import (
	"runtime"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// mustBeOutside panics in a task.
func (j *job) mustBeOutside(what string) {
	if j.part.whole != nil {
		panic("flatecs: " + what)
	}
}

// fixed reports whether the structure must not change now.
func (j *job) fixed() bool { return j.walks.Depth != 0 || j.part.whole != nil }

// mustBeStill panics if the structure must not change now.
func (j *job) mustBeStill() {
	if j.fixed() {
		panic(whileWalking(j).Error())
	}
}

// whileWalking returns the error of a call that an open walk or a task forbids: it names the
// program's call, the query, and the call to use instead.
func whileWalking(j *job) error {
	if !statesChecked {
		return ErrWalking // saves code in a release
	}
	call, where, cure := called(), "in a task", "call it after the tasks"
	if q := j.walks.String(); q != "" {
		where, cure = "while "+q+" is walked", "end the walk first"
	}
	switch call {
	case "Dispose", "Add", "Remove":
		cure = "call " + call + " of the batch or of Record(s), then Apply"
	case "Set", "Edit":
		cure = "call Put of the batch or of Record(s), then Apply"
	case "Spawn", "Create", "Copy", "SpawnTree":
		cure = "call " + call + " of Record(s), then Apply"
	}
	return &placedError{prefix + call + " " + where + "; " + cure, ErrWalking}
}

// whileWritten returns the error of a call by id that uses a field that an open walk writes.
func whileWritten(f *layout.FieldSpec) error {
	if !statesChecked {
		return ErrWalking
	}
	return &placedError{prefix + called() + ": " + written(f), ErrWalking}
}

func written(f *layout.FieldSpec) string {
	return f.String() + " is written by this walk; use world.Column(b, " + f.Name +
		"), or for another object read it before the walk"
}

// called returns the function that a program has called, as package.Function; it omits the packages
// world and systems.
func called() (name string) {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		path, ours := strings.CutPrefix(frame.Function, "github.com/flatecs/flatecs/")
		ours = ours && (strings.HasPrefix(path, "systems") || strings.HasPrefix(path, "world"))
		if !ours || strings.Contains(path, "_test.") || strings.Contains(path, ".Test") {
			break
		}
		function := path[strings.LastIndexByte(path, '/')+1:]
		function = strings.TrimPrefix(strings.TrimPrefix(function, "systems."), "world.")
		function = strings.Replace(strings.Replace(function, "(*", "", 1), ")", "", 1)
		name, _, _ = strings.Cut(function, "[")
	}
	if name == "" {
		return "a call"
	}
	if of, slow := strings.CutSuffix(name, "Slow"); slow { // an inlined function has no frame
		name = strings.ToUpper(of[:1]) + of[1:]
	}
	return name
}

// mustBeUnheld panics if an open walk writes a field, or a task beside this one may write it.
func (j *job) mustBeUnheld(f *layout.FieldSpec) {
	if j.walks.Depth != 0 && j.walks.Holds(f) {
		panic(prefix + written(f))
	}
	j.mustBeAlone(f)
}

// mustBeWritable is mustBeUnheld for a field that is about to be written: a task writes through
// batches, or by a Writer.
func (j *job) mustBeWritable(f *layout.FieldSpec) {
	if j.mustBeUnheld(f); j.part.whole != nil {
		panic(prefix + f.String() + " is written by id or row in a task; " +
			"write it through a query's batches, or by WriterOf")
	}
}

// mustBeAlone panics if a field must not be read by id, because another task, or another part of
// this task's system, may write it meanwhile.
func (j *job) mustBeAlone(f *layout.FieldSpec) {
	j.mustBeUnwritten(f)
	if j.part.whole == nil || !j.part.cut() {
		return
	}
	if _, ok := j.part.whole.side.written.By(f); ok {
		panic("flatecs: " + f.String() + " is read by id in a task on some of the objects, whose " +
			"queries write it, as others do with the rest; run it as a task on all objects, or " +
			"read a copy in another field")
	}
}

// mustBeUnwritten panics if the queries of another system's task write a field. For a caller with
// the whole world, such as a Reader opened before the tasks, every task counts as another system's.
func (j *job) mustBeUnwritten(f *layout.FieldSpec) {
	side := j.root().side
	if side == nil {
		return
	}
	if by, ok := side.written.By(f); ok && (j.part.whole == nil || by != j.part.strand) {
		panic("flatecs: " + f.String() + " is read by id while the queries of a task beside " +
			"write it; run the two one after the other, and open Readers in the task that uses " +
			"them")
	}
}

// compare detects, under -tags ecsdebug, writes without a stamp. It skips walks and tasks: a walk
// may stamp a field before writing it, and a task's writes are stamped after it.
func compare(j *job) {
	if !j.fixed() {
		j.past.Compare(j.world.arena)
	}
}

// cut reports whether a task runs on part of the objects.
func (p *part) cut() bool { return p.first != 0 || p.end != 0 || p.fuse != 0 }

// claim checks that a task may write a field by id, and that no other task writes the kind by id:
// rows are stamped 64 at a time, and tasks run in parallel.
func (j *job) claim(caller string, f *layout.FieldSpec, m *manager.Manager) {
	switch {
	case j.part.cut():
		panicClaim(caller, f, " in a task on some of the objects; do so in a task on all of them")
	case f.Kind.Relation != nil:
		panicClaim(caller, f, ", of a relation, in a task; write it outside of tasks")
	case !j.mayWrite(f):
		panicClaim(caller, f, " in a task; list a query that writes it in the task's Queries")
	}
	c := &j.part.whole.side.claims
	c.Lock()
	defer c.Unlock()
	for _, by := range c.list {
		switch {
		case by.kind == m && by.job == j:
			return
		case by.kind == m:
			panicClaim(caller, f, " in two tasks of one call; run them one after the other")
		}
	}
	c.list = append(c.list, claim{m, j})
}

//go:noinline
func panicClaim(caller string, f *layout.FieldSpec, how string) {
	panic("flatecs: " + caller + ": " + f.String() + " is written by id" + how)
}

// mayWrite reports whether a task has a query that writes a field.
func (j *job) mayWrite(f *layout.FieldSpec) bool {
	for _, q := range j.part.allowed {
		if p := j.world.plans.Made(q.declared()); p != nil && p.WritesField(f) {
			return true
		}
	}
	return false
}
