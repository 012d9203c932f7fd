//go:build js && wasm

// Package main is a program for browsers; see main_none.go.
package main

import (
	"context"
	"encoding/base64"
	"strings"
	"syscall/js"
	"time"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/render/webgl"
	"github.com/flatecs/flatecs/cmd/web/screen"
	"github.com/flatecs/flatecs/world/link/web"
	"github.com/flatecs/flatecs/world/link/webtransport"
)

// A client is the page's interface to the program.
type client struct {
	now    js.Value
	seat   *arena.Seat
	screen screen.Screen
	began  time.Time
}

func main() {
	c := &client{now: js.Global().Get("Object").New(), began: time.Now()}
	page := js.Global().Get("Object").New()
	page.Set("now", c.now)
	page.Set("join", js.FuncOf(func(_ js.Value, args []js.Value) any {
		c.join(args[0], args[1], args[2].String(), args[3])
		return nil
	}))
	page.Set("frame", js.FuncOf(func(_ js.Value, args []js.Value) any {
		c.frame(arena.Input(args[0].Int()), args[1].Truthy())
		return nil
	}))
	page.Set("resize", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if c.screen != nil {
			width, height := args[0].Int(), args[1].Int()
			arena.Fit(c.screen.Look(), width, height)
			c.failed(c.screen.Resize(width, height))
		}
		return nil
	}))
	js.Global().Set("arena", page)
	select {} // only the page's calls run from here on
}

// failed reports an error to the page.
func (c *client) failed(err error) {
	if err != nil {
		c.now.Set("error", err.Error())
	}
}

// asked calls a function of the page, and returns the string that it passes to its callback.
func asked(ask js.Value) string {
	told := make(chan string, 1)
	tell := js.FuncOf(func(_ js.Value, args []js.Value) any {
		told <- args[0].String()
		return nil
	})
	defer tell.Release()
	ask.Invoke(tell)
	return <-told
}

// dial connects to the server at a host and path: over WebTransport if server and browser support
// it and it connects, otherwise over WebSocket. The server provides the hash of its certificate.
func (c *client) dial(url string, hash js.Value) (arena.Connection, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if sum, err := base64.StdEncoding.DecodeString(asked(hash)); err == nil && len(sum) > 0 {
		soon, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		conn, err := webtransport.Dial(soon, secure(url), sum)
		if err == nil {
			c.now.Set("over", "WebTransport")
			return conn, nil
		}
		c.now.Set("fell", err.Error())
	}
	c.now.Set("over", "WebSocket")
	return web.Dial(ctx, "ws"+strings.TrimPrefix(url, "http"))
}

// secure returns an address with https.
func secure(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	return "https://" + rest
}

// join connects to the server, and draws on an element.
func (c *client) join(element, heap js.Value, url string, hash js.Value) {
	look := arena.Look()
	arena.Fit(&look, element.Get("width").Int(), element.Get("height").Int())
	s, err := screen.New(element, webgl.NewHeap(heap), look)
	if err != nil {
		c.failed(err)
		return
	}
	s.Init()
	c.screen = s
	c.seat = arena.NewSeat(uint64(time.Now().UnixNano()), func() (arena.Connection, error) {
		return c.dial(url, hash)
	})
}

// frame takes a frame with the pressed buttons, or with a pilot's input.
func (c *client) frame(pressed arena.Input, pilot bool) {
	if c.seat == nil {
		return
	}
	c.failed(c.seat.Frame(time.Since(c.began), func(p *arena.Player) arena.Input {
		if pilot {
			return p.Pilot()
		}
		return pressed
	}))
	player := c.seat.Player()
	if c.now.Set("lost", c.seat.Lost()); player == nil {
		return
	}
	c.screen.Begin()
	player.Draw(c.screen)
	_, err := c.screen.End()
	c.failed(err)
	s := player.Status()
	if s.Silent == 0 {
		c.now.Delete("error")
	}
	c.now.Set("own", s.Tank())
	for name, x := range map[string]float32{
		"x": s.At[0], "y": s.At[1],
		"wide": c.screen.Look().W / arena.Scale, "high": c.screen.Look().H / arena.Scale,
	} {
		c.now.Set(name, x)
	}
	for name, n := range map[string]int{
		"tick": int(s.Tick), "sees": s.Sees, "side": s.Side, "armour": s.Armour, "late": s.Late,
		"again": s.Again, "bytes": s.Bytes, "wait": s.Wait,
		"red": int(s.Score[0]), "blue": int(s.Score[1]), "pause": int(s.Score[2]),
	} {
		c.now.Set(name, n)
	}
}
