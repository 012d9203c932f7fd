package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/cmd/web/server"
)

// serve is the command that serves a page on which a scene runs.
type serve struct {
	pageFlags
	Addr   address       `help:"${serveaddr}" default:"127.0.0.1:8080"`
	UDP    address       `help:"arena: UDP address for programs, as --addr." placeholder:"ADDR"`
	Bots   *int          `help:"arena: players that are programs (default 9)." placeholder:"N"`
	Delay  time.Duration `help:"arena: delay each way, in steps of 25ms." placeholder:"TIME"`
	Reveal bool          `help:"arena: show players the whole world: inspector, map."`
	Loss   float64       `help:"arena: fraction of datagrams that are lost." placeholder:"SHARE"`
	Record string        `help:"arena: record into a folder of DIR." placeholder:"DIR"`
	Keep   time.Duration `help:"arena: least play time to keep in DIR; 0: all." placeholder:"TIME"`
}

// arenaScene is the name of the game for several players, which is not a scene.
const arenaScene = "arena"

// Validate refuses flags that cannot be served.
func (c *serve) Validate() error {
	switch {
	case c.Scene != arenaScene && (c.UDP != "" || c.Bots != nil ||
		c.Delay != 0 || c.Loss != 0 || c.Reveal || c.Record != "" || c.Keep != 0):
		return errors.New("--udp, --bots, --delay, --loss, --reveal, --record and --keep are for " +
			"serve arena")
	case c.Scene != arenaScene:
		return c.pageFlags.Validate()
	case c.Count != nil || c.Variant != "":
		return errors.New("an arena has no --count and no --variant; give --bots")
	case c.Bots != nil && (*c.Bots < 0 || *c.Bots > arenaPlayers/2):
		return fmt.Errorf("--bots: %d; give 0 to %d", *c.Bots, arenaPlayers/2)
	case c.Keep < 0 || c.Keep > 0 && c.Record == "":
		return errors.New("--keep: give 0s or more, and the folder by --record")
	case c.Delay < 0 || c.Delay > time.Second:
		return fmt.Errorf("--delay: %v; give 0s to 1s", c.Delay)
	case !(c.Loss >= 0 && c.Loss <= .9):
		return fmt.Errorf("--loss: %v; give 0 to 0.9", c.Loss)
	}
	return nil
}

// Run serves until it is interrupted. It listens before it builds, so that a used port fails
// immediately.
func (c *serve) Run(ctx context.Context, s streams) error {
	if c.Scene == arenaScene {
		return c.arena(ctx, s)
	}
	listener, err := net.Listen("tcp", string(c.Addr))
	if err != nil {
		return inUse(err, "--addr", c.Addr)
	}
	defer func() { _ = listener.Close() }()
	orderly(ctx)
	program, err := buildPage(ctx, s.err, server.App)
	if err != nil {
		return err
	}
	handler, err := server.NewHandler(program, c.start(), isLoopback(listener))
	if err != nil {
		return err
	}
	announce(s.err, listener.Addr(), "", !isLoopback(listener), "reach this page",
		"serving; interrupt to stop", "scene", c.Scene)
	return serveUntil(ctx, listener, handler)
}

// inUse returns the error of an address that the system refuses.
func inUse(err error, flag string, at address) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is in use; give another %s, or 127.0.0.1:0 for any free port", at,
			flag)
	}
	return fmt.Errorf("%s: %w", flag, err)
}

// serveUntil answers requests until the context ends, and returns the reason.
func serveUntil(ctx context.Context, listener net.Listener, handler http.Handler) error {
	s := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       time.Minute,
	}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return interrupted(ctx)
}
