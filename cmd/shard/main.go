// Command shard runs a crowd on several shards, each a process, and prints the digest of all
// objects after the last tick. The digest is the same for any number of shards, even if processes
// are killed meanwhile.
//
//	go run ./cmd/shard run --shards 4 --count 100000 --ticks 600 --seed 1
//	go run ./cmd/shard run --shards 3 --count 20000 --ticks 300 --kill 10
//
// It starts a server and the shards on this machine. On several, start a server by serve and a
// shard on each by join:
//
//	export FLATECS_SHARD_PASSWORD=…
//	shard serve --dir store --host 10.0.0.1 --user crowd
//	shard join --url nats://10.0.0.1:4222 --user crowd --shards 2 --shard 0 --ticks 600
//	shard join --url nats://10.0.0.1:4222 --user crowd --shards 2 --shard 1 --ticks 600
//	shard propose --url nats://10.0.0.1:4222 --user crowd --x 300
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/world/shard/server"
)

// A simulation is the flags that all processes of a run share.
type simulation struct {
	Shards  int     `default:"4" help:"Shards, which are strips along x."`
	Objects int     `name:"count" default:"100000" help:"People."`
	Ticks   uint64  `default:"600" help:"Ticks to run."`
	Seed    uint64  `default:"1" help:"Seed of places and of random numbers."`
	Speed   float32 `default:"1" help:"World units that people walk along x per tick."`
	Every   int     `default:"100" help:"Ticks between snapshots."`
	Workers int     `default:"1" help:"Goroutines per shard."`
}

type flags struct {
	Run   runFlags   `cmd:"" help:"Run all shards on this machine."`
	Serve serveFlags `cmd:"" help:"Start a server for shards on several machines."`
	Join  joinFlags  `cmd:"" help:"Run one shard that connects to a server."`
	Model modelFlags `cmd:"" help:"Compute the speed of many shards."`

	Measure measureFlags `cmd:"" help:"Measure the speed of shards on this machine."`
	Propose proposeFlags `cmd:"" help:"Move the borders of all shards, or change builds."`
}

type runFlags struct {
	simulation
	Kill    int    `help:"Kill -9 this many random shards, or the server, at random ticks."`
	Dir     string `help:"Folder for the store, kept (default: a temporary one)." type:"path"`
	Prove   bool   `help:"Run again in one process, and compare the digests."`
	Inspect string `placeholder:"ADDR" help:"${inspect}"`
}

type serveFlags struct {
	secret
	Dir      string `required:"" help:"Folder for the store." type:"path"`
	Host     string `help:"Address to listen on; 127.0.0.1 unless --config sets it."`
	Port     *int   `help:"Port; 4222 unless --config sets it; 0: any free one."`
	Config   string `help:"${config}" type:"existingfile"`
	Attached bool   `hidden:"" help:"End at the end of stdin."`
}

// A client is the flags for connecting to a server.
type client struct {
	secret
	URL   string `required:"" help:"URLs of the server, or of a cluster's, with commas."`
	Nkey  string `help:"File with the seed of an nkey." type:"existingfile"`
	Creds string `help:"File with a user's JWT and seed." type:"existingfile"`
	CA    string `help:"${ca}" type:"existingfile"`
}

type joinFlags struct {
	simulation
	client
	Shard    int    `required:"" help:"Number of this shard, from 0."`
	Inspect  string `placeholder:"ADDR" help:"${inspectone}"`
	Holder   string `help:"Name by which a supervisor replaces this process at once."`
	Attached bool   `hidden:"" help:"End at the end of stdin, and report each tick."`

	Patience time.Duration `default:"1m" help:"How long servers and neighbours may be silent."`
	Replicas int           `help:"Servers of a cluster that keep each message; 0: unchanged."`
}

// helps are the longer help texts.
var helps = kong.Vars{
	"ca": "File with the certificates that sign the server's, for tls:// URLs.",
	"password": "Password of the user, visible to others on the machine; prefer " +
		passwordKey + ".",
	"config":     "Configuration of nats-server, for users, permissions and TLS.",
	"inspectone": "Show the shard at http://ADDR/debug/ecs, to this machine only; a port will do.",
	"inspect": "Show all shards at http://ADDR/debug/shards while they run, with buttons that " +
		"kill them, to this machine only; a port will do.",
}

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // the collector does not count worlds: docs/PROFILING.md
	}
	var f flags
	parsed := kong.Parse(&f, kong.Name("shard"), kong.UsageOnError(), helps,
		kong.Exit(func(code int) { os.Exit(min(code, 2)) }), // 2 for wrong usage
		kong.Description("Run a crowd on several shards."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := map[string]func() error{
		"run":     func() error { return f.Run.run(ctx, os.Stdout, os.Stderr) },
		"serve":   func() error { return f.Serve.run(ctx, os.Stdin, os.Stdout, os.Stderr) },
		"model":   func() error { return f.Model.run(os.Stdout) },
		"measure": func() error { return f.Measure.run(ctx, os.Stdout, os.Stderr) },
		"join":    func() error { return f.Join.run(ctx, os.Stdin, os.Stdout, os.Stderr) },
		"propose": func() error { return f.Propose.run(ctx, os.Stdout) },
	}[parsed.Command()]()
	if err != nil && ctx.Err() != nil {
		os.Exit(130) // interrupted
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// attached returns a context that ends with stdin, so that no process outlives its parent.
func attached(ctx context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, in) // an error ends it as well
	}()
	return ctx
}

func (f *serveFlags) run(ctx context.Context, in io.Reader, out, log io.Writer) (err error) {
	password, err := f.password(os.Getenv)
	if err != nil {
		return err
	}
	if f.Attached {
		ctx = attached(ctx, in)
	}
	const usual = 4222
	port := 0
	switch {
	case f.Port != nil:
		port = *f.Port
	case f.Config == "":
		port = usual
	}
	s, err := server.Start(server.Options{
		Dir: f.Dir, Host: f.Host, Port: port, User: f.User, Password: password,
		Config: f.Config, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if _, err := fmt.Fprintln(out, "ready", s.URL()); err != nil {
		return err
	}
	return s.Wait(ctx)
}
