package world_test

import (
	"context"
	"errors"
	"image"
	"io"
	"iter"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/network"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/replica"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/why"
)

var (
	ruinBag    = layout.NewList[uint64]("ruin bag")
	ruinNet    = network.New("ruin links")
	ruinSchema = replica.NewSchema(ruinPlain, replica.Field(ruinLoad, replica.Raw()))
)

type (
	ruinSet   struct{ N int }
	ruinSweep = lab.Sweep[ruinSet]
)

// answers returns a row of a call that works on worlds of its own, or on a copy, and returns as an
// error how its function was cut short.
func answers(name string, begin func(x *ruin) func() error) cutRow {
	return cutRow{name: name, answers: true, begin: func(x *ruin) func() {
		call := begin(x)
		return func() { x.err = call() }
	}}
}

// small creates a world that is not the ruin's.
func small() (world.State, error) { return world.CreateState(smallCounts(ruinSet{})) }

func smallCounts(ruinSet) world.Counts {
	return world.Counts{
		GameObjects: 200, Recipes: []world.Recipe{ruinPlain}, Kinds: layout.Kinds(ruinBag), Seed: 1,
	}
}

// grow is a step of a small world.
func grow(s world.State) (world.State, error) {
	s, _ = world.Must2(world.CreateWith(s, ruinBag))
	s, _, err := world.Spawn(world.Advance(s), ruinPlain)
	return s, err
}

func besideRowsCut() []cutRow {
	type ends = iter.Seq2[world.GameObject, world.GameObject]
	return []cutRow{
		keys("network.Network.Out", func(x *ruin) ends { return ruinNet.Out(x.s, x.ids[0]) }),
		keys("network.Network.In", func(x *ruin) ends { return ruinNet.In(x.s, x.ids[0]) }),
		answers("pool.Pool.Step", func(x *ruin) func() error {
			first := world.Must(small())
			p := world.Must(pool.New(first, 3))
			rooms := world.Must(p.Fork(nil, first, 3))
			x.t.Cleanup(func() { p.Close(); world.Close(first) })
			return func() error {
				return p.Step(rooms, 1, func(_ int, s world.State) (world.State, error) {
					s, err := grow(s)
					x.here()
					return s, err
				})
			}
		}),
		answers("save.Options.Progress save.Values", func(x *ruin) func() error {
			v := world.Must(save.NewSaver(filepath.Join(x.t.TempDir(), "world"), x.s, save.Options{
				Codecs:   []save.Codec{wordCodec(x.here)},
				Progress: func(int64, int64) { x.here() },
			}))
			x.t.Cleanup(func() { require.NoError(x.t, v.Close()) })
			return func() error { return errors.Join(v.Offer(x.s), v.Wait()) }
		}),
		{name: "inspect.Options.Clock inspect.Options.Client inspect.Sources.Dropped " +
			"inspect.Sources.SaveAge inspect.Sources.Rollbacks inspect.Sources.Desyncs " +
			"inspect.Sources.Others", begin: (*ruin).inspected},
		{name: "hand.Hand.World hand.Hand.Run", leaves: anything, begin: func(x *ruin) func() {
			return func() {
				h := world.Must(hand.Join(hand.Options{Out: io.Discard, Signals: true}))
				defer h.Close()
				world.Close(world.Must(h.World(world.Counts{}, func() (world.State, error) {
					x.here()
					return small()
				})))
				x.s = h.Run(x.s, func(s world.State) world.State { h.Close(); return dropped(x.play(s)) })
			}
		}},
		{name: "lab.Tree.Grow", begin: func(x *ruin) func() {
			tree := world.Must(lab.NewTree(x.s, 1<<30))
			x.t.Cleanup(tree.Close)
			return func() {
				world.Must(tree.Grow(tree.Root(), func(s world.State) (world.State, error) {
					return dropped(x.play(s)), nil
				}))
			}
		}},
		asks("lab.Panel.Picture", "picture"),
		asks("inspect.Options.Why", "why?object=0v1&field=ruin+load"),
		asks("inspect.Options.Hunt", "hunt?seconds=1"),
		asks("inspect.Options.Step", "time", `{"op":"step"}`,
			`{"op":"back","frame":0,"inputs":"live","fork":true}`, `{"op":"step"}`),
		{name: "replica.Server.Send replica.Server.Joined replica.Server.Gone replica.Server.Inputs " +
			"replica.Server.Conns replica.Mirror.Own replica.Mirror.Entered " +
			"replica.Mirror.Left replica.NewPredictor", leaves: anything, begin: (*ruin).served},
	}
}

func searchRowsCut() []cutRow {
	return []cutRow{
		hunted("hunt.Game.Step", func(x *ruin, g *hunt.Game) {
			g.Step = func(s world.State, _ []byte) (world.State, error) { x.here(); return grow(s) }
		}),
		hunted("hunt.Game.New", func(x *ruin, g *hunt.Game) {
			g.New = func() (world.State, error) { x.here(); return small() }
			g.Jobs = func() []schedule.Job { return nil }
		}),
		hunted("hunt.Game.Jobs", func(x *ruin, g *hunt.Game) {
			g.Jobs = func() []schedule.Job { x.here(); return nil }
		}),
		hunted("hunt.Game.Play", func(x *ruin, g *hunt.Game) {
			g.Play = func(*world.Stream, world.State, []byte) { x.here() }
		}),
		hunted("hunt.Game.Cover", func(x *ruin, g *hunt.Game) {
			g.Cover = func(_ world.State, note func(uint64)) { note(uint64(x.calls)); x.here() }
		}),
		hunted("hunt.Game.Over", func(x *ruin, g *hunt.Game) {
			g.Over = func(world.State) bool { x.here(); return false }
		}),
		hunted("hunt.Check hunt.Holds hunt.Same", func(x *ruin, g *hunt.Game) {
			g.Always = []hunt.Property{
				hunt.Check("c", func(world.State) error { x.here(); return nil }),
				hunt.Same("s", func(world.State) int64 { x.here(); return 0 }),
			}
			holds := hunt.Holds("h", func(world.State) bool { x.here(); return true })
			g.Rarely, g.Sometimes = []hunt.Property{holds}, []hunt.Property{holds}
		}),
		swept("lab.Sweep.Counts lab.Sweep.Setup", func(x *ruin, w *ruinSweep) {
			w.Counts = func(p ruinSet) world.Counts { x.here(); return smallCounts(p) }
			w.Setup = func(s world.State, _ ruinSet) (world.State, error) { x.here(); return s, nil }
		}),
		swept("lab.Sweep.Step lab.Sweep.Until lab.Sweep.When", func(x *ruin, w *ruinSweep) {
			w.Step = func(s world.State) (world.State, error) { x.here(); return grow(s) }
			w.Until = func(world.State) bool { x.here(); return false }
			w.When = func(world.State) bool { x.here(); return true }
		}),
		swept("lab.Sweep.Equip lab.Equipment.Step lab.Equipment.Close", func(x *ruin, w *ruinSweep) {
			w.Step, w.Equip = nil, func(world.State) (lab.Equipment, error) {
				x.here()
				return lab.Equipment{Step: grow, Close: x.here}, nil
			}
		}),
		swept("lab.Report lab.OfFunc lab.OfList", func(x *ruin, w *ruinSweep) {
			w.Reports = []lab.Reporter{
				lab.Report("r", func(world.State) float64 { x.here(); return 0 }),
				lab.OfFunc(ruinLoad, func(uint32) float64 { x.here(); return 0 }).Sum("f"),
				lab.OfList(ruinBag, func([]uint64) float64 { x.here(); return 0 }).Sum("l"),
			}
		}),
		{name: "lab.Sweep.Progress", begin: func(x *ruin) func() {
			call := sweep(x, func(x *ruin, w *ruinSweep) {
				w.Workers, w.Progress = 2, func(int, int) { x.here() }
			})
			return func() { require.NoError(x.t, call()) }
		}},
	}
}

// hunted returns a row of a hunt. A world that cannot be made is the program's to recover from.
func hunted(name string, set func(*ruin, *hunt.Game)) cutRow {
	return answers(name, func(x *ruin) func() error {
		g := hunt.Game{New: small, Inputs: 1, Step: func(s world.State, _ []byte) (world.State, error) {
			return grow(s)
		}}
		set(x, &g)
		x.calls = 0
		return func() error {
			r, err := hunt.Run(g, hunt.Options{
				Workers: 1, Ticks: 9, Length: 3, Deep: 4, Shrink: time.Millisecond,
			})
			if r.Failure != nil {
				err = errors.New(r.Failure.String())
			}
			return err
		}
	})
}

func sweep(x *ruin, set func(*ruin, *ruinSweep)) func() error {
	w := ruinSweep{
		Params: []ruinSet{{1}, {2}}, Seeds: []uint64{1, 2}, Workers: 1, Steps: 3, Every: 1,
		Counts: smallCounts, Step: grow, Reports: []lab.Reporter{lab.Count("objects")},
	}
	set(x, &w)
	return func() error { return w.Run(context.Background(), new(lab.Table)) }
}

// swept returns a row of a sweep.
func swept(name string, set func(*ruin, *ruinSweep)) cutRow {
	return answers(name, func(x *ruin) func() error { return sweep(x, set) })
}

// inspected has an inspector look at the world.
func (x *ruin) inspected() func() {
	var now time.Duration
	count := func() int { x.here(); return 1 }
	age := func() time.Duration { x.here(); return 1 }
	end := x.end
	x.end = nil
	i := world.Must(inspect.New(x.s, inspect.Options{
		Clock:  func() time.Duration { x.here(); now += time.Second; return now },
		Client: func(dst []byte, _ int) []byte { x.here(); return dst },
		Sources: inspect.Sources{
			Dropped: age, SaveAge: age, Rollbacks: count, Desyncs: count,
			Others: func() []inspect.Metric { x.here(); return nil },
		},
	}))
	x.t.Cleanup(i.Close)
	x.end, x.calls = end, 0
	gone, cancel := context.WithCancel(context.Background())
	cancel() // do not wait for a frame
	return func() {
		for _, path := range []string{"overview", "client?number=0", "client?number=0"} {
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(gone, "GET", "http://localhost/debug/ecs/api/"+path, nil)
			i.Handler().ServeHTTP(w, r)
			require.NoError(x.t, i.Publish(x.s))
			if x.cut == 0 && path == "overview" {
				require.Equal(x.t, 200, w.Code, "%s: %s", path, w.Body)
			}
		}
	}
}

// asks returns a row of a function that is called for an inspector's page while turns are taken.
func asks(name, path string, wishes ...string) cutRow {
	row := answers(name, func(x *ruin) func() error {
		past := world.Must(history.New(x.s, 9, 0))
		panel := world.Must(lab.NewPanel(lab.Count("objects")))
		panel.Picture = func(world.State) image.Image {
			x.here()
			return image.NewGray(image.Rect(0, 0, 1, 1))
		}
		now := atomic.Int64{}
		i := world.Must(inspect.New(x.s, inspect.Options{
			Clock: func() time.Duration { return time.Duration(now.Add(int64(time.Second))) },
			Past:  past, Model: panel, Edit: true, Paused: true,
			Step: func(s world.State, _ []byte) world.State { x.here(); return world.Advance(s) },
			Why: func(world.GameObject, layout.AnyField, uint64) (why.Write, error) {
				x.here()
				return why.Write{}, why.ErrUnwritten
			},
			Hunt: func(string, time.Duration) (string, error) { x.here(); return "nothing", nil },
		}))
		x.t.Cleanup(func() { i.Close(); past.Close() })
		return func() error {
			page := x.during(i, past, "GET", "", "", "").Body.String()
			token := regexp.MustCompile(`name="token" content="(\w+)"`).FindStringSubmatch(page)[1]
			for _, wish := range wishes {
				w := x.during(i, past, "POST", "/api/"+path, token, wish)
				require.Equal(x.t, 200, w.Code, "%s", w.Body)
			}
			w := x.during(i, past, "GET", "/api/"+path, token, "")
			fault := x.during(i, past, "GET", "/api/time", "", "").Body.String()
			switch {
			case strings.Contains(fault, "panicked"):
				return errors.New(fault)
			case w.Code != 200 || w.Body.Len() == 0:
				return errors.New(w.Body.String() + ", or it ended its goroutine")
			}
			return nil
		}
	})
	row.leaves = anything
	return row
}

// during has a page ask, and returns the answer.
func (x *ruin) during(
	i *inspect.Inspector, past *history.History, method, path, token, body string,
) *httptest.ResponseRecorder {
	w, done := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(done)
		url := "http://localhost/debug/ecs" + path
		r := httptest.NewRequestWithContext(x.t.Context(), method, url, strings.NewReader(body))
		r.Header.Set("X-Token", token)
		i.Handler().ServeHTTP(w, r)
	}()
	for ended := false; ; runtime.Gosched() {
		s, steps := i.Turn(x.s)
		for x.s = s; steps > 0; steps-- {
			require.NoError(x.t, past.Record(x.s, i.Input(nil)))
			x.s = world.Advance(x.s)
		}
		require.NoError(x.t, i.Publish(x.s))
		if ended {
			return w
		}
		select {
		case <-done:
			ended = true
		default:
		}
	}
}

// served sends the world to a mirror.
func (x *ruin) served() func() {
	net := link.NewNetwork(2, link.Conditions{})
	server := replica.NewServer(x.s, ruinSchema, replica.Options{Clients: 1, Input: 1})
	server.Accept(net.Link(0, 1))
	s := world.Must(world.CreateState(ruinSchema.Counts(300)))
	m := replica.NewMirror(s, ruinSchema, 300, replica.Show{})
	p := replica.NewPredictor(m, 1, func(s world.State, _ []byte) world.State {
		x.here()
		return world.Advance(s)
	})
	x.t.Cleanup(func() { world.Close(world.Must(world.Recovered(s))) })
	at := time.Duration(0)
	tick := func() {
		net.Step()
		for range server.Joined() {
			x.here()
		}
		for range server.Inputs() {
			x.here()
		}
		for range server.Conns() {
			x.here()
		}
		for range server.Gone() {
			x.here()
		}
		x.s = server.Send(world.Advance(x.s), func(v *replica.View, _ *replica.Conn) {
			for _, id := range x.ids {
				v.See(id, 1)
				x.here()
			}
			v.Own(x.ids[0])
		})
		s = world.Must(world.Recovered(s))
		for b, ok := net.Link(1, 0).Receive(); ok; b, ok = net.Link(1, 0).Receive() {
			s = world.Must(m.Apply(s, b))
		}
		for _, all := range []iter.Seq[world.GameObject]{m.Own(), m.Entered(), m.Left()} {
			for range all {
				x.here()
			}
		}
		s = p.Step(s, []byte{1})
		net.Link(1, 0).Send(m.Append(nil, p))
		at += 50 * time.Millisecond
	}
	end := x.end
	x.end = nil
	for range 8 {
		tick()
	}
	x.end, x.calls = end, 0
	return func() {
		for range 4 {
			tick()
		}
		if x.cut == 0 {
			require.Equal(x.t, m.Tick(), m.Whole())
			require.Equal(x.t, len(x.ids), world.Len(s))
		}
	}
}
