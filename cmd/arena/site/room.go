//go:build !js

// Package site serves an arena: its page to browsers, the game to browsers over WebTransport and
// WebSocket, and the game to other programs over UDP.
//
//	GET /            the page, which joins by
//	GET /play        the game: datagrams of world/replica by world/link/web
//	GET /quic        where pages play over WebTransport instead, by world/link/webtransport
//	GET /join        a token by which a program plays over UDP, by world/link/udp; for anyone
//	                 who asks, and over plain HTTP its keys can be read on the way
//	GET /debug/ecs   with Options.Reveal, the inspector: the world, and what each player may see
package site

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/render/webgl"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/link/webtransport"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/replica"
)

// Program is the package of the page's program.
const Program = "github.com/flatecs/flatecs/cmd/arena/page"

//go:embed index.html arena.css arena.js
var parts embed.FS

// Options configure the serving of an arena.
type Options struct {
	Players int             // limit at the same time, including bots
	Bots    int             // that play
	Seed    uint64          // of the world
	Lag     link.Conditions // for all links in both directions; delays in Halves
	Local   bool            // only answer this machine
	UDP     *net.UDPConn    // for programs over UDP; the room takes it over; nil: none
	QUIC    *net.UDPConn    // for pages, on the page's port; the room takes it over; nil: none
	Hand    *hand.Hand      // for handing over to another program; nil: none
	World   world.State     // from Hand, with arena.Counts; the room takes it over
	Reveal  bool            // show the whole world to all clients, even players: inspector, map

	Record string          // folder for recordings; "": none
	Keep   time.Duration   // least duration to keep there, see record.Options; 0: everything
	Warn   func(err error) // receives the reason if a recording ends before the game

	// Page builds the page's program on the first request; nil: New received the program.
	Page func() (server.Program, error)
}

// Half is half a tick, the unit of delays.
const Half = time.Second / arena.Ticks / 2

// A Room serves an arena. It belongs to one goroutine; its handler runs on any.
type Room struct {
	options   Options
	host      *arena.Host
	bots      []*arena.Player
	network   *link.Network                         // for bots
	doors     []link.Listener                       // for each kind of client
	udp       *udp.Listener                         // one of them, or nil
	rooms     *link.Rooms                           // the endpoints of doors and pages
	listener  link.Listener                         // for all clients
	pages     atomic.Pointer[webtransport.Listener] // or nil
	members   map[*replica.Conn]member
	inspector *inspect.Inspector // or nil
	began     time.Time
	handler   *http.ServeMux
	recorder  *record.Recorder // or nil

	handedOver bool // another program continues
}

// A member is a connected player.
type member struct {
	client link.Client
	lagged *arena.Lagged // nil: no conditions
}

// New returns a room with its bots, which continues from the previous program's room if there is
// one. It returns the errors of [arena.NewHost], and an error if there is no memory for the world.
func New(o Options, p server.Program) (*Room, error) {
	h, err := newHost(&o)
	if err != nil {
		return nil, err
	}
	r := &Room{
		options: o, host: h, began: time.Now(), network: link.NewNetwork(o.Bots+2, o.Lag),
		handler: http.NewServeMux(), rooms: new(link.Rooms),
		members: map[*replica.Conn]member{},
	}
	if err := errors.Join(r.listen(), r.record()); err != nil {
		return nil, err
	}
	for n := range o.Bots {
		h.Accept(r.network.Link(0, n+1), uint64(n+1), true)
		bot, err := arena.NewPlayer(r.network.Link(n+1, 0), uint64(n))
		if err != nil {
			return nil, err
		}
		r.bots = append(r.bots, bot)
	}
	if o.Reveal {
		r.inspector, err = inspect.New(h.State(), inspect.Options{
			Title: "arena", Clock: r.clock, Client: h.Sees,
		})
		if err != nil {
			return nil, err
		}
		r.handler.Handle("/debug/ecs", r.inspector.Handler())
		r.handler.Handle("/debug/ecs/", r.inspector.Handler())
	}
	if o.Page == nil {
		o.Page = func() (server.Program, error) { return p, nil }
	}
	page := sync.OnceValues(func() (http.Handler, error) { return files(&o) })
	r.handler.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		h, err := page()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		h.ServeHTTP(w, q)
	})
	r.keep()
	return r, nil
}

// files returns the handler of the page.
func files(o *Options) (http.Handler, error) {
	p, err := o.Page()
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{
		"arena.wasm": p.Wasm, "wasm_exec.js": p.Script, "heap.js": webgl.Script,
	}
	for _, name := range []string{"index.html", "arena.css", "arena.js"} {
		if contents[name], err = parts.ReadFile(name); err != nil {
			return nil, err
		}
	}
	if o.Reveal {
		contents["index.html"] = bytes.Replace(contents["index.html"], []byte("<body>"),
			[]byte(`<body class="reveal">`), 1)
	}
	return server.Files(contents, o.Local), nil
}

func (r *Room) clock() time.Duration { return time.Since(r.began) }

// ServeHTTP implements [http.Handler].
func (r *Room) ServeHTTP(w http.ResponseWriter, q *http.Request) { r.handler.ServeHTTP(w, q) }

// Run plays until the context ends, or another program continues, and releases everything. It
// catches up late ticks, up to a second.
func (r *Room) Run(ctx context.Context) (err error) {
	defer r.close()
	if r.recorder != nil {
		defer func() { err = errors.Join(err, r.recorder.End(r.host.State())) }()
		defer r.recorder.Recover()
	}
	halves := time.NewTicker(Half)
	defer halves.Stop()
	for n := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-halves.C:
		}
		if late := r.clock()/Half - n; late > 2*arena.Ticks {
			n += late - 2*arena.Ticks
		}
		for ; n < r.clock()/Half; n++ {
			if n%2 == 0 && !r.continues() {
				return nil
			}
			if err := r.halfTick(n%2 == 0); err != nil {
				return r.fail(err)
			}
		}
	}
}

// halfTick takes half a tick.
func (r *Room) halfTick(whole bool) error {
	for _, m := range r.members {
		if m.lagged != nil {
			m.lagged.Step()
		}
	}
	r.network.Step()
	if !whole {
		return nil
	}
	for c, ok := r.listener.Accept(); ok; c, ok = r.listener.Accept() {
		r.enter(c, true)
	}
	r.host.Tick()
	r.listener.Flush()
	r.leave()
	for _, bot := range r.bots {
		if err := bot.Frame(r.clock(), (*arena.Player).Pilot); err != nil {
			return fmt.Errorf("arena: a bot: %w", err)
		}
	}
	if r.inspector == nil {
		return nil
	}
	return r.inspector.Publish(r.host.State())
}

// enter adds a client; isNew means that its program has no state yet.
func (r *Room) enter(c link.Client, isNew bool) {
	m, l := member{client: c}, link.Link(c)
	if lag := r.options.Lag; lag.Delay != 0 || lag.Loss != 0 {
		m.lagged = arena.Lag(c, r.options.Lag)
		l = m.lagged
	}
	conn := r.host.Accept(l, c.ID(), isNew)
	if conn == nil {
		c.Close()
		return
	}
	if last, ok := r.members[conn]; ok { // it never joined, or has reconnected
		last.client.Close()
	}
	r.members[conn] = m
}

// leave closes the connections of players who left.
func (r *Room) leave() {
	for _, c := range r.host.Gone() {
		if m, ok := r.members[c]; ok { // not a bot
			m.client.Close()
			delete(r.members, c)
		}
	}
}

func (r *Room) close() {
	_ = r.closePages()
	for _, d := range r.doors {
		if !r.handedOver || d != link.Listener(r.udp) { // clients over UDP stay
			_ = d.Close()
		}
	}
	if r.inspector != nil {
		r.inspector.Close()
	}
	for _, bot := range r.bots {
		bot.Close()
	}
	r.host.Close()
}
