package world_test

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/session"
)

// A room is where one call is made: a world, and what belongs to it.
type room struct {
	*exhibit
	t    *testing.T
	ends []func()
}

func newRoom(t *testing.T) *room { return &room{newExhibit(), t, nil} }

func (g *room) close() {
	for _, end := range g.ends {
		end()
	}
}

// later has f called when the room is not needed any more.
func (g *room) later(f func()) { g.ends = append(g.ends, f) }

// A listing is a good value of a type, and bad ones by what they are.
type listing struct {
	good func(g *room) any
	bad  map[string]func(g *room) any
}

type bads = map[string]func(g *room) any

// list notes values of type T.
func list[T any](all map[reflect.Type]listing, good func(g *room) T, bad bads) {
	all[reflect.TypeFor[T]()] = listing{func(g *room) any { return good(g) }, bad}
}

// listed returns the values of every type that needs some of its own.
var listed = sync.OnceValue(func() map[reflect.Type]listing {
	all := map[reflect.Type]listing{}
	listWorlds(all)
	listDeclarations(all)
	listHandles(all)
	listPrograms(all)
	listFiles(all)
	listSessions(all)
	return all
})

// Handles that the worlds of rooms know nothing of.
var (
	foreignField   = layout.NewField[float32]("foreign", 1)
	foreignKind    = layout.NewKind("foreign kind", foreignField)
	kindlessField  = layout.NewField[float32]("kindless", 1)
	foreignNames   = layout.NewValues("foreign names", "")
	foreignRecipe  = world.NewRecipe("foreign recipe", foreignKind)
	foreignQuery   = world.NewQuery(world.Read(foreignKind))
	foreignWatcher = world.NewWatcher(foreignQuery)
	foreignEvents  = world.NewEvents("foreign events")
	foreignReader  = foreignEvents.NewReader("foreign reader")
	foreignScreen  = world.NewResource("foreign resource", layout.NewField[uint8]("foreign", 1))
	foreignShared  = world.NewShared("foreign shared", "")
)

// foreign returns a world that has nothing of the room's.
func foreign() world.State { return must(world.CreateState(world.Counts{GameObjects: 1})) }

// closed returns what f makes of a world that is closed then.
func closed[T any](f func(s world.State) T) func(*room) any {
	return func(*room) any {
		s := newExhibit().s
		v := f(s)
		world.Close(s)
		return v
	}
}

func listWorlds(all map[reflect.Type]listing) {
	list(all, func(g *room) world.State { return g.s }, bads{
		"of a closed world": closed(func(s world.State) world.State { return s }),
		"a foreign world":   func(*room) any { return foreign() },
		"a snapshot's":      func(g *room) any { return taken(g.s).State() },
	})
	list(all, func(g *room) world.GameObject { return g.full }, bads{
		"bare":     func(g *room) any { return g.bare },
		"dead":     func(g *room) any { return g.dead },
		"far":      func(*room) any { return world.GameObject(1<<32 | 1<<31) },
		"recorded": func(*room) any { return world.Record(newExhibit().s).Create() },
	})
	list(all, func(g *room) *world.Snapshot { return taken(g.s) }, bads{
		"empty": func(g *room) any { return must(world.NewSnapshot(g.s)) },
		"of another world": func(*room) any {
			return taken(foreign())
		},
	})
	list(all, func(*room) world.Counts { return exhibitCounts() }, bads{
		"negative":        func(*room) any { return world.Counts{GameObjects: -1} },
		"huge":            func(*room) any { return world.Counts{GameObjects: 1 << 40} },
		"kind zero":       func(*room) any { return world.Counts{Kinds: []layout.Count{{Rows: 1}}} },
		"recipe zero":     func(*room) any { return world.Counts{GameObjects: 1, Recipes: make([]world.Recipe, 1)} },
		"recipe foreign":  func(*room) any { return world.Counts{GameObjects: 1, Recipes: []world.Recipe{foreignRecipe}} },
		"query zero":      func(*room) any { return world.Counts{GameObjects: 1, Queries: make([]world.Query, 1)} },
		"query foreign":   func(*room) any { return world.Counts{GameObjects: 1, Queries: []world.Query{foreignQuery}} },
		"watcher zero":    func(*room) any { return world.Counts{GameObjects: 1, Watchers: make([]world.Watcher, 1)} },
		"watcher foreign": func(*room) any { return world.Counts{GameObjects: 1, Watchers: []world.Watcher{foreignWatcher}} },
		"resource zero":   func(*room) any { return world.Counts{GameObjects: 1, Resources: make([]world.ResourceKind, 1)} },
		"events zero":     func(*room) any { return world.Counts{GameObjects: 1, Events: make([]world.EventCount, 1)} },
		"walks negative":  func(*room) any { return world.Counts{GameObjects: 1, Walks: -1} },
		"walks huge":      func(*room) any { return world.Counts{GameObjects: 1, Walks: 1 << 40} },
		"tasks negative":  func(*room) any { return world.Counts{GameObjects: 1, Tasks: -1} },
		"tasks huge":      func(*room) any { return world.Counts{GameObjects: 1, Tasks: 1 << 40} },
		"commands huge":   func(*room) any { return world.Counts{GameObjects: 1, Commands: 1 << 60} },
		"names negative":  func(*room) any { return world.Counts{GameObjects: 1, Names: -1} },
	})
}

func listDeclarations(all map[reflect.Type]listing) {
	list(all, func(*room) world.Kind { return busyMixed }, bads{
		"foreign":    func(*room) any { return foreignKind },
		"a mark":     func(*room) any { return busyMark },
		"of values":  func(*room) any { return busyNames.Kind() },
		"of a field": func(*room) any { return exhibitPicture.Values().Kind() },
		"names":      func(*room) any { return world.NameKind },
	})
	list(all, func(*room) layout.Field[float32] { return world.Speed }, bads{
		"foreign":  func(*room) any { return foreignField },
		"kindless": func(*room) any { return kindlessField },
		"event's":  func(*room) any { return exhibitPower },
		"wide":     func(*room) any { return busyPair },
	})
	list(all, func(*room) layout.AnyField { return layout.NewField[uint8]("good", 1) }, bads{
		"a zero field": func(*room) any { return layout.Field[float32]{} },
		"taken":        func(*room) any { return foreignField },
	})
	list(all, func(*room) layout.Access { return busyMixed }, bads{
		"a zero field":   func(*room) any { return layout.Field[float32]{} },
		"a zero kind":    func(*room) any { return world.Kind{} },
		"a mark":         func(*room) any { return busyMark },
		"kindless":       func(*room) any { return kindlessField },
		"not comparable": func(*room) any { return accesses{} },
	})
	list(all, func(*room) layout.FieldValue { return busyCount.Value(2) }, bads{
		"foreign": func(*room) any { return foreignField.Value(2) },
		"short":   func(*room) any { return layout.FieldValue{Field: busyCount.Spec()} },
	})
	list(all, func(*room) layout.Count { return busyMixed.Count(1) }, bads{
		"negative": func(*room) any { return busyMixed.Count(-1) },
	})
	list(all, func(*room) layout.Values[string] { return busyNames }, bads{
		"foreign": func(*room) any { return foreignNames },
	})
	list(all, func(*room) *layout.FieldSpec { return busyCount.Spec() }, nil)
	list(all, func(*room) *layout.KindSpec { return busyMixed.Spec() }, nil)
	list(all, func(*room) layout.ValueSpec { return layout.Bytes }, nil)
	list(all, func(*room) *layout.Column[string] {
		return foreignNames.Kind().Spec().Values.Make(3).(*layout.Column[string])
	}, nil)
	list(all, func(*room) layout.ValueColumn {
		return foreignNames.Kind().Spec().Values.Make(3)
	}, bads{"of bytes": func(*room) any { return layout.Bytes.Make(1) }})
	list(all, func(*room) layout.Mask { return layout.NewMask(1, 70) }, nil)
}

// accesses are a layout.Access that cannot be compared.
type accesses []int

func (accesses) Fields() []*layout.FieldSpec { return nil }

func listHandles(all map[reflect.Type]listing) {
	list(all, func(*room) world.Recipe { return busyBoats }, bads{
		"foreign": func(*room) any { return foreignRecipe },
	})
	list(all, func(*room) world.Query { return exhibitedSince }, bads{
		"foreign":       func(*room) any { return foreignQuery },
		"contradictory": func(*room) any { return exhibited.And(world.Without(busyMixed)) },
		"of zero kinds": func(*room) any { return world.NewQuery(world.With(world.Kind{})) },
		"of zero fields": func(*room) any {
			return world.NewQuery(world.Read(layout.Field[float32]{}))
		},
		"of nothing that can be read": func(*room) any { return world.NewQuery(world.Read(busyMark)) },
		"row-wise":                    func(*room) any { return exhibited.And(world.RowWise()) },
	})
	list(all, func(*room) world.Term { return world.With(busyMixed) }, bads{
		"of zero kinds":  func(*room) any { return world.With(world.Kind{}) },
		"of zero fields": func(*room) any { return world.Read(layout.Field[float32]{}) },
		"of nil":         func(*room) any { return world.Read(nil) },
	})
	list(all, func(*room) world.Watcher { return exhibitWatcher }, bads{
		"foreign":      func(*room) any { return foreignWatcher },
		"of no query":  func(*room) any { return world.NewWatcher(world.Query{}) },
		"not of world": func(*room) any { return world.NewWatcher(exhibited) },
	})
	list(all, func(g *room) world.Listener {
		return world.Listen(g.s, exhibitWatcher, nil, nil)
	}, bads{
		"foreign": func(*room) any { return world.Listen(newExhibit().s, exhibitWatcher, nil, nil) },
	})
	list(all, func(*room) world.Events { return exhibitHits }, bads{
		"foreign": func(*room) any { return foreignEvents },
	})
	list(all, func(*room) world.EventReader { return exhibitReader }, bads{
		"foreign": func(*room) any { return foreignReader },
	})
	unread := func(s world.State) world.Received {
		r, _ := world.Unread(s, exhibitReader)
		return r
	}
	list(all, func(g *room) world.Received { return unread(g.s) }, bads{
		"of a closed world": closed(unread),
	})
	list(all, func(g *room) world.EventBatch { return unread(g.s).Batches()[0] }, bads{
		"of a closed world": closed(func(s world.State) world.EventBatch {
			return unread(s).Batches()[0]
		}),
	})
	list(all, func(*room) world.ResourceKind { return exhibitScreen }, bads{
		"foreign": func(*room) any { return foreignScreen },
	})
	list(all, func(*room) world.Shared[string] { return exhibitPicture }, bads{
		"foreign": func(*room) any { return foreignShared },
	})
	list(all, func(g *room) world.Commands { return world.Record(g.s) }, bads{
		"of a closed world": closed(world.Record),
		"of another world":  func(*room) any { return world.Record(foreign()) },
	})
	list(all, func(g *room) *world.Reader[float32] {
		r := world.Open(g.s, world.Speed)
		return &r
	}, bads{
		"of a closed world": closed(func(s world.State) *world.Reader[float32] {
			r := world.Open(s, world.Speed)
			return &r
		}),
	})
	list(all, func(g *room) world.Batch { return g.batch(g.s) }, bads{
		"over": func(g *room) any {
			var last world.Batch
			inBatch(g.s, func(b world.Batch) { last = b })
			return last
		},
		"of a closed world": closed(func(s world.State) (last world.Batch) {
			inBatch(s, func(b world.Batch) { last = b })
			return last
		}),
		"of a snapshot": func(g *room) any { return g.batch(taken(g.s).State()) },
	})
	list(all, func(g *room) *world.Part { return &world.Parts(g.s)[1] }, bads{
		"foreign": func(*room) any { return &world.Parts(foreign())[2] },
	})
}

var roomQuery = world.NewQuery(
	world.Read(busyMixed), world.Read(world.Speed), world.Optional(world.XYZ))

// batch returns the first batch of a walk that is open.
func (g *room) batch(s world.State) world.Batch {
	next, stop := iter.Pull(roomQuery.In(s))
	g.later(stop)
	b, _ := next()
	return b
}

func listPrograms(all map[reflect.Type]listing) {
	list(all, func(*room) world.Renderer { return silent{} }, nil)
	list(all, func(*room) context.Context {
		ctx, end := context.WithCancel(context.Background())
		end()
		return ctx
	}, nil)
	list(all, func(*room) error { return errContract }, nil)
	list(all, func(*room) any { return 1 }, nil)
	list(all, func(g *room) *world.Workers {
		w := world.NewWorkers(2)
		g.later(w.Close)
		return w
	}, bads{"closed": func(*room) any {
		w := world.NewWorkers(2)
		w.Close()
		return w
	}})
	list(all, func(*room) world.Task { return world.Task{Run: []func(world.State) world.State{calm}} },
		bads{
			"of nil": func(*room) any { return world.Task{Run: make([]func(world.State) world.State, 1)} },
			"of a zero query": func(*room) any {
				return world.Task{Queries: make([]world.Query, 1)}
			},
			"backwards": func(*room) any { return world.Task{First: 1 << 31, End: 3, Fuse: 1 << 31} },
			"one that walks what it does not list": func(*room) any {
				return world.Task{Run: []func(world.State) world.State{world.MoveAll}}
			},
			"one that changes": func(*room) any {
				return world.Task{Run: []func(world.State) world.State{world.Advance}}
			},
		})
	list(all, func(g *room) *world.History { return recorded(g.s) }, bads{
		"empty": func(g *room) any { return must(world.NewHistory(g.s, 2, 1)) },
		"far": func(g *room) any {
			h := must(world.NewHistory(g.s, 2, 1))
			h.Restart(int(^uint(0) >> 1))
			return h
		},
		"of another world": func(*room) any { return recorded(foreign()) },
	})
	list(all, func(*room) []byte { return []byte{1} }, nil)
	list(all, func(*room) *world.Gizmos { return world.NewGizmos(1) }, nil)
	list(all, func(*room) *world.TimedLoop { return timedLoop() }, bads{
		"negative":     func(*room) any { return &world.TimedLoop{Step: -1} },
		"without step": func(*room) any { return &world.TimedLoop{Fixed: nothing1} },
		"one that loses the State": func(*room) any {
			l := timedLoop()
			l.Update = nothing2
			l.Start()
			return l
		},
		"one that loses the State in a step": func(*room) any {
			l := timedLoop()
			l.Step, l.Fixed = 1, nothing1
			l.StepOnce()
			l.Start()
			l.StepOnce()
			return l
		},
	})
	listRoots(all)
	listSchedules(all)
}

// calm leaves a State as it is; the others lose it.
func calm(s world.State) world.State                         { return s }
func nothing(world.State) world.State                        { return world.State{} }
func nothing1(world.State, float32) world.State              { return world.State{} }
func nothing2(world.State, float32, float32) world.State     { return world.State{} }
func nothingDrawn(world.State, *world.Gizmos) world.State    { return world.State{} }
func nothingDone(world.State) (world.State, error)           { return world.State{}, nil }
func nothingHeard(world.State, world.GameObject) world.State { return world.State{} }
func nothingStepped(world.State, []byte) (s world.State)     { return s }

func listRoots(all map[reflect.Type]listing) {
	rooted := func(h world.Hooks) func(*room) any {
		return func(*room) any {
			r := &world.Root{}
			if err := r.Add(h); err != nil {
				panic(err)
			}
			return r
		}
	}
	good := world.Hooks{Name: "name", Watcher: exhibitWatcher, Init: calm}
	list(all, func(*room) world.Hooks { return good }, bads{
		"without a watcher": func(*room) any { return world.Hooks{Name: "name", Enter: calm} },
		"foreign":           func(*room) any { return world.Hooks{Watcher: foreignWatcher} },
	})
	list(all, func(g *room) *world.Root { return rooted(good)(g).(*world.Root) }, bads{
		"foreign": rooted(world.Hooks{Name: "name", Watcher: foreignWatcher}),
		"one whose hooks lose the State": rooted(world.Hooks{
			Name: "name", Init: nothing, Update: nothing1, DrawGizmos: nothingDrawn,
			Destroy: nothing,
		}),
		"one whose hooks for objects lose the State": rooted(world.Hooks{
			Name: "name", Watcher: exhibitWatcher, Enter: nothing, FirstUpdate: nothing,
			Leave: nothing, Destroy: nothing,
		}),
		"of an unknown order": func(*room) any {
			r := rooted(good)(nil).(*world.Root)
			r.Order = 200
			return r
		},
	})
	list(all, func(*room) *world.Hooks { return &world.Hooks{Watcher: exhibitWatcher} }, bads{
		"foreign": func(*room) any { return &world.Hooks{Watcher: foreignWatcher} },
	})
	list(all, func(*room) *world.Launcher {
		return &world.Launcher{Stages: []world.Stage{{}}}
	}, bads{
		"one that is done by nobody": func(*room) any {
			return &world.Launcher{StartUp: make([]world.StartUpStep, 1)}
		},
		"one whose stages lose the State": func(*room) any {
			return &world.Launcher{Stages: []world.Stage{
				{Name: "name", Fixed: nothing1, Update: nothing2, DrawGizmos: nothing},
			}}
		},
		"one whose start loses the State": func(*room) any {
			return &world.Launcher{StartUp: []world.StartUpStep{{Name: "name", Run: nothingDone}}}
		},
	})
}

func listSchedules(all map[reflect.Type]listing) {
	pipeline := func(jobs ...world.Job) world.Pipeline {
		p := world.Pipeline{Name: "name", Groups: []world.Group{{Name: "whole"}}, Jobs: jobs}
		for _, j := range jobs {
			p.Groups[0].Elements = append(p.Groups[0].Elements, j.Name)
		}
		return p
	}
	scheduled := func(jobs ...world.Job) func(*room) any {
		return func(*room) any {
			s := world.NewSchedule(1)
			if err := s.Register(pipeline(jobs...)); err != nil {
				panic(err)
			}
			return s
		}
	}
	good := world.Job{Name: "job", Run: calm}
	list(all, func(*room) world.Pipeline { return pipeline(good) }, bads{
		"without elements": func(*room) any { return world.Pipeline{Groups: make([]world.Group, 1)} },
		"of a zero query": func(*room) any {
			return pipeline(world.Job{Name: "job", Run: calm, Queries: make([]world.Query, 1)})
		},
		"of unknown links": func(*room) any {
			p := pipeline(good)
			p.Groups[0].Link = 200
			return p
		},
		"of zero queries side by side": func(*room) any {
			p := pipeline(good, world.Job{Name: "b", Run: calm, Queries: make([]world.Query, 1)},
				world.Job{Name: "c", Run: calm, Queries: make([]world.Query, 1)})
			p.Groups[0].Link = world.Merge
			return p
		},
	})
	list(all, func(g *room) *world.Schedule { return scheduled(good)(g).(*world.Schedule) }, bads{
		"closed": func(g *room) any {
			s := world.NewSchedule(2)
			s.Close()
			return s
		},
		"one that loses the State": scheduled(world.Job{Name: "job", Do: nothingDone}),
		"one that does not list what it walks": scheduled(world.Job{
			Name: "job", Run: world.MoveAll,
		}),
		"one of a zero query": scheduled(world.Job{
			Name: "job", Run: calm, Queries: make([]world.Query, 1),
		}),
	})
}

// roomFile returns a file of an exhibit, and the options to read and write such.
func roomFile(g *room) (path string, o save.Options) {
	text := func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil }
	parse := func(b []byte) (string, error) { return string(b), nil }
	o = save.Options{Codecs: []save.Codec{
		save.Values(busyNames, text, parse), save.Shared(exhibitPicture, text, parse),
	}}
	path = filepath.Join(g.t.TempDir(), "exhibit")
	require.NoError(g.t, save.Save(path, newExhibit().s, o))
	return path, o
}

func listFiles(all map[reflect.Type]listing) {
	options := func(g *room) save.Options {
		_, o := roomFile(g)
		return o
	}
	list(all, options, bads{
		"of zero codecs":     func(*room) any { return save.Options{Codecs: make([]save.Codec, 1)} },
		"of zero migrations": func(*room) any { return save.Options{Migrations: make([]save.Migration, 1)} },
		"of codecs of nil": func(*room) any {
			return save.Options{Codecs: []save.Codec{
				save.Values[string](busyNames, nil, nil), save.Shared[string](exhibitPicture, nil, nil),
			}}
		},
	})
	file := func(g *room) *save.File {
		path, _ := roomFile(g)
		f := must(save.Open(path))
		g.later(func() { _ = f.Close() })
		return f
	}
	list(all, file, bads{"closed": func(g *room) any {
		f := file(g)
		_ = f.Close()
		return f
	}})
	saver := func(g *room) *save.Saver {
		path, o := roomFile(g)
		return must(save.NewSaver(path, g.s, o))
	}
	list(all, func(g *room) *save.Saver {
		v := saver(g)
		g.later(func() {
			defer func() { _ = recover() }()
			_ = v.Close()
		})
		return v
	}, bads{"closed": func(g *room) any {
		v := saver(g)
		_ = v.Close()
		return v
	}})
	list(all, func(*room) io.Writer { return io.Discard }, nil)
	list(all, func(g *room) io.ReaderAt {
		path, _ := roomFile(g)
		return bytes.NewReader(must(os.ReadFile(path)))
	}, bads{"empty": func(*room) any { return bytes.NewReader(nil) }})
}

func listSessions(all map[reflect.Type]listing) {
	options := func(*room) session.Options {
		return session.Options{
			Links: session.NewNetwork(2, session.Conditions{}).Links(0), InputBytes: 1,
			Step: func(s world.State, _ []byte) world.State { return world.MoveAll(s) },
		}
	}
	list(all, options, bads{
		"without a step": func(*room) any {
			o := options(nil)
			o.Step = nil
			return o
		},
		"without links": func(*room) any {
			o := options(nil)
			o.Links = make([]session.Link, 2)
			return o
		},
		"of huge frames": func(*room) any {
			o := options(nil)
			o.Frames = 1 << 40
			return o
		},
		"of negative frames": func(*room) any {
			o := options(nil)
			o.Frames = -1 << 40
			return o
		},
		"one that loses the State": func(*room) any {
			o := options(nil)
			o.Step = nothingStepped
			return o
		},
	})
	begun := func(g *room, o session.Options) *session.Session { return must(session.New(g.s, o)) }
	list(all, func(g *room) *session.Session { return begun(g, options(g)) }, bads{
		"one that loses the State": func(g *room) any {
			o := options(g)
			o.Step = nothingStepped
			return begun(g, o)
		},
	})
	list(all, func(*room) *session.Network {
		return session.NewNetwork(2, session.Conditions{})
	}, nil)
	list(all, func(g *room) *session.SyncTest {
		return must(session.NewSyncTest(g.s, 1, 1, options(g).Step))
	}, bads{
		"one that loses the State": func(g *room) any {
			return must(session.NewSyncTest(g.s, 1, 1, nothingStepped))
		},
	})
	list(all, func(*room) inspect.Options {
		return inspect.Options{Clock: world.Clock(time.Now)}
	}, bads{
		"absurd": func(*room) any {
			return inspect.Options{Clock: world.Clock(time.Now), Rate: 1 << 40, Window: -1}
		},
	})
	list(all, func(g *room) *inspect.Inspector {
		return must(inspect.New(g.s, inspect.Options{Clock: world.Clock(time.Now)}))
	}, nil)
	list(all, func(g *room) net.Listener {
		l := must(net.Listen("tcp", "127.0.0.1:0"))
		g.later(func() { _ = l.Close() })
		return l
	}, bads{"closed": func(*room) any {
		l := must(net.Listen("tcp", "127.0.0.1:0"))
		_ = l.Close()
		return l
	}})
}
