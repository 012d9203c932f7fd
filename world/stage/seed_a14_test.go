package stage_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

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

// TestSeed_A14_WorkInASlowRoot: a root that runs now and then, and writes by views.
func TestSeed_A14_WorkInASlowRoot(t *testing.T) {
	d := &diary{T: t, s: world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Kinds: layout.Kinds(placeKind, workerKind, servantKind, statusA),
		Watchers: []world.Watcher{staff},
	}))}
	slow := rootOf(t, stage.LeaveEnterUpdate, stage.System{
		Name: "work", Watcher: staff, Leave: d.telling("work", "leave", staff.Left),
		Enter: func(s world.State) world.State {
			for id := range staff.Entered(s) {
				s = world.Must(world.Add(s, id, statusA))
			}
			return s
		},
		Update: func(s world.State, dt float32) world.State {
			for id := range staff.Members(s) {
				var v staffView
				s, v = viewStaff(s, id)
				if v.Position[0] += dt; v.Hours != nil {
					*v.Hours += dt
				} else {
					*v.Tasks++
				}
			}
			return s
		},
	})
	hire := func(kinds ...layout.AnyKind) (id world.GameObject) {
		d.s, id = world.Must2(world.CreateWith(d.s, append(kinds, placeKind)...))
		return id
	}
	worker, servant, idle := hire(workerKind), hire(servantKind), hire()
	d.step(slow)
	d.step(slow)
	var v staffView
	hours, two := float32(1), int32(2)
	d.s, v = viewStaff(d.s, worker)
	assert.Equal(t, staffView{worker, &[3]float32{1, 0, 0}, &hours, nil}, v)
	d.s, v = viewStaff(d.s, servant)
	assert.Equal(t, staffView{servant, &[3]float32{1, 0, 0}, nil, &two}, v)
	assert.True(t, world.Has(d.s, servant, statusA))
	assert.False(t, world.Has(d.s, idle, statusA))

	d.s = world.Must(world.Remove(d.s, worker, workerKind))
	d.s = world.Must(world.Add(d.s, servant, workerKind)) // still one of the two
	d.step(slow, "work leave 0")
}
