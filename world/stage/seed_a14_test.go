package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	placePosition = layout.NewField[[3]float32]("position") // world units; x, y, z
	placeKind     = layout.NewKind("Transform", placePosition)
	workerHours   = layout.NewField[float32]("hours")
	workerKind    = layout.NewKind("Worker", workerHours)
	servantTasks  = layout.NewField[int32]("tasks")
	servantKind   = layout.NewKind("Servant", servantTasks)
	statusA       = layout.NewMark("StatusA")
	statusB       = layout.NewMark("StatusB")
	staff         = world.NewWatcher(world.NewQuery(
		world.Any(workerKind, servantKind), world.Optional(workerHours, servantTasks)))
)

// A staffView is an object that works, with its fields by their names: good until the next change
// of structure.
type staffView struct {
	ID       world.GameObject
	Position *[3]float32 // world units; x, y, z
	Hours    *float32    // nil for a servant
	Tasks    *int32      // nil for a worker
}

func viewStaff(s world.State, id world.GameObject) (world.State, staffView) {
	v := staffView{ID: id}
	s, v.Position, _ = world.Edit(s, id, placePosition)
	s, v.Hours, _ = world.Edit(s, id, workerHours)
	s, v.Tasks, _ = world.Edit(s, id, servantTasks)
	return s, v
}

// workSystem is about everybody who is a worker or a servant.
func workSystem(d *diary) stage.System {
	return stage.System{
		Name: "work", Watcher: staff,
		Init: d.says("work init"),
		Enter: func(s world.State) world.State {
			for id := range staff.Entered(s) {
				s = world.Must(world.Add(s, id, statusA))
				d.note("work enter", id)
			}
			return s
		},
		Update: func(s world.State, dt float32) world.State {
			for id := range staff.Members(s) {
				var v staffView
				s, v = viewStaff(s, id)
				v.Position[0] += dt
				switch {
				case v.Hours != nil:
					*v.Hours += dt
				default:
					*v.Tasks++
				}
			}
			d.note("work update", dt)
			return s
		},
		Leave: func(s world.State) world.State {
			for id := range staff.Left(s) {
				d.note("work leave", id)
			}
			return s
		},
		Destroy: d.says("work destroy"),
	}
}

// A workplace is a program with its ways of starting, running and stopping.
type workplace struct {
	d    *diary
	slow stage.Root
}

func (w *workplace) awake() {
	w.d.s = world.Must(world.CreateState(world.Counts{
		Kinds: []layout.Count{
			placeKind.Count(10), workerKind.Count(10), servantKind.Count(10),
			statusA.Count(0), statusB.Count(0),
		},
		Watchers: []world.Watcher{staff},
	}))
	slow := stage.System{Name: "slow", Parts: []stage.System{workSystem(w.d)}}
	require.NoError(w.d, w.slow.Add(slow))
	w.d.s = w.slow.Init(w.d.s)
}

func (w *workplace) update(delta float32) { w.d.s = w.slow.Update(w.d.s, delta) }

func (w *workplace) disable() { w.d.s = w.slow.Clear(w.d.s) }

// hire creates an object with a Transform and more.
func (w *workplace) hire(kinds ...layout.AnyKind) (id world.GameObject) {
	w.d.s, id = world.Must2(world.CreateWith(w.d.s, append(kinds, placeKind)...))
	return id
}

// TestSeed_A14_WorkInASlowRoot: awake → init, update → execute(delta), disable → clear.
func TestSeed_A14_WorkInASlowRoot(t *testing.T) {
	d := &diary{T: t}
	w := &workplace{d: d}
	w.awake()
	d.wrote("work init")
	w.update(1)
	d.wrote()

	worker, servant, idle := w.hire(workerKind), w.hire(servantKind, statusB), w.hire(statusB)
	w.update(0.25)
	w.update(0.5)
	d.wrote("work enter 0", "work enter 1", "work update 0.25", "work update 0.5")
	var v staffView
	quarters, two := float32(0.75), int32(2)
	d.s, v = viewStaff(d.s, worker)
	assert.Equal(t, staffView{worker, &[3]float32{0.75, 0, 0}, &quarters, nil}, v)
	d.s, v = viewStaff(d.s, servant)
	assert.Equal(t, staffView{servant, &[3]float32{0.75, 0, 0}, nil, &two}, v)
	assert.Equal(t, [3]float32{}, world.Must(world.Get(d.s, idle, placePosition)))
	for id, want := range map[world.GameObject][2]bool{
		worker: {true, false}, servant: {true, true}, idle: {false, true},
	} {
		assert.Equal(t, want, [2]bool{world.Has(d.s, id, statusA), world.Has(d.s, id, statusB)}, id)
	}

	d.s = world.Must(world.Remove(d.s, worker, workerKind))
	d.s = world.Must(world.Add(d.s, servant, workerKind)) // still one of the two
	w.update(1)
	d.wrote("work leave 0", "work update 1")
	d.s = world.Must(world.Dispose(d.s, servant))
	w.disable()
	d.wrote("work leave 1", "work destroy")
	w.update(1)
	d.wrote()
}

// A Transform that is used again starts at (0, 0, 0).
func TestSeed_A14_TransformIsReset(t *testing.T) {
	d := &diary{T: t}
	w := &workplace{d: d}
	w.awake()
	id := w.hire(workerKind)
	d.s = world.Must(world.Set(d.s, id, placePosition, [3]float32{1, 2, 3}))
	d.s = world.Must(world.Remove(d.s, id, placeKind))
	d.s = world.Must(world.Add(d.s, id, placeKind))
	assert.Equal(t, [3]float32{}, world.Must(world.Get(d.s, id, placePosition)))
	d.s = world.Must(world.Set(d.s, id, placePosition, [3]float32{1, 2, 3}))
	d.s = world.Must(world.Dispose(d.s, id))
	id = w.hire(servantKind)
	assert.Equal(t, [3]float32{}, world.Must(world.Get(d.s, id, placePosition)))
}
