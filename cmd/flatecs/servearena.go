//go:build !js

package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"

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
	room, err := site.New(site.Options{
		Players: arenaPlayers, Bots: bots, Seed: c.Seed, Local: local,
		Lag: link.Conditions{Loss: float32(c.Loss), Delay: int(c.Delay / site.Half), Seed: c.Seed},
	}, program)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	here, others := urls(listener.Addr(), "")
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
