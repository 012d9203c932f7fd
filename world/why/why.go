package why

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/timeline"
)

// Now is later than the tick of every write.
const Now = math.MaxUint64

// ErrUnwritten is the error of a value that was not written since the first frame of the timeline.
var ErrUnwritten = errors.New("not written in the frames that are kept")

// A Past is a timeline to search. Its methods set [schedule.Schedule.Trace], and call
// [timeline.Timeline.At].
type Past struct {
	Timeline *timeline.Timeline
	Jobs     *schedule.Schedule // run by the timeline's Step; nil: steps are not divided
}

// A Write is a job's write of a value.
type Write struct {
	Frame int
	Tick  uint64
	Job   string // "": the step, outside of jobs

	// Source is the position of the job's function, as file:line, or the name of a method.
	Source string

	// Reads are the fields that the job's queries read or write, including Field, ordered by name.
	// Nil for a Do, and outside of jobs, which may read anything.
	Reads []*layout.FieldSpec

	Field  *layout.FieldSpec
	Object world.GameObject // Nobody: a resource
	Before []byte           // nil: the object lacked the component, or was not alive
	After  []byte
}

// String describes w in one line.
func (w Write) String() string {
	text := fmt.Sprintf("tick %d, frame %d, ", w.Tick, w.Frame)
	if w.Job == "" {
		text += "outside of jobs"
	} else {
		text += fmt.Sprintf("job %q", w.Job)
	}
	text += ": " + ownerText(w.Field, w.Object) + ": " + w.text(w.Before) + " → " + w.text(w.After)
	if len(w.Reads) > 0 {
		text += "; reads " + join(w.Reads)
	}
	return text
}

func ownerText(f *layout.FieldSpec, id world.GameObject) string {
	if id == world.Nobody {
		return f.String()
	}
	return fmt.Sprintf("%v of object %v", f, id)
}

func (w Write) text(value []byte) string {
	if value == nil {
		return "none"
	}
	return tool.Text(w.Field, value)
}

func join(fields []*layout.FieldSpec) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.String()
	}
	return strings.Join(names, ", ")
}

// Wrote returns the last write of a field of an object, or of a resource for [world.Nobody], before
// a tick: [Now] for the present. It repeats the steps between two kept worlds of the timeline, or
// more if the value is written rarely and its neighbours often. If the last step panics, the
// present is the world before it. It returns the errors of [timeline.Timeline.At], or an error that
// wraps [ErrUnwritten].
func (p Past) Wrote(id world.GameObject, f layout.AnyField, before uint64) (Write, error) {
	first, next := p.Timeline.Frames()
	if program.Caught("why", func() { _, _ = p.Timeline.At(next) }) != nil {
		next--
	}
	h := hunt{Past: p, id: id, field: f.Spec(), next: next, most: max(before, 1) - 1}
	from, err := p.Timeline.KeptByTick(h.most)
	if before == Now {
		from, err = h.earlier(next)
	}
	for err == nil {
		if err = h.search(from); err != nil {
			break
		}
		if h.found {
			h.last.Reads, h.last.Source = readBy(h.by), sourceOf(h.by)
			return h.last, nil
		}
		from, err = h.earlier(from)
	}
	if errors.Is(err, history.ErrFrame) {
		err = fmt.Errorf("why: %s: %w: %d to %d; keep more by timeline.New",
			ownerText(h.field, id), ErrUnwritten, first, next-1)
	}
	return Write{}, err
}

// A hunt is a search for a write.
type hunt struct {
	Past

	id    world.GameObject
	field *layout.FieldSpec
	next  int
	most  uint64 // latest possible tick of the write

	frame int
	value []byte // a copy; nil: no value
	tick  uint64 // tick of the last look
	last  Write
	by    *schedule.Job // of last; or nil
	found bool
}

// earlier returns the newest kept frame before frame that the write may follow, by the stamp of the
// value there. It sets the latest possible tick of the write.
func (h *hunt) earlier(frame int) (int, error) {
	s, err := h.Timeline.At(frame)
	if err != nil {
		return 0, err
	}
	value, stamp := tool.ValueOf(s, h.field, h.id)
	h.most = world.Tick(s)
	kept, err := h.Timeline.Kept(frame - 1)
	if value == nil || err != nil {
		return kept, err
	}
	h.most = stamp
	stamped, err := h.Timeline.KeptByTick(stamp)
	return min(kept, stamped), err
}

// search repeats the steps from a frame on, until the tick of the write is over.
func (h *hunt) search(from int) error {
	if _, err := h.Timeline.At(from); err != nil { // it may take the step before, too
		return err
	}
	if h.Jobs != nil {
		defer func(before func(*schedule.Job, world.State) func(world.State)) {
			h.Jobs.Trace = before
		}(h.Jobs.Trace)
		h.Jobs.Trace = h.trace
	}
	for h.frame = from; h.frame < h.next; h.frame++ {
		s, err := h.Timeline.At(h.frame)
		if err != nil || world.Tick(s) > h.most {
			return err
		}
		value, _ := tool.ValueOf(s, h.field, h.id)
		h.value, h.tick = bytes.Clone(value), world.Tick(s)
		if s, err = h.Timeline.At(h.frame + 1); err != nil {
			return err
		}
		h.recordWrite(s, nil, false)
	}
	return nil
}

// trace is the [schedule.Schedule.Trace] of a search.
func (h *hunt) trace(j *schedule.Job, s world.State) func(world.State) {
	h.recordWrite(s, nil, false)
	wrote := slices.ContainsFunc(j.Queries, func(q world.Query) bool {
		_, writes := tool.FieldsOf(q)
		return slices.Contains(writes, h.field) && q.Matches(s, h.id)
	})
	return func(s world.State) { h.recordWrite(s, j, wrote) }
}

// recordWrite records a write, if the value was written since the last call.
func (h *hunt) recordWrite(s world.State, j *schedule.Job, wrote bool) {
	value, tick := tool.ValueOf(s, h.field, h.id)
	switch {
	case j != nil: // tasks stamp after all have ended
		tick = world.Tick(s)
	case value == nil:
		tick = h.tick
	}
	h.tick = world.Tick(s)
	// The parts of a job are separate calls, and one of them has the object.
	wrote = wrote && (h.last.Tick != tick || h.last.Job != j.Name)
	same := bytes.Equal(value, h.value) && (value == nil) == (h.value == nil) // empty: not nil
	if same && !wrote {
		return
	}
	w := Write{
		Frame: h.frame, Tick: tick, Field: h.field, Object: h.id,
		Before: h.value, After: bytes.Clone(value),
	}
	if j != nil {
		w.Job = j.Name
	}
	if h.value = w.After; tick <= h.most {
		h.last, h.by = w, j
		h.found = true
	}
}

// sourceOf returns the position of a job's function. A method that is passed as a function has a
// name but no line.
func sourceOf(j *schedule.Job) string {
	if j == nil {
		return ""
	}
	at := reflect.ValueOf(j.Run).Pointer()
	if j.Run == nil {
		at = reflect.ValueOf(j.Do).Pointer()
	}
	f := runtime.FuncForPC(at)
	if name, is := strings.CutSuffix(f.Name(), "-fm"); is {
		return name
	}
	file, line := f.FileLine(at)
	return fmt.Sprintf("%s:%d", file, line)
}

// readBy returns the fields that a job's queries read or write.
func readBy(j *schedule.Job) (fields []*layout.FieldSpec) {
	if j == nil {
		return nil
	}
	for _, q := range j.Queries {
		reads, writes := tool.FieldsOf(q)
		fields = append(append(fields, reads...), writes...)
	}
	slices.SortFunc(fields, func(a, b *layout.FieldSpec) int {
		return strings.Compare(a.String(), b.String())
	})
	return slices.Compact(fields)
}
