// Command site writes the documentation as a site: files that any web server serves, from any path.
//
//	go run ./cmd/site --out DIR                write it
//	go run ./cmd/site --out DIR --serve 8080   and show it at http://127.0.0.1:8080
//
// The README, the pages of docs/, the comments of the packages and the examples become pages with a
// menu and a search; scenes and examples run in them, compiled for the browser. Nothing is asked of
// other servers. It fails, and writes nothing, if a link leads nowhere.
//
//	templates/front.md index.html
//	README.md          readme.html
//	docs/GUIDE.md      guide.html
//	world/*.go         pkg/world.html
//	cmd/examples/*     examples.html; the compiled programs in programs/
//	cmd/same           same.html, which runs it
//	cmd/scene/*        scenes.html, which shows the program in scenes/
//
// Every page is Markdown first: templates write that of packages, examples and scenes, so that all
// links are resolved and all code is coloured in one place.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

type flags struct {
	Out   string `help:"${out}"   placeholder:"DIR"  required:""`
	Serve uint16 `help:"${serve}" placeholder:"PORT"`
	Text  bool   `help:"${text}"`

	Digests string `help:"${digests}" placeholder:"DIR"`
}

var help = kong.Vars{
	"out":   "Folder to write, created if needed; a folder with other files is refused.",
	"serve": "Then serve the folder at this port, to this machine only.",
	"digests": "Folder of .txt files, each what cmd/same printed on a machine, for " +
		"the page The same bytes.",
	"text": "Omit the programs that run in the pages; they take a minute to compile.",
}

func main() {
	var f flags
	c := kong.Parse(&f, kong.Name("site"), kong.UsageOnError(), help,
		kong.Exit(func(code int) { os.Exit(min(code, 2)) }), // 2 for wrong usage
		kong.Description("Write the documentation as a site that any web server serves."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := f.run(ctx)
	if err != nil && ctx.Err() != nil {
		os.Exit(130) // interrupted
	}
	stop()
	c.FatalIfErrorf(err)
}

func (f *flags) run(ctx context.Context) error {
	if _, err := os.Stat("cmd/site"); err != nil {
		return errors.New("run this in the folder of a checkout of flatecs: go run ./cmd/site")
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "site: "+format+"\n", args...)
	}
	var listener net.Listener
	if f.Serve != 0 { // a used port fails before the scenes are compiled
		var err error
		listener, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", f.Serve))
		if err != nil {
			return fmt.Errorf("--serve %d: %w; give another port", f.Serve, err)
		}
		defer func() { _ = listener.Close() }()
	}
	s := site{root: ".", dir: f.Out, left: f.Digests, say: say}
	if err := s.write(ctx, !f.Text); err != nil {
		return err
	}
	if f.Serve == 0 {
		say("show it: go run ./cmd/site --out %s --serve 8080, or any web server", f.Out)
		return nil
	}
	server := &http.Server{
		Handler:           http.FileServer(http.Dir(f.Out)),
		ReadHeaderTimeout: 10 * time.Second,
	}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	say("serving at http://%s; interrupt to stop", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
