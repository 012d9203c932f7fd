package world_test

import (
	"bytes"
	"iter"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/session"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
)

// cutRows are all rows.
func cutRows() []cutRow {
	return slices.Concat(loopRows(), callRows(), stepRows(), fileRowsCut(), besideRowsCut(), searchRowsCut())
}

// calls returns a row of a call that changes the State.
func calls(name string, l leaves, f func(x *ruin) world.State) cutRow {
	return cutRow{name: name, leaves: l, begin: func(x *ruin) func() {
		return func() { x.s = f(x) }
	}}
}

func loopRows() []cutRow {
	type objects = iter.Seq[world.GameObject]
	type batches = iter.Seq[world.Batch]
	since := ruinLoads.And(world.Changed(ruinLoad))
	parents := world.NewQuery(world.Write(ruinLoad))
	return []cutRow{
		walks("Query.In", func(x *ruin) batches { return ruinLoads.In(x.s) }),
		walks("Query.Since", func(x *ruin) batches { return since.Since(x.s, 0) }),
		walks("Query.Of", func(x *ruin) batches { return ruinLoads.Of(x.s, x.ids[1]) }),
		walks("Query.Down", func(x *ruin) batches { return ruinLoads.Down(x.s, ruinAbove) }),
		walks("Query.Up", func(x *ruin) batches { return ruinLoads.Up(x.s, ruinAbove) }),
		walks("Query.AtDepth", func(x *ruin) batches { return ruinLoads.AtDepth(x.s, ruinAbove, 1) }),
		walks("Query.ChildrenOf", func(x *ruin) batches {
			return ruinLoads.ChildrenOf(x.s, ruinAbove, x.ids[0])
		}),
		walks("Ordered.Walk index.Index.Sorted", func(x *ruin) batches {
			return index.New(ruinAim).Sorted(x.s, ruinLoads)
		}),
		walks("OrderedTexts.Walk index.Text.Sorted", func(x *ruin) batches {
			return index.OfText(ruinText).Sorted(x.s, ruinLoads)
		}),
		loops("Query.Objects", func(x *ruin) objects { return parents.Objects(x.s) }),
		loops("GameObjects", func(x *ruin) objects { return world.GameObjects(x.s) }),
		loops("All", func(x *ruin) iter.Seq[layout.Row] { return world.All(x.s, ruinLoad) }),
		loops("Named", func(x *ruin) objects { return world.Named(x.s, "same") }),
		loops("Children family.Children", func(x *ruin) objects {
			return family.Children(x.s, ruinAbove, x.ids[0])
		}),
		loops("Ordered.OfKey index.Index.Find", func(x *ruin) objects {
			return index.New(ruinLoad).Find(x.s, 7)
		}),
		loops("Ordered.Between index.Index.Between", func(x *ruin) objects {
			return index.New(ruinLoad).Between(x.s, 0, 1<<31)
		}),
		loops("OrderedTexts.Of index.Text.Find", func(x *ruin) objects {
			return index.OfText(ruinText).Find(x.s, "")
		}),
		loops("OrderedTexts.Between index.Text.Between", func(x *ruin) objects {
			return index.OfText(ruinText).Between(x.s, "", "z")
		}),
		watched("Watcher.Entered", func(x *ruin) objects { return ruinSaw.Entered(x.s) }),
		watched("Watcher.Members", func(x *ruin) objects { return ruinSaw.Members(x.s) }),
		watched("Watcher.Left", func(x *ruin) objects { return ruinSaw.Left(x.s) }),
		keys("tool.Runs", func(x *ruin) iter.Seq2[int, int] { return tool.Runs(x.s, ruinLoad.Kind()) }),
	}
}

// watched is loops over what a look has found, after which the watcher looks again.
func watched(name string, begin func(x *ruin) iter.Seq[world.GameObject]) cutRow {
	row := loops(name, begin)
	row.leaves = anything
	loop := row.begin
	row.begin = func(x *ruin) func() {
		run := loop(x)
		return func() {
			x.s = ruinSaw.Look(x.s)
			for _, id := range x.ids { // so that the next look finds them
				x.s = world.Must(world.Remove(x.s, id, ruinLoad))
			}
			x.s = ruinSaw.Look(x.s)
			for _, id := range x.ids {
				x.s = world.Must(world.Add(x.s, id, ruinLoad))
			}
			if name != "Watcher.Left" {
				x.s = ruinSaw.Look(x.s)
			}
			run()
		}
	}
	return row
}

func callRows() []cutRow {
	fill := func(x *ruin) func(world.Batch) {
		return func(b world.Batch) {
			for i := range world.Column(b, ruinLoad) {
				world.Column(b, ruinLoad)[i] = 1
			}
			x.here()
		}
	}
	return []cutRow{
		calls("SpawnN", asBefore, func(x *ruin) world.State {
			s := world.Must(world.SpawnN(x.s, ruinPlain, 100, fill(x)))
			return world.Must(ruinNew.DisposeAll(s))
		}),
		calls("UpdateParents family.UpdateParents", anything, func(x *ruin) world.State {
			for b := range world.NewQuery(world.Write(ruinLoad)).Up(x.s, ruinAbove) {
				family.UpdateParents(b, ruinLoad, func(_ int, sum *uint32) { *sum++; x.here() })
			}
			return x.s
		}),
		calls("UpdateResource", asBefore, func(x *ruin) world.State {
			return world.UpdateResource(x.s, ruinScore, func(*uint32) { x.here() })
		}),
		calls("Watcher.Listen", anything, func(x *ruin) world.State {
			on := func(s world.State, id world.GameObject) world.State {
				s = world.Must(world.Set(s, id, ruinLoad, 9))
				x.here()
				return world.Advance(s)
			}
			l := ruinSaw.Listen(x.s, on, on)
			s := ruinSaw.Notify(x.s)
			l(s)
			return s
		}),
		calls("stage.Seen.Look", anything, func(x *ruin) world.State {
			return ruinSeen.Look(x.s, ruinLoads.And(world.Changed(ruinLoad)), fill(x))
		}),
		calls("Task.Run", anything, func(x *ruin) world.State {
			return systems.RunTasks(x.s, nil, []systems.Task{x.asTask(0, 1), x.asTask(1, 2)})
		}),
		calls("Written", asItWas, func(x *ruin) world.State {
			return systems.Written(x.s, ruinLoad.Kind(), func(*manager.Manager) { x.here() })
		}),
		calls("Tools.Renewed tool.Empty", asItWas, func(x *ruin) world.State {
			if x.cut == 0 {
				return x.s // or it were empty
			}
			return world.Must(tool.Empty(x.s, func(*tool.Part) int { x.here(); return 0 }))
		}),
		calls("lab.Activate", anything, func(x *ruin) world.State {
			return lab.Activate(x.s, x.ids, func(s world.State, id world.GameObject) world.State {
				x.here()
				return world.Must(world.Set(s, id, ruinLoad, 5))
			})
		}),
		{name: "lab.Fork", leaves: asItWas, begin: func(x *ruin) func() {
			p := taken(x.s)
			return func() {
				require.NoError(x.t, lab.Fork(p, 2, func(s world.State, _ int) (world.State, error) {
					return x.play(s), nil
				}))
			}
		}},
		{name: "heroes.Loop", leaves: asItWas, begin: func(x *ruin) func() {
			return func() {
				heroes.Loop(x.s, 2, func(s world.State) world.State { x.here(); return s })
			}
		}},
	}
}

func stepRows() []cutRow {
	return []cutRow{
		calls("schedule.Job.Run", anything, func(x *ruin) world.State {
			return x.scheduled(schedule.Job{Name: "j", Run: x.job, Queries: []world.Query{ruinLoads}})
		}),
		calls("schedule.Job.Do", anything, func(x *ruin) world.State {
			return x.scheduled(schedule.Job{Name: "j", Do: func(s world.State) (world.State, error) {
				return x.play(s), nil
			}})
		}),
		calls("schedule.Job.When", anything, func(x *ruin) world.State {
			return x.scheduled(schedule.Job{
				Name: "j", Run: x.job, Queries: []world.Query{ruinLoads},
				When: func(world.State) bool { x.here(); return true },
			})
		}),
		calls("schedule.Schedule.Clock schedule.Schedule.Trace schedule.Schedule.Span", anything, func(x *ruin) world.State {
			return x.traced()
		}),
		calls("stage.System.Init stage.System.Enter stage.System.FirstUpdate stage.System.Update "+
			"stage.System.Leave stage.System.DrawGizmos stage.System.Destroy", anything,
			func(x *ruin) world.State { return x.staged() }),
		calls("stage.Stage.Fixed stage.Stage.Update stage.Stage.DrawGizmos stage.StartUpStep.Run "+
			"stage.Timed.Fixed stage.Timed.Update", anything,
			func(x *ruin) world.State { return x.launched() }),
		{name: "history.History.Resimulate", leaves: anything, begin: func(x *ruin) func() {
			h := world.Must(history.New(x.s, 3, 0))
			x.t.Cleanup(h.Close)
			for range 3 {
				require.NoError(x.t, h.Record(x.s, nil))
				x.s = world.Advance(x.s)
			}
			return func() {
				if x.cut == 0 {
					require.False(x.t, history.Resimulating(x.s))
				}
				s, err := h.Resimulate(x.s, 0, func(s world.State, _ []byte) world.State {
					return dropped(x.play(s))
				})
				require.NoError(x.t, err)
				x.s = s
			}
		}},
		{name: "timeline.Options.Step", leaves: anything, begin: (*ruin).timed},
		{name: "session.Options.Step", leaves: anything, begin: func(x *ruin) func() {
			p := world.Must(session.New(x.s, session.Options{
				Links: []link.Link{nil, silence{}}, Window: 8, Step: x.stepped,
			}))
			x.t.Cleanup(p.Close)
			return func() { x.s, _ = p.Advance(x.s, nil) }
		}},
		{name: "session.NewSyncTest", leaves: anything, begin: func(x *ruin) func() {
			p := world.Must(session.NewSyncTest(x.s, 2, 0, x.stepped))
			x.t.Cleanup(p.Close)
			return func() { x.s = world.Must(p.Advance(x.s, nil)) }
		}},
	}
}

// stepped is play without what it has recorded.
func (x *ruin) stepped(s world.State, _ []byte) world.State { return dropped(x.play(s)) }

// dropped returns the State after the recorded commands were carried out.
func dropped(s world.State) world.State {
	s, _ = world.Apply(s)
	return s
}

// A silence is a link without another end.
type silence struct{}

func (silence) Send([]byte)             {}
func (silence) Receive() ([]byte, bool) { return nil, false }

func (x *ruin) scheduled(j schedule.Job) world.State {
	var p schedule.Schedule
	return x.pipeline(&p, j)
}

func (x *ruin) pipeline(p *schedule.Schedule, j schedule.Job) world.State {
	require.NoError(x.t, p.Register(schedule.Pipeline{
		Name: "p", Groups: []schedule.Group{{Name: "all", Elements: []string{j.Name}}},
		Jobs: []schedule.Job{j},
	}))
	return world.Must(p.Run(x.s, "p"))
}

func (x *ruin) traced() world.State {
	p := schedule.Schedule{
		Clock: func() time.Duration { x.here(); return 0 },
		Span:  func(string, time.Duration, time.Duration) { x.here() },
		Trace: func(*schedule.Job, world.State) func(world.State) {
			x.here()
			return func(world.State) { x.here() }
		},
	}
	return x.pipeline(&p, schedule.Job{Name: "j", Run: x.job, Queries: []world.Query{ruinLoads}})
}

func (x *ruin) staged() world.State {
	on := func(s world.State) world.State { x.here(); return dropped(x.play(s)) }
	var root stage.Root
	require.NoError(x.t, root.Add(stage.System{
		Name: "all", Watcher: ruinSaw, Init: on, Enter: on, FirstUpdate: on, Leave: on, Destroy: on,
		Update: func(s world.State, _ float32) world.State { return on(s) },
		DrawGizmos: func(s world.State, _ *stage.Gizmos) world.State {
			x.here()
			return s
		},
	}))
	x.s = root.Update(root.Init(x.s), 1)
	x.s, _ = world.Remove(x.s, x.ids[2], ruinLoad)
	x.s = root.DrawGizmos(root.Update(x.s, 1), stage.NewGizmos(1))
	s, _, err := world.Ensure(root.Clear(x.s), x.ids[2], ruinLoad)
	require.NoError(x.t, err)
	return s
}

func (x *ruin) launched() world.State {
	l := stage.Launcher{
		StartUp: []stage.StartUpStep{{Run: func(s world.State) (world.State, error) {
			return dropped(x.play(s)), nil
		}}},
		Stages: []stage.Stage{{
			Fixed:      func(s world.State, _ float32) world.State { return dropped(x.play(s)) },
			Update:     func(s world.State, _, _ float32) world.State { return dropped(x.play(s)) },
			DrawGizmos: func(s world.State) world.State { x.here(); return s },
		}},
	}
	timed := stage.Timed{Step: time.Second, Fixed: l.FixedUpdate, Update: l.Update}
	s := world.Must(l.Launch(x.s))
	timed.Start()
	s = timed.Frame(timed.Frame(s, 0), time.Second)
	return l.DrawGizmos(s)
}

// timed is of a world without Go values, which a timeline does not keep.
func (x *ruin) timed() func() {
	world.Close(x.s)
	x.counts.Kinds = slices.DeleteFunc(x.counts.Kinds, func(c layout.Count) bool {
		return c.Kind == ruinWord.Kind()
	})
	x.s = world.Must(world.CreateState(x.counts))
	for i := range x.ids {
		x.s, x.ids[i] = world.Must2(world.Spawn(x.s, ruinPlain))
		x.s = world.Must(world.Add(x.s, x.ids[i], ruinAim))
	}
	past := world.Must(timeline.New(x.s, timeline.Options{Frames: 9, Every: 9, Step: x.stepped}))
	x.t.Cleanup(past.Close)
	for range 2 {
		require.NoError(x.t, past.Record(x.s, nil))
		cut := x.cut
		x.cut = 0
		x.s = x.stepped(x.s, nil)
		x.cut, x.calls = cut, 0
	}
	return func() {
		want := world.Digest(world.Must(past.At(2)))
		x.s = world.Must(past.Rollback(x.s, 1))
		if x.cut == 0 {
			require.NoError(x.t, past.Record(x.s, nil))
			x.s = x.stepped(x.s, nil)
			require.Equal(x.t, want, world.Digest(x.s))
		} else {
			require.NoError(x.t, past.Record(x.s, nil)) // for the next call
		}
	}
}

// saves saves the world, and loads it.
func (x *ruin) saves(o save.Options) {
	var file bytes.Buffer
	require.NoError(x.t, save.Write(&file, x.s, o))
	s, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), x.counts, o)
	require.NoError(x.t, err)
	world.Close(s)
}

func fileRowsCut() []cutRow {
	return []cutRow{
		{name: "save.Values", leaves: asItWas, begin: func(x *ruin) func() {
			o := save.Options{Codecs: []save.Codec{wordCodec(x.here)}}
			return func() { x.saves(o) }
		}},
		{name: "save.Options.Progress", leaves: asItWas, begin: func(x *ruin) func() {
			o := save.Options{
				Codecs:   []save.Codec{wordCodec(func() {})},
				Progress: func(int64, int64) { x.here() },
			}
			return func() { x.saves(o) }
		}},
		{name: "pack.Packer.Find", leaves: asItWas, begin: func(x *ruin) func() {
			p := pack.Packer{
				Codecs: []save.Codec{wordCodec(func() {})},
				Find:   func(world.GameObject) world.GameObject { x.here(); return world.Nobody },
			}
			x.s = world.Must(world.Set(x.s, x.ids[0], ruinAim, x.ids[2]))
			return func() {
				b, err := p.Pack(nil, x.s, x.ids[0])
				require.NoError(x.t, err)
				s, _, err := p.Unpack(nil, x.s, b)
				require.NoError(x.t, err)
				x.s = s
			}
		}},
	}
}

const (
	ofNoWorld  = "no world is at hand, or none that is being changed"
	inPrograms = "TestWhatIsCutShortInOtherPrograms cuts it short"
	likeRows   = "as the row of a function beside it, which calls it"
)

// notCutShort says why a function of the program has no row.
var notCutShort = map[string]string{
	"EventKeeper.Keep": "package replica alone sets it, before an event is written", "FindRing": ofNoWorld, "tool.ParseList": ofNoWorld, "tool.ParseText": ofNoWorld,
	"tool.TextNaming": ofNoWorld, "tool.Reserve": ofNoWorld, "mask.Mask.All": ofNoWorld,
	"stage.Clock": ofNoWorld, "save.Migrate": "it writes to a world that Load closes",
	"save.Shared":     likeRows,
	"space.View.Near": ofNoWorld, "space.View.NearEach": ofNoWorld, "space.View.Rect": ofNoWorld,
	"space.View.Pairs": ofNoWorld, "space.View.PairsOf": ofNoWorld, "lab.Table.Mean": ofNoWorld,
	"network.Network.Neighbours": likeRows, "timeline.Open": likeRows,
	"record.Replay": "the world is its own", "record.File.Replay": "the world is its own",
	"hand.Hand.OnOffer": inPrograms, "hand.Hand.Keep": inPrograms, "hand.Offer.OnRefused": inPrograms,
	"hand.Supervisor.Told": inPrograms, "hand.Main": inPrograms,
}
