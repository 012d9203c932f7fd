package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/report"
)

// A result is the final state of a shard.
type result struct {
	sum     uint64
	objects int
}

const resultLine = "result sum=%x objects=%d"

func (r *result) line() string { return fmt.Sprintf(resultLine, r.sum, r.objects) }

func (r *result) parse(line string) error {
	_, err := fmt.Sscanf(line, resultLine, &r.sum, &r.objects)
	return err
}

func (f *joinFlags) run(ctx context.Context, in io.Reader, out, log io.Writer) error {
	if f.Attached {
		ctx = attached(ctx, in)
	}
	at, err := f.server()
	if err != nil {
		return err
	}
	if !f.Attached {
		at.Log = slog.New(slog.NewTextHandler(log, nil))
	}
	nc, err := shard.Connect(at)
	if err != nil {
		return err
	}
	defer nc.Close()
	o, err := f.options(f.Shard)
	if err != nil {
		return err
	}
	defer o.Schedule.Close()
	o.Holder, o.Patience, o.Replicas = f.Holder, f.Patience, f.Replicas
	tell := tellTicks(out)
	if f.Attached {
		log = io.Discard
	} else {
		tell = f.logTicks(log)
		o.Log = slog.New(slog.NewTextHandler(log, nil))
	}
	s, err := shard.Start(ctx, nc, o)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := f.begun(s.Tick(), out); err != nil {
		return err
	}
	w, err := watch(s, o, newBoard(&f.simulation), f.Inspect, log)
	if err != nil {
		return err
	}
	defer w.close()
	r, err := w.play(ctx, f.Ticks, tell)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, r.line())
	return err
}

// begun prints the tick from which the shard continues. It returns an error if that is after the
// end.
func (f *joinFlags) begun(tick uint64, out io.Writer) error {
	if tick > f.Ticks {
		return fmt.Errorf("shard: the store has shard %d at tick %d, and --ticks is %d; give "+
			"more, or another --dir of the server", f.Shard, tick, f.Ticks)
	}
	if tick == 0 || !f.Attached {
		return nil
	}
	_, err := fmt.Fprintln(out, "from", tick)
	return err
}

// server returns the arguments of [shard.Connect].
func (f *client) server() (shard.Server, error) {
	s := shard.Server{URL: f.URL, User: f.User, Seed: f.Nkey, Credentials: f.Creds}
	var err error
	if s.Password, err = f.password(os.Getenv); err != nil || f.CA == "" {
		return s, err
	}
	text, err := textOf(f.CA)
	if err != nil {
		return s, fmt.Errorf("shard: --ca: %w", err)
	}
	s.TLS = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: x509.NewCertPool()}
	if !s.TLS.RootCAs.AppendCertsFromPEM([]byte(text)) {
		return s, fmt.Errorf("shard: --ca: %s has no certificate; give a PEM file", f.CA)
	}
	return s, nil
}

// A teller receives each tick, and a report if there is one.
type teller func(tick uint64, r *report.Report) error

// tellTicks writes ticks and reports for the parent process.
func tellTicks(out io.Writer) teller {
	return func(tick uint64, r *report.Report) error {
		if r == nil {
			_, err := fmt.Fprintln(out, "tick", tick)
			return err
		}
		text, err := json.Marshal(r)
		if err == nil {
			_, err = fmt.Fprintf(out, "report %s\ntick %d\n", text, tick)
		}
		return err
	}
}

const logEvery = 10 * time.Second

// logTicks logs reports at intervals, and the lack of ticks.
func (f *joinFlags) logTicks(log io.Writer) teller {
	l, next := slog.New(slog.NewTextHandler(log, nil)), time.Now().Add(logEvery)
	waits := time.AfterFunc(logEvery, func() {
		l.Warn("waits for a neighbour or the server", "shard", f.Shard, "for", logEvery)
	})
	return func(tick uint64, r *report.Report) error {
		if waits.Reset(logEvery); tick == f.Ticks {
			waits.Stop()
		}
		if now := time.Now(); r != nil && (now.After(next) || tick == f.Ticks) {
			next = now.Add(logEvery)
			l.Info("runs", "now", *r)
		}
		return nil
	}
}

// play steps to the last tick, and returns the result.
func (w *watched) play(ctx context.Context, ticks uint64, tell teller) (result, error) {
	for w.Tick() < ticks {
		if err := w.Step(ctx); err != nil {
			return result{}, err
		}
		r, err := w.report(w.Tick() == ticks)
		if err == nil {
			err = tell(w.Tick(), r)
		}
		if err != nil {
			return result{}, err
		}
	}
	sum, objects, err := w.Digest()
	return result{sum, objects}, err
}
