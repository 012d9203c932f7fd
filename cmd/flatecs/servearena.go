//go:build !js

package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/arena/site"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/link"
)

// arenaPlayers is the largest number of players in an arena, including bots.
const arenaPlayers = 1024

// arena serves an arena until it is interrupted.
func (c *serve) arena(ctx context.Context, s streams) (err error) {
	orderly(ctx)
	log := slog.New(slog.NewTextHandler(s.err, nil))
	h, err := hand.Join(hand.Options{Signals: true, Out: s.err})
	if err != nil {
		return err
	}
	defer h.Close()
	state, err := h.World(arena.Counts(arenaPlayers, c.Seed), nil)
	if err != nil {
		return err
	}
	listener, err := h.Listen("tcp", string(c.Addr))
	if err != nil {
		return inUse(err, "--addr", c.Addr)
	}
	defer func() { _ = listener.Close() }()
	program, page, err := c.page(ctx, s, h)
	if err != nil {
		return err
	}
	bots := 9
	if c.Bots != nil {
		bots = *c.Bots
	}
	socket, err := c.socket(h)
	if err != nil {
		return err
	}
	o := site.Options{
		Players: arenaPlayers, Bots: bots, Seed: c.Seed, Local: isLoopback(listener), UDP: socket,
		QUIC: c.quic(listener.Addr(), log),
		Hand: h, World: state, Page: page, Reveal: c.Reveal, Record: c.Record, Keep: c.Keep,
		Warn: func(err error) { log.Error("the game is no longer recorded", "as", err) },
		Lag:  link.Conditions{Loss: float32(c.Loss), Delay: int(c.Delay / site.Half), Seed: c.Seed},
	}
	room, err := site.New(o, program)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	here, _ := urls(listener.Addr(), "")
	if socket != nil {
		log.Info("programs play over UDP; tokens are at "+here+"/join",
			"address", socket.LocalAddr())
	}
	if c.Reveal {
		log.Warn("players can see what the fog hides", "inspector", here+"/debug/ecs")
	}
	announce(s.err, listener.Addr(), "", !isLoopback(listener), "reach this game",
		"serving a game; interrupt to stop", "bots", bots)
	return playUntil(ctx, room, listener)
}

// playUntil plays and serves until the context ends, or the next program takes over.
func playUntil(ctx context.Context, room *site.Room, listener net.Listener) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	played := make(chan error, 1)
	go func() {
		err := room.Run(ctx)
		if err == nil && ctx.Err() == nil {
			err = errHandedOver
		}
		played <- err
		cancel(err)
	}()
	err := serveUntil(ctx, listener, room)
	cancel(err)
	return cmp.Or(<-played, err)
}

// page returns the page's program, or a function that builds it on the first request: a program
// that replaces another must start quickly.
func (c *serve) page(ctx context.Context, s streams, h *hand.Hand) (
	program server.Program, page func() (server.Program, error), err error,
) {
	build := func() (server.Program, error) { return buildPage(ctx, s.err, site.Program) }
	if h.Supervised() {
		return program, build, nil
	}
	program, err = build()
	return program, nil, err
}

// quic returns a socket for WebTransport, on the port of the page. It returns nil if another
// program uses the port: then pages use WebSocket.
func (c *serve) quic(at net.Addr, log *slog.Logger) *net.UDPConn {
	tcp, ok := at.(*net.TCPAddr)
	if !ok {
		return nil
	}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: tcp.IP, Port: tcp.Port, Zone: tcp.Zone})
	if err != nil {
		log.Info("pages play over WebSocket alone", "as", err)
		return nil
	}
	return socket
}

// socket returns the socket of the previous program, or of --udp, or nil.
func (c *serve) socket(h *hand.Hand) (*net.UDPConn, error) {
	if c.UDP == "" {
		return nil, nil
	}
	if s, err := site.Socket(h); s != nil || err != nil {
		return s, err
	}
	at, err := net.ResolveUDPAddr("udp", string(c.UDP))
	if err != nil {
		return nil, fmt.Errorf("--udp: %w", err)
	}
	socket, err := net.ListenUDP("udp", at)
	if err != nil {
		return nil, inUse(err, "--udp", c.UDP)
	}
	return socket, nil
}
