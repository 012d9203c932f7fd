package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// serve is the command that lets a scene run in a browser.
type serve struct {
	Scene   string  `help:"${servescene}"   default:"heroes" arg:"" optional:""`
	Addr    address `help:"${serveaddr}"    default:"127.0.0.1:8080"`
	Count   *int    `help:"${servecount}"   placeholder:"N"`
	Seed    uint64  `help:"${seed}"         default:"1"`
	Variant string  `help:"${servevariant}" placeholder:"NAME"`
}

// Validate refuses what no scene is like.
func (c *serve) Validate() error {
	sc, err := gallery.ByName(c.Scene)
	if err != nil {
		return err
	}
	if c.Variant != "" && !slices.Contains(sc.Variants, c.Variant) {
		return fmt.Errorf("--variant: %s has no variant %q; it has %q",
			c.Scene, c.Variant, sc.Variants)
	}
	if c.Count != nil && *c.Count < 0 {
		return fmt.Errorf("--count: %d objects; give 0 or more", *c.Count)
	}
	return nil
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
	log.Info("building the page's program; the first time takes about a minute")
	built := waiting(s.err, "building")
	program, err := server.Build(ctx)
	built()
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	if err != nil {
		return err
	}
	tcp, isTCP := listener.Addr().(*net.TCPAddr)
	loopback := isTCP && tcp.IP.IsLoopback()
	handler, err := server.NewHandler(program, server.Start{
		Scene: c.Scene, Count: c.Count, Seed: c.Seed, Variant: c.Variant,
	}, loopback)
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
