package world_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/link"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/replica"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/session"
	"github.com/flatecs/flatecs/world/share"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// bag returns what the lists of a walk hold of the first object.
func (p *play) bag() []uint32 { return world.Must(lists.Of(p.s, p.ids[0], playBag)) }

var playPacks = world.NewQuery(world.Write(playBag))

// keptLists are lists of a walk that is over.
func keptLists(p *play) (kept *lists.Lists[uint32]) {
	for b := range playPacks.In(p.s) {
		kept = lists.Column(b, playBag) //flatecs:allow kept it is the misuse
	}
	return kept
}

var listMisuses = []misuseCase{
	{"lists of a batch read after their walk", debug, func(p *play) { keptLists(p).At(0) }},
	{"an element appended to a list of a batch after its walk", debug, func(p *play) {
		kept := keptLists(p)
		p.s = world.Must(lists.Shrink(p.s, p.ids[0], playBag))
		p.s = world.Must(lists.Append(p.s, p.ids[0], playBag, 4, 5, 6, 7, 8))
		p.s = world.Must(lists.Clear(p.s, p.ids[0], playBag))
		_, p.err = kept.Append(0, 9)
	}},
	{"elements of list.Of read after the list has changed", nobody, func(p *play) {
		kept := p.bag()
		p.s = world.Must(lists.Append(p.s, p.ids[0], playBag, make([]uint32, 40)...))
		p.unless(len(kept) == 3 && len(p.bag()) == 43)
	}},
	{"elements of a list in a walk read after another one was appended", nobody, func(p *play) {
		for b := range playPacks.In(p.s) {
			all := lists.Column(b, playBag)
			kept := all.At(0)
			for range 40 {
				_, p.err = all.Append(0, 7)
			}
			p.unless(len(kept) == 3)
		}
	}},
}

// must0 panics with an error.
func must0(err error) { world.Must(0, err) }

// count is a step that an input decides.
func count(s world.State, input []byte) world.State {
	s = world.Advance(s)
	for b := range playMoving.In(s) {
		for i := range world.Column(b, playPlace) {
			world.Column(b, playPlace)[i][0] += float32(input[0])
		}
	}
	return s
}

// past returns a timeline of three steps.
func (p *play) past(step func(world.State, []byte) world.State) *timeline.Timeline {
	p.flat()
	past := world.Must(timeline.New(p.s, timeline.Options{
		Frames: 9, Every: 9, InputBytes: 1, Step: step,
	}))
	p.close = append(p.close, past.Close)
	for range 3 {
		must0(past.Record(p.s, []byte{1}))
		p.s = step(p.s, []byte{1})
	}
	return past
}

// impure is count, in a game whose code keeps state outside its world.
func impure(s world.State, input []byte) world.State {
	playSteps++
	return count(s, []byte{input[0] + byte(playSteps)})
}

var pastMisuses = []misuseCase{
	{"a write to the State of a timeline's At", checked, func(p *play) {
		world.Advance(world.Must(p.past(count).At(1)))
	}},
	{"a walk that writes in the State of a timeline's At", always, func(p *play) {
		count(p.read(world.Must(p.past(count).At(1))), []byte{1})
	}},
	{"the State of a timeline's At after the next At", checked, func(p *play) {
		past := p.past(count)
		s := world.Must(past.At(1))
		world.Must(past.At(2))
		world.Len(s)
	}},
	{"a world changed beside a timeline without Changed", nobody, func(p *play) {
		past := p.past(count)
		p.s = count(p.s, []byte{9})
		p.err = past.Record(p.s, []byte{1})
		p.unless(world.Digest(world.Must(past.At(3))) != world.Digest(p.s))
	}},
	{"a step that depends on more than its world and input", nobody, func(p *play) {
		past := p.past(impure)
		p.unless(world.Digest(world.Must(past.At(3))) != world.Digest(p.s))
	}},
	{"an input that a timeline or history returned, written", nobody, func(p *play) {
		past := p.past(count)
		world.Must(past.Input(0))[0] = 7
		p.unless(world.Digest(world.Must(past.At(3))) != world.Digest(p.s))
	}},
	{"a snapshot of a history taken", nobody, func(p *play) {
		h := world.Must(history.New(p.s, 3, 0))
		p.close = append(p.close, h.Close)
		must0(h.Record(p.s, nil))
		p.s = count(p.s, []byte{1})
		p.err = world.Must(h.Snapshot(0)).Take(p.s)
		p.s = world.Must(h.Rollback(p.s, 0))
		p.unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[0] == 2)
	}},
	{"a world changed beside the step that a history repeats", nobody, func(p *play) {
		h := world.Must(history.New(p.s, 3, 1))
		p.close = append(p.close, h.Close)
		must0(h.Record(p.s, []byte{1}))
		p.s = count(count(p.s, []byte{1}), []byte{9})
		p.s = world.Must(h.Resimulate(p.s, 0, count))
		p.unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[0] == 2)
	}},
	{"why asked with jobs that the step does not run", nobody, func(p *play) {
		past := why.Past{Timeline: p.past(count), Jobs: schedule.New(1)}
		w := world.Must(past.Wrote(p.ids[0], playPlace, why.Now))
		p.unless(w.Job == "")
	}},
}

// read is s, for a walk.
func (p *play) read(s world.State) world.State { p.s = s; return s }

// flat makes p continue in a world of kinds without Go values.
func (p *play) flat(kinds ...layout.Countable) {
	s := world.Must(world.CreateState(world.Counts{
		Kinds:   append(layout.Kinds(kinds...), playPlace.Count(200), playSpeed.Count(200)),
		Recipes: []world.Recipe{playBall},
	}))
	p.s, p.ids = p.also(s), nil
	for range 20 {
		p.ids = append(p.ids, p.spawn())
	}
}

// posed makes p continue in a world whose first object has poses.
func (p *play) posed() {
	p.flat(pose.Local2, pose.Global2, family.ChildOf)
	p.s = world.Must(addKinds(p.s, p.ids[0], pose.Local2.Kind(), pose.Global2.Kind()))
}

var othersMisuses = []misuseCase{
	{"a global pose read before Update2", nobody, func(p *play) {
		p.posed()
		p.s = world.Must(world.Set(p.s, p.ids[0], pose.Local2, pose.At2(5, 5)))
		p.unless(world.Must(world.Get(p.s, p.ids[0], pose.Global2)) == pose.Identity2)
	}},
	{"a global pose written", nobody, func(p *play) {
		p.posed()
		p.s = world.Must(world.Set(p.s, p.ids[0], pose.Global2, pose.At2(5, 5)))
		p.s = pose.Update2(p.s)
		p.unless(world.Must(world.Get(p.s, p.ids[0], pose.Global2)) == pose.Identity2)
	}},
	{"the zero Pose2 as a local pose", nobody, func(p *play) {
		p.posed()
		p.s = pose.Update2(world.Must(world.Set(p.s, p.ids[0], pose.Local2, pose.Pose2{X: 3})))
		p.unless(world.Must(world.Get(p.s, p.ids[0], pose.Global2)).Point([2]float32{9, 9}) ==
			[2]float32{3, 0})
	}},
	{"a pointer of Edit written after an index was asked", debug, func(p *play) {
		p.s, _ = world.Add(p.s, p.ids[0], playTarget)
		byTarget := index.New(playTarget)
		s, at, _ := world.Edit(p.s, p.ids[0], playTarget)
		byTarget.Count(s, p.ids[1])
		*at = p.ids[1]
		p.unless(byTarget.Count(s, p.ids[1]) == 0)
		p.s = world.Advance(s)
	}},
	{"a pool's world closed by Close", nobody, func(p *play) {
		rooms := p.rooms()
		world.Close(world.Must(rooms.Take()))
		_, err := rooms.Take()
		p.unless(rooms.Left() == 0 && err != nil)
	}},
	{"another world changed in the step of a pool", nobody, func(p *play) {
		steps := 0
		rooms := p.rooms()
		states := []world.State{world.Must(rooms.Take())}
		p.err = rooms.Step(states, 1, func(_ int, s world.State) (world.State, error) {
			steps++
			p.s = world.Advance(p.s)
			return s, nil
		})
		p.unless(steps == 1)
	}},
	{"a step of a sweep that reads what its world does not hold", nobody, func(p *play) {
		order := float64(0)
		table := lab.Table{}
		p.err = lab.Sweep[struct{}]{
			Params: make([]struct{}, 2), Seeds: lab.Seeds(1, 1), Steps: 1, Workers: 1,
			Counts: func(struct{}) world.Counts { return world.Counts{GameObjects: 1} },
			Step: func(s world.State) (world.State, error) {
				order++
				return world.Advance(s), nil
			},
			Reports: []lab.Reporter{lab.Report("order", func(world.State) float64 { return order })},
		}.Run(context.Background(), &table)
		p.unless(order == 2)
	}},
	{"a New of a hunted game that makes another world each time", always, func(p *play) {
		made := float32(0)
		_, p.err = hunt.Run(hunt.Game{
			New: func() (world.State, error) {
				s := world.Must(world.CreateState(world.CountsOf(p.s)))
				made++
				s, _, err := world.Spawn(s, playBall, playPlace.Value([3]float32{made}))
				return s, err
			},
			Step: func(s world.State, _ []byte) (world.State, error) { return world.Advance(s), nil },
		}, hunt.Options{Workers: 1, Ticks: 10})
	}},
	{"a When of a job that writes to the world", nobody, func(p *play) {
		var all schedule.Schedule
		must0(all.Register(schedule.Pipeline{
			Name: "p", Groups: []schedule.Group{{Name: "g", Elements: []string{"j"}}},
			Jobs: []schedule.Job{{
				Name: "j", Run: lift, Queries: playList,
				When: func(s world.State) bool { lift(s); return false },
			}},
		}))
		p.s = world.Must(all.Run(p.s, "p"))
		p.unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[1] == 3)
	}},
	{"a Split job that adds up its objects", nobody, func(p *play) {
		calls := 0
		var all schedule.Schedule
		must0(all.Register(schedule.Pipeline{
			Name: "p", Groups: []schedule.Group{{Name: "g", Elements: []string{"j"}}},
			Jobs: []schedule.Job{{
				Name: "j", Queries: playList, Split: true, Part: 1,
				Run: func(s world.State) world.State { calls++; return s },
			}},
		}))
		p.s = world.Must(world.SpawnN(p.s, playBall, 100, nil))
		p.s = world.Must(all.Run(p.s, "p"))
		p.unless(calls > 1)
	}},
	{"a world stepped after Continue of a hand returned false", nobody, func(p *play) {
		p.flat()
		dir := world.Must(os.MkdirTemp("", "play"))
		o := hand.Options{File: filepath.Join(dir, "world"), Out: io.Discard}
		h := world.Must(hand.Join(o))
		p.close = append(p.close, func() { _ = os.RemoveAll(dir) }, func() { h.Close() })
		self, err := os.FindProcess(os.Getpid())
		if err != nil || self.Signal(syscall.SIGTERM) != nil {
			return // no program is asked to end here
		}
		for h.Continue(p.s) {
			runtime.Gosched()
		}
		p.s = lift(p.s)
		h.Close()
		h = world.Must(hand.Join(o))
		saved := p.also(world.Must(h.World(world.CountsOf(p.s), nil)))
		p.unless(world.Digest(saved) != world.Digest(p.s))
	}},
	{"a column of a frame read after Unpin", nobody, func(p *play) {
		p.flat()
		dir := world.Must(os.MkdirTemp("", "shown"))
		p.close = append(p.close, func() { _ = os.RemoveAll(dir) })
		name := filepath.Join(dir, "shown")
		shown, err := share.Publish(name, p.s, share.Options{})
		if err != nil {
			return // it is for Linux
		}
		p.close = append(p.close, func() { _ = shown.Close() })
		must0(shown.Offer(p.s))
		r := world.Must(share.Open(name, world.CountsOf(p.s)))
		p.close = append(p.close, func() { _ = r.Close() })
		f := world.Must(r.Pin())
		kept := world.View(f.State(), playPlace)
		f.Unpin()
		p.unless(kept[0] == [3]float32{1, 2, 3})
	}},
}

// rooms returns a pool of one world.
func (p *play) rooms() *pool.Pool {
	rooms := world.Must(pool.New(p.s, 1))
	p.close = append(p.close, rooms.Close)
	return rooms
}

var sessionMisuses = []misuseCase{
	{"the history of a session changed", nobody, func(p *play) {
		alone := world.Must(session.New(p.s, session.Options{
			Links: []link.Link{nil, silence{}}, InputBytes: 1, Step: count,
			Window: 3, Frames: 5, // each is a world
		}))
		p.close = append(p.close, alone.Close)
		for range 3 {
			p.s = world.Must(alone.Advance(p.s, []byte{1}))
		}
		p.s = world.Must(alone.History().Rollback(p.s, 1))
		p.unless(alone.Status().Frame == 1)
	}},
	{"an input of a step written by it", nobody, func(p *play) {
		h := world.Must(history.New(p.s, 3, 1))
		p.close = append(p.close, h.Close)
		must0(h.Record(p.s, []byte{1}))
		p.s = world.Must(h.Resimulate(p.s, 0, func(s world.State, input []byte) world.State {
			input[0] = 5
			return s
		}))
		p.unless(world.Must(h.Input(0))[0] == 5)
	}},
	{"an object of a mirror changed by its client", nobody, func(p *play) {
		n := link.NewNetwork(2, link.Conditions{})
		p.flat(heroes.Position)
		p.s = p.also(world.Must(world.CreateState(roomSchema.Counts(100))))
		server := replica.NewServer(p.s, roomSchema, replica.Options{Clients: 1})
		server.Accept(n.Link(0, 1))
		client := world.Must(world.CreateState(roomSchema.Counts(100)))
		mirror := replica.NewMirror(client, roomSchema, 512, replica.Show{})
		s, id := world.Must2(world.Spawn(p.s, roomMoved, heroes.Position.Value([3]float32{5, 5, 5})))
		for range 9 {
			n.Link(1, 0).Send(mirror.Append(nil, nil))
			for range server.Joined() {
				continue
			}
			s = server.Send(world.Advance(s), func(v *replica.View, _ *replica.Conn) { v.See(id, 1) })
			for b, ok := n.Link(1, 0).Receive(); ok; b, ok = n.Link(1, 0).Receive() {
				client = world.Must(mirror.Apply(client, b))
			}
			client = mirror.Present(client, time.Second)
			for mine := range world.GameObjects(client) {
				client = world.Must(world.Set(client, mine, heroes.Position, [3]float32{9, 9, 9}))
			}
		}
		client = p.also(client)
		p.unless(world.Len(client) == 1)
		for mine := range world.GameObjects(client) {
			p.unless(world.Must(world.Get(client, mine, heroes.Position)) == [3]float32{9, 9, 9})
		}
	}},
}
