//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"syscall"

	"github.com/flatecs/flatecs/cmd/arena/site"
	"github.com/flatecs/flatecs/world/link"
)

// arenaPlayers is how many may play in an arena, bots among them.
const arenaPlayers = 1024

// arena serves an arena until it is interrupted.
func (c *serve) arena(ctx context.Context, s streams, listener net.Listener) error {
	log := slog.New(slog.NewTextHandler(s.err, nil))
	program, err := buildPage(ctx, s.err, site.Program)
	if err != nil {
		return err
	}
	bots := 20
	if c.Bots != nil {
		bots = *c.Bots
	}
	tcp, isTCP := listener.Addr().(*net.TCPAddr)
	local := isTCP && tcp.IP.IsLoopback()
	socket, err := c.socket()
	if err != nil {
		return err
	}
	room, err := site.New(site.Options{
		Players: arenaPlayers, Bots: bots, Seed: c.Seed, Local: local, UDP: socket,
		Lag: link.Conditions{Loss: float32(c.Loss), Delay: int(c.Delay / site.Half), Seed: c.Seed},
	}, program)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	here, others := urls(listener.Addr(), "")
	if socket != nil {
		log.Info("programs play over UDP: flatecs join --udp "+here, "address", socket.LocalAddr())
	}
	if !local {
		log.Warn("other machines can reach this game", "url", others)
	}
	log.Info("serving a game; interrupt to end", "bots", bots, "url", here,
		"inspector", here+"/debug/ecs")
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { cancel(room.Run(ctx)) }()
	return serveUntil(ctx, listener, room)
}

// socket returns the socket of --udp, or nil.
func (c *serve) socket() (*net.UDPConn, error) {
	if c.UDP == "" {
		return nil, nil
	}
	at, err := net.ResolveUDPAddr("udp", string(c.UDP))
	if err != nil {
		return nil, fmt.Errorf("--udp: %w", err)
	}
	socket, err := net.ListenUDP("udp", at)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use; give another --udp, or 127.0.0.1:0 for any free port",
			c.UDP)
	}
	if err != nil {
		return nil, fmt.Errorf("--udp: %w", err)
	}
	return socket, nil
}
