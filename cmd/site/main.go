// Command site writes the documentation as a site: files that any web server serves, from any path.
//
//	go run ./cmd/site --out DIR            write it
//	go run ./cmd/site --out DIR --serve 8080   and show it at http://127.0.0.1:8080
//
// The README, the pages of docs/, the comments of the packages and the examples become pages with a
// menu and a search; scenes and examples run in them, compiled for the browser. Nothing is asked of
// other servers. It fails, and writes nothing, if a link leads nowhere.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

type flags struct {
	Out   string `help:"${out}"   placeholder:"DIR"  required:""`
	Serve string `help:"${serve}" placeholder:"PORT"`
	Text  bool   `help:"${text}"`
}

var help = kong.Vars{
	"out":   "Folder to write, made if need be; one that holds others' files is refused.",
	"serve": "Then serve the folder to this machine at this port.",
	"text":  "Leave out the programs that run in the pages; they take a minute to compile.",
}

// Validate refuses what is no port.
func (f *flags) Validate() error {
	if f.Serve == "" {
		return nil
	}
	if _, err := strconv.ParseUint(f.Serve, 10, 16); err != nil {
		return fmt.Errorf("--serve %s: give a port, such as 8080", f.Serve)
	}
	return nil
}

func main() {
	var f flags
	kong.Parse(&f, kong.Name("site"), kong.UsageOnError(), help,
		kong.Description("Write the documentation as a site that any web server serves."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := f.run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func (f *flags) run(ctx context.Context) error {
	root, err := checkout()
	if err != nil {
		return err
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "site: "+format+"\n", args...)
	}
	s := site{root: root, dir: f.Out, say: say}
	if err := s.write(ctx, !f.Text); err != nil {
		return err
	}
	if f.Serve == "" {
		say("show it: go run ./cmd/site --out %s --serve 8080, or any web server", f.Out)
		return nil
	}
	return serve(ctx, f.Out, f.Serve, say)
}

// checkout returns the tree that this program was compiled in, or else the working directory.
func checkout() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	for _, root := range []string{filepath.Join(filepath.Dir(file), "..", ".."), "."} {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module github.com/flatecs/flatecs\n") {
			return root, nil
		}
	}
	return "", errors.New("run this in a checkout of flatecs")
}

// serve answers this machine until the context ends.
func serve(ctx context.Context, dir, port string, say func(string, ...any)) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		return err
	}
	say("serving at http://%s; interrupt to end", listener.Addr())
	server := &http.Server{
		Handler:           http.FileServer(http.Dir(dir)),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
