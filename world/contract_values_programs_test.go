package world_test

import (
	"bytes"
	"context"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/replica"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/session"
	"github.com/flatecs/flatecs/world/share"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
)

func listPrograms(all map[reflect.Type]listing) {
	list(all, func(g *room) systems.Tools { return systems.ToolsOf(g.s) }, nil)
	list(all, func(*room) heroes.Renderer { return silent{} }, nil)
	list(all, func(*room) context.Context { return ended }, nil)
	list(all, func(*room) error { return errContract }, nil)
	list(all, func(*room) any { return 1 }, nil)
	list(all, func(g *room) *systems.Workers {
		w := systems.NewWorkers(2)
		g.later(w.Close)
		return w
	}, bads{"closed": func(*room) any {
		w := systems.NewWorkers(2)
		w.Close()
		return w
	}})
	list(all, func(*room) systems.Task {
		return systems.Task{Run: []func(world.State) world.State{calm}}
	}, bads{
		"of nil":          systems.Task{Run: make([]func(world.State) world.State, 1)},
		"of a zero query": systems.Task{Queries: make([]world.Query, 1)},
		"backwards":       systems.Task{First: 1 << 31, End: 3, Fuse: 1 << 31},
		"one that walks what it does not list": systems.Task{
			Run: []func(world.State) world.State{heroes.MoveAll},
		},
		"one that changes": systems.Task{
			Run: []func(world.State) world.State{world.Advance},
		},
	})
	list(all, func(g *room) *history.History {
		h := recorded(g.s)
		g.later(h.Close)
		return h
	}, bads{
		"empty": func(g *room) any { return world.Must(history.New(g.s, 2, 1)) },
		"far": func(g *room) any {
			h := world.Must(history.New(g.s, 2, 1))
			h.Restart(int(^uint(0) >> 1))
			return h
		},
		"of another world": func(*room) any { return recorded(foreign()) },
	})
	list(all, func(g *room) *pool.Pool {
		p := world.Must(pool.New(g.keeping().State(), 2))
		g.later(p.Close)
		return p
	}, bads{"closed": func(g *room) any {
		p := world.Must(pool.New(g.keeping().State(), 1))
		p.Close()
		return p
	}})
	list(all, func(*room) []byte { return []byte{1} }, nil)
	listLoops(all)
	listRoots(all)
	listSchedules(all)
}

func listLoops(all map[reflect.Type]listing) {
	list(all, func(*room) *stage.Gizmos { return stage.NewGizmos(1) }, nil)
	list(all, func(*room) *stage.Timed { return timedLoop() }, bads{
		"negative":     func(*room) any { return &stage.Timed{Step: -1} },
		"without step": func(*room) any { return &stage.Timed{Fixed: nothing1} },
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
}

// calm leaves a State as it is; the others lose it.
func calm(s world.State) world.State                      { return s }
func nothing(world.State) world.State                     { return world.State{} }
func nothing1(world.State, float32) world.State           { return world.State{} }
func nothing2(world.State, float32, float32) world.State  { return world.State{} }
func nothingDrawn(world.State, *stage.Gizmos) world.State { return world.State{} }
func nothingDone(world.State) (world.State, error)        { return world.State{}, nil }
func nothingStepped(world.State, []byte) (s world.State)  { return s }

func listRoots(all map[reflect.Type]listing) {
	rooted := func(h stage.System) func(*room) any {
		return func(*room) any {
			r := &stage.Root{}
			if err := r.Add(h); err != nil {
				panic(err)
			}
			return r
		}
	}
	good := stage.System{Name: "name", Watcher: exhibitWatcher, Init: calm}
	list(all, func(*room) stage.System { return good }, bads{
		"without a watcher": stage.System{Name: "name", Enter: calm},
		"foreign":           stage.System{Watcher: foreignWatcher},
	})
	list(all, func(g *room) *stage.Root { return rooted(good)(g).(*stage.Root) }, bads{
		"foreign": rooted(stage.System{Name: "name", Watcher: foreignWatcher}),
		"one whose hooks lose the State": rooted(stage.System{
			Name: "name", Init: nothing, Update: nothing1, DrawGizmos: nothingDrawn,
			Destroy: nothing,
		}),
		"one whose hooks for objects lose the State": rooted(stage.System{
			Name: "name", Watcher: exhibitWatcher, Enter: nothing, FirstUpdate: nothing,
			Leave: nothing, Destroy: nothing,
		}),
		"of an unknown order": func(*room) any {
			r := rooted(good)(nil).(*stage.Root)
			r.Order = 200
			return r
		},
	})
	list(all, func(*room) *stage.System { return &stage.System{Watcher: exhibitWatcher} }, bads{
		"foreign": func(*room) any { return &stage.System{Watcher: foreignWatcher} },
	})
	list(all, func(*room) *stage.Launcher {
		return &stage.Launcher{Stages: []stage.Stage{{}}}
	}, bads{
		"one that is done by nobody": func(*room) any {
			return &stage.Launcher{StartUp: make([]stage.StartUpStep, 1)}
		},
		"one whose stages lose the State": func(*room) any {
			return &stage.Launcher{Stages: []stage.Stage{
				{Name: "name", Fixed: nothing1, Update: nothing2, DrawGizmos: nothing},
			}}
		},
		"one whose start loses the State": func(*room) any {
			return &stage.Launcher{StartUp: []stage.StartUpStep{{Name: "name", Run: nothingDone}}}
		},
	})
}

func listSchedules(all map[reflect.Type]listing) {
	pipeline := func(jobs ...schedule.Job) schedule.Pipeline {
		p := schedule.Pipeline{Name: "name", Groups: []schedule.Group{{Name: "whole"}}, Jobs: jobs}
		for _, j := range jobs {
			p.Groups[0].Elements = append(p.Groups[0].Elements, j.Name)
		}
		return p
	}
	scheduled := func(jobs ...schedule.Job) func(*room) any {
		return func(*room) any {
			s := schedule.New(1)
			if err := s.Register(pipeline(jobs...)); err != nil {
				panic(err)
			}
			return s
		}
	}
	good := schedule.Job{Name: "job", Run: calm}
	list(all, func(*room) schedule.Pipeline { return pipeline(good) }, bads{
		"without elements": schedule.Pipeline{Groups: make([]schedule.Group, 1)},
		"of a zero query":  pipeline(schedule.Job{Name: "job", Run: calm, Queries: make([]world.Query, 1)}),
		"of unknown links": func(*room) any {
			p := pipeline(good)
			p.Groups[0].Link = 200
			return p
		},
		"of zero queries side by side": func(*room) any {
			p := pipeline(good, schedule.Job{Name: "b", Run: calm, Queries: make([]world.Query, 1)},
				schedule.Job{Name: "c", Run: calm, Queries: make([]world.Query, 1)})
			p.Groups[0].Link = schedule.Merge
			return p
		},
	})
	list(all, func(g *room) *schedule.Schedule {
		return scheduled(good)(g).(*schedule.Schedule)
	}, bads{
		"closed": func(g *room) any {
			s := schedule.New(2)
			s.Close()
			return s
		},
		"one that loses the State": scheduled(schedule.Job{Name: "job", Do: nothingDone}),
		"one that does not list what it walks": scheduled(schedule.Job{
			Name: "job", Run: heroes.MoveAll,
		}),
		"one of a zero query": scheduled(schedule.Job{
			Name: "job", Run: calm, Queries: make([]world.Query, 1),
		}),
	})
}

// roomOptions are the options to read and write an exhibit.
func roomOptions() save.Options {
	text := func(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil }
	parse := func(b []byte) (string, error) { return string(b), nil }
	return save.Options{Codecs: []save.Codec{
		save.Values(busyNames, text, parse), save.Shared(exhibitPicture, text, parse),
	}}
}

// exhibitFile is an exhibit, saved.
var exhibitFile = sync.OnceValue(func() []byte {
	var file bytes.Buffer
	check(save.Write(&file, exhibitOf(exhibitCounts()).s, roomOptions()))
	return file.Bytes()
})

// roomFile returns a file of an exhibit, and the options to read and write such.
func roomFile(g *room) (path string, o save.Options) {
	path = filepath.Join(g.t.TempDir(), "exhibit")
	require.NoError(g.t, os.WriteFile(path, exhibitFile(), 0o600))
	return path, roomOptions()
}

func listFiles(all map[reflect.Type]listing) {
	list(all, func(*room) save.Options { return roomOptions() }, bads{
		"of zero codecs":     save.Options{Codecs: make([]save.Codec, 1)},
		"of zero migrations": save.Options{Migrations: make([]save.Migration, 1)},
		"of codecs of nil": func(*room) any {
			return save.Options{Codecs: []save.Codec{
				save.Values[string](busyNames, nil, nil), save.Shared[string](exhibitPicture, nil, nil),
			}}
		},
	})
	file := func(g *room) *save.File {
		path, _ := roomFile(g)
		f := world.Must(save.Open(path))
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
		return world.Must(save.NewSaver(path, g.s, o))
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
	list(all, func(*room) *memory.Head {
		c := world.Counts{Kinds: layout.Kinds(busyMixed.Count(3))}
		b := memory.Make(world.Must(memory.SizeOf(c)))
		world.Must(memory.CreateState(c, b))
		return world.Must(memory.Read(b))
	}, nil)
	list(all, func(*room) timeline.Store { return noFrames{} }, nil)
	list(all, func(*room) io.Writer { return io.Discard }, nil)
	list(all, func(*room) io.Reader { return bytes.NewReader([]byte("a file")) }, nil)
	list(all, func(g *room) io.ReaderAt {
		path, _ := roomFile(g)
		return bytes.NewReader(world.Must(os.ReadFile(path)))
	}, bads{"empty": bytes.NewReader(nil)})
}

// noFrames is a timeline.Store of nothing.
type noFrames struct{}

func (noFrames) Frames() (first, next int)                         { return 0, 0 }
func (noFrames) Input(int) ([]byte, error)                         { return nil, nil }
func (noFrames) Worlds() []timeline.World                          { return nil }
func (noFrames) Restore(s world.State, _ int) (world.State, error) { return s, nil }

func listSessions(all map[reflect.Type]listing) {
	options := func(*room) session.Options {
		return session.Options{
			Links: link.NewNetwork(2, link.Conditions{}).Links(0), InputBytes: 1,
			Step: func(s world.State, _ []byte) world.State { return heroes.MoveAll(s) },
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
			o.Links = make([]link.Link, 2)
			return o
		},
		"of huge frames": func(*room) any {
			o := options(nil)
			o.Frames = min(1<<40, math.MaxInt)
			return o
		},
		"of negative frames": func(*room) any {
			o := options(nil)
			o.Frames = max(-1<<40, math.MinInt)
			return o
		},
		"one that loses the State": func(*room) any {
			o := options(nil)
			o.Step = nothingStepped
			return o
		},
	})
	begun := func(g *room, o session.Options) *session.Session { return world.Must(session.New(g.s, o)) }
	list(all, func(g *room) *session.Session { return begun(g, options(g)) }, bads{
		"one that loses the State": func(g *room) any {
			o := options(g)
			o.Step = nothingStepped
			return begun(g, o)
		},
	})
	list(all, func(g *room) *session.SyncTest {
		return world.Must(session.NewSyncTest(g.s, 1, 1, options(g).Step))
	}, bads{
		"one that loses the State": func(g *room) any {
			return world.Must(session.NewSyncTest(g.s, 1, 1, nothingStepped))
		},
	})
	listInspection(all)
}

func listInspection(all map[reflect.Type]listing) {
	list(all, func(*room) inspect.Options {
		return inspect.Options{Clock: stage.Clock(time.Now)}
	}, bads{
		"absurd": inspect.Options{
			Clock: stage.Clock(time.Now), Rate: min(1<<40, math.MaxInt), Window: -1,
		},
	})
	list(all, func(g *room) *inspect.Inspector {
		return world.Must(inspect.New(g.s, inspect.Options{Clock: stage.Clock(time.Now)}))
	}, nil)
	list(all, func(*room) inspect.Guard { return inspect.Guard{Page: "/"} }, nil)
	list(all, func(*room) http.Handler { return http.NotFoundHandler() }, nil)
	list(all, func(*room) http.ResponseWriter { return httptest.NewRecorder() }, nil)
	list(all, func(g *room) net.Listener {
		l := world.Must(net.Listen("tcp", "127.0.0.1:0"))
		g.later(func() { _ = l.Close() })
		return l
	}, bads{"closed": func(*room) any {
		l := world.Must(net.Listen("tcp", "127.0.0.1:0"))
		_ = l.Close()
		return l
	}})
}

// notMisused are functions that start programs, play without end, or are for package fmt.
var notMisused = []string{"pool.StepError.Format", "hand.Main", "hand.Supervise", "hand.Hand.Run"}

// joinQuietly is hand.Join, which leaves the signals to the tests.
func joinQuietly(o hand.Options) (*hand.Hand, error) {
	o.Signals, o.Out = true, io.Discard
	return hand.Join(o)
}

func listHands(all map[reflect.Type]listing) {
	list(all, func(*room) net.Conn {
		c, _ := net.Pipe()
		return c
	}, nil)
	list(all, func(*room) hand.Options { return hand.Options{} }, nil)
	join := func(*room) *hand.Hand { return world.Must(joinQuietly(hand.Options{})) }
	list(all, join, bads{"closed": func(g *room) any {
		h := join(g)
		h.Close()
		return h
	}})
	list(all, func(g *room) *hand.Tape { return world.Must(join(g).NewTape(g.s, 60, 1)) }, nil)
	list(all, publisher, bads{"closed": func(g *room) any {
		p := publisher(g)
		_ = p.Close()
		return p
	}})
	list(all, onlooker, bads{"closed": func(g *room) any {
		r := onlooker(g)
		_ = r.Close()
		return r
	}})
	list(all, func(g *room) *share.Frame {
		if runtime.GOOS != "linux" {
			return nil
		}
		return world.Must(onlooker(g).Pin())
	}, nil)
}

// shown returns a world that can be shown: one without Go values.
func shown() world.State {
	return world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(busyMixed.Count(3))}))
}

func publisher(g *room) *share.Publisher {
	if runtime.GOOS != "linux" {
		return nil
	}
	p, _ := published(g)
	return p
}

// published returns a publisher, and the path of its file.
func published(g *room) (*share.Publisher, string) {
	s, path := shown(), filepath.Join(g.t.TempDir(), "shown")
	p := world.Must(share.Publish(path, s, share.Options{}))
	g.later(func() { _ = p.Close() })
	if err := p.Offer(s); err != nil {
		panic(err)
	}
	return p, path
}

func onlooker(g *room) *share.Reader {
	if runtime.GOOS != "linux" {
		return nil
	}
	_, path := published(g)
	r := world.Must(share.OpenAny(path))
	g.later(func() { _ = r.Close() })
	return r
}

var (
	roomMoved  = world.NewRecipe("moved in a room", heroes.Position)
	roomSchema = replica.NewSchema(roomMoved,
		replica.Field(heroes.Position, replica.Fixed(0, 9, 16).Delta()))
)

// listReplica lists what functions of link and replica take.
func listReplica(all map[reflect.Type]listing) {
	network := func() *link.Network { return link.NewNetwork(2, link.Conditions{}) }
	list(all, func(*room) *link.Network { return network() }, nil)
	list(all, func(*room) link.Listener { return new(link.Rooms).Open(1) }, nil)
	list(all, func(*room) link.Link { return network().Link(0, 1) }, nil)
	list(all, func(*room) link.Conditions { return link.Conditions{} }, bads{
		"negative": link.Conditions{Delay: -1},
	})
	list(all, func(*room) replica.Wire { return replica.Fixed(0, 9, 16) }, bads{
		"of a short lane with differences": replica.Fixed(0, 9, 8).Delta(),
	})
	list(all, func(*room) replica.Part { return replica.Field(heroes.Position, replica.Raw()) }, nil)
	list(all, func(*room) *replica.Schema { return roomSchema }, nil)
	options := replica.Options{Clients: 1, Input: 1}
	list(all, func(*room) replica.Options { return options }, bads{
		"of too many clients": replica.Options{Clients: 1 << 30},
		"of huge inputs":      replica.Options{Clients: 1, Input: 1 << 30},
		"of negative objects": replica.Options{Clients: 1, Known: -1},
	})
	server := func(g *room) *replica.Server { return replica.NewServer(g.s, roomSchema, options) }
	list(all, server, nil)
	list(all, func(g *room) *replica.Conn { return server(g).Accept(network().Link(0, 1)) }, nil)
	list(all, func(*room) func(*replica.View, *replica.Conn) {
		return func(*replica.View, *replica.Conn) {}
	}, nil)
	list(all, func(*room) replica.Show { return replica.Show{} }, bads{
		"negative": replica.Show{Behind: -1, Tick: -1},
	})
	mirror := func(g *room) *replica.Mirror {
		s := world.Must(world.CreateState(roomSchema.Counts(8)))
		g.later(func() { world.Close(s) })
		return replica.NewMirror(s, roomSchema, 8, replica.Show{})
	}
	list(all, mirror, nil)
	list(all, func(g *room) *replica.Predictor {
		return replica.NewPredictor(mirror(g), 1, func(s world.State, _ []byte) world.State { return s })
	}, nil)
}
