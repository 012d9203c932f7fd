package world_test

import (
	"bytes"
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
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/session"
	"github.com/flatecs/flatecs/world/share"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
)

// roomOptions are those to read and write an exhibit.
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
