//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/flatecs/flatecs/cmd/arena"
	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/world/link/udp"
	"github.com/flatecs/flatecs/world/link/web"
)

// join is the command that plays in an arena that is served.
type join struct {
	URL    string `arg:"" help:"Address of the arena, as serve arena prints it."`
	UDP    bool   `help:"Play over UDP, by a token that the server gives."`
	Pilot  bool   `help:"Let a pilot play."`
	Frames int    `help:"Frames until it ends; 0: no end." default:"0"`
}

const (
	frameTime = time.Second / 30
	held      = 250 * time.Millisecond // that a key counts for: terminals tell no end
)

// Help shows what the command can do.
func (c *join) Help() string {
	return examples(
		"serve arena", "serve first, in another terminal",
		"join http://127.0.0.1:8080", "play: arrows drive, space fires, a has a pilot play, q ends",
		"join --udp http://127.0.0.1:8080", "over UDP, where serve arena has --udp",
	)
}

// server returns the address of the server.
func (c *join) server() (*url.URL, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("join: %q is no address of an arena, such as http://127.0.0.1:8080",
			printable(c.URL))
	}
	return u, nil
}

// dial connects to the server, as somebody.
func (c *join) dial(ctx context.Context, u *url.URL, as uint64) (arena.Connection, error) {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	if c.UDP {
		token, err := tokenOf(ctx, u.JoinPath("join").String())
		if err != nil {
			return nil, err
		}
		return udp.Dial(ctx, token)
	}
	play := u.JoinPath("play")
	play.Scheme = "ws" + strings.TrimPrefix(u.Scheme, "http")
	play.RawQuery = fmt.Sprintf("as=%x", as)
	return web.Dial(ctx, play.String())
}

// tokenOf asks a server for a token.
func tokenOf(ctx context.Context, url string) ([]byte, error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode == http.StatusNotFound {
		return nil, errors.New("nobody plays over UDP there; leave --udp out, or give serve --udp")
	}
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, 1<<16))
}

// Run plays until q, or until the server is gone.
func (c *join) Run(ctx context.Context, s streams) (err error) {
	u, err := c.server()
	if err != nil {
		return err
	}
	out, ok := s.out.(*os.File)
	if !ok {
		return errors.New("join: this is no terminal, nor a file")
	}
	as := rand.Uint64()
	seat, err := arena.NewSeat(as, func() (arena.Connection, error) { return c.dial(ctx, u, as) })
	if err != nil {
		return fmt.Errorf("join: %s: %w; serve an arena there first", c.URL, err)
	}
	defer func() { _ = seat.Close() }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	options := terminal.Options{
		Out: out, Depth: terminal.DepthOf(os.Getenv),
		Signal: func(s os.Signal) { cancel(interruption{s}) },
		Footer: "arrows drive · space fires · a pilot · q ends",
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		options.In = os.Stdin
	}
	g := &joined{
		seat: seat, canvas: terminal.New(arena.Look(), options),
		pilot: c.Pilot, began: time.Now(),
	}
	g.canvas.Init()
	defer func() { err = errors.Join(err, g.canvas.Close()) }()
	return g.frames(ctx, c.Frames)
}

// A joined game is one that somebody plays in a terminal.
type joined struct {
	seat   *arena.Seat
	canvas *terminal.Canvas
	pilot  bool
	ended  bool
	began  time.Time
	until  [8]time.Time // per bit of an input: it is held until then
}

// frames plays so many frames, or to the end.
func (g *joined) frames(ctx context.Context, most int) error {
	ticker := time.NewTicker(frameTime)
	defer ticker.Stop()
	for n := 0; (most == 0 || n < most) && !g.ended; n++ {
		if err := g.frame(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return interrupted(ctx)
		case <-ticker.C:
		}
	}
	return nil
}

func (g *joined) frame() error {
	for keys := g.canvas.Keys(); len(keys) > 0; {
		g.press(<-keys)
	}
	if err := g.seat.Frame(time.Since(g.began), g.input); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	g.canvas.Begin()
	drawn := g.seat.Player().Draw(g.canvas)
	_, shown := g.canvas.End()
	return errors.Join(drawn, shown)
}

// input returns what is pressed.
func (g *joined) input(p *arena.Player) (in arena.Input) {
	if g.pilot {
		return p.Pilot()
	}
	now := time.Now()
	for bit, until := range g.until {
		if now.Before(until) {
			in |= 1 << bit
		}
	}
	return in
}

// press does what a key is for.
func (g *joined) press(key terminal.Key) {
	switch key {
	case 'q', 'Q', terminal.Escape:
		g.ended = true
	case 'a', 'A':
		g.pilot = !g.pilot
	}
	for bit, of := range [...]terminal.Key{
		terminal.Left, terminal.Right, terminal.Up, terminal.Down, terminal.Space,
	} {
		if key == of {
			g.until[bit] = time.Now().Add(held)
		}
	}
}
