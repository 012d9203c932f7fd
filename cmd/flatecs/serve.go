package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/cmd/web/server"
)

// serve is the command that lets a scene run in a browser.
type serve struct {
	pageFlags
	Addr address `help:"${serveaddr}" default:"127.0.0.1:8080"`
}

// Help shows what the command can do.
func (c *serve) Help() string {
	return examples(
		"serve", "all scenes at http://127.0.0.1:8080, the heroes first",
		"serve flappy --variant passed", "the game, with pipes counted",
		"serve cubes --count 50000 --addr 9000", "another port",
	)
}

// Run serves until it is interrupted. It listens before it builds, so that a port in use is known
// at once.
func (c *serve) Run(ctx context.Context, s streams) error {
	log := slog.New(slog.NewTextHandler(s.err, nil))
	listener, err := net.Listen("tcp", string(c.Addr))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is in use; give another --addr, or 127.0.0.1:0 for any free port",
			c.Addr)
	}
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer func() { _ = listener.Close() }()
	orderly(ctx)
	program, err := buildPage(ctx, s.err)
	if err != nil {
		return err
	}
	tcp, isTCP := listener.Addr().(*net.TCPAddr)
	loopback := isTCP && tcp.IP.IsLoopback()
	handler, err := server.NewHandler(program, c.start(), loopback)
	if err != nil {
		return err
	}
	here, others := urls(listener.Addr(), "")
	if !loopback {
		log.Warn("other machines can reach this page", "url", others)
	}
	log.Info("serving; interrupt to end", "scene", c.Scene, "url", here)
	return serveUntil(ctx, listener, handler)
}

// serveUntil answers requests until the context ends, and returns why.
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
