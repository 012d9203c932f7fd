package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	terminal "github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/world/hand"
)

// dev is the command that plays a program, and replaces it when its source changes.
type dev struct {
	Trial   time.Duration `help:"How long the old version is kept in reserve." default:"1s"`
	Wait    time.Duration `help:"Time limit for a new version to be ready." default:"5s"`
	Loop    time.Duration `help:"How much of the past each new version repeats."`
	Undo    uint8         `help:"Number of changes that the key u can undo." default:"3"`
	Keep    time.Duration `help:"${devkeep}"  default:"1s"`
	Revive  time.Duration `help:"Restart a program that dies after running this long."`
	Keys    bool          `help:"Read u and r, each followed by Enter." default:"true" negatable:""`
	Package string        `arg:"" help:"The package of the program, such as ./cmd/game."`
	Args    []string      `arg:"" optional:"" passthrough:"" help:"The program's arguments."`
}

// A developing is a program that runs while its source changes.
type developing struct {
	folder string // for built programs
	pkg    string
	in     *os.File // the terminal, if any
	err    io.Writer
	orders chan hand.Order
	number int
	built  atomic.Int64 // nanoseconds of the last build
	cooked *term.State  // initial state of the terminal; nil: no terminal

	mutex sync.Mutex
	shown string    // repeated in a terminal, because the game draws over it
	until time.Time // zero: no end
	rows  int       // rows of the terminal that shown takes
}

// Run builds and starts the program, and rebuilds it while it runs.
func (c *dev) Run(ctx context.Context, s streams) error {
	removeLeftovers()
	folder, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", devFolder, os.Getpid()))
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	d := &developing{
		folder: folder, pkg: c.Package, in: os.Stdin, err: s.err, orders: make(chan hand.Order),
	}
	if state, err := term.GetState(int(os.Stdin.Fd())); err == nil {
		d.cooked = state
	}
	orderly(ctx)
	source, err := newSource(ctx, c.Package)
	if err != nil {
		return err
	}
	_, built := waiting(s.err, "building "+c.Package)
	path, err := d.build(ctx)
	built()
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go d.watch(watching, source)
	if c.Keys {
		go d.listen(watching, os.Stdin)
	}
	code, err := hand.Supervise(hand.Supervisor{
		Path: path, Args: c.Args, Trial: c.Trial, Deadline: c.Wait, Still: c.Wait,
		Undo: int(c.Undo), Keep: c.Keep, Revive: c.Revive, Loop: c.Loop,
		Orders: d.orders, Told: d.tell,
	})
	if err == nil && code != 0 {
		err = exited(code)
	}
	return err
}

const devFolder = "flatecs-dev-" // prefix of folders for built programs; the process id follows

// removeLeftovers removes the folders of killed processes.
func removeLeftovers() {
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), devFolder+"*-*"))
	for _, folder := range folders {
		number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), devFolder), "-")
		pid, err := strconv.Atoi(number)
		if err != nil || pid <= 0 {
			continue
		}
		process, err := os.FindProcess(pid)
		if err == nil && errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone) {
			_ = os.RemoveAll(folder)
		}
	}
}

// exited is the error of a program that exited with a code, which becomes this program's exit code.
type exited int

func (e exited) Error() string { return fmt.Sprintf("the program exited with code %d", int(e)) }

// build builds the program into a new file.
func (d *developing) build(ctx context.Context) (string, error) {
	d.number++
	name := filepath.Base(d.pkg)
	if abs, err := filepath.Abs(d.pkg); err == nil {
		name = filepath.Base(abs)
	}
	path := filepath.Join(d.folder, fmt.Sprint(name, "-", d.number))
	begin := time.Now()
	out, err := goTool(ctx, d.folder, "build", "-ldflags", "-s -w", "-o", path, d.pkg)
	d.built.Store(int64(time.Since(begin)))
	if err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", d.pkg, err, strings.TrimSpace(out))
	}
	return path, nil
}

// watch rebuilds the program when its source changes, and hands it to the supervisor, until ctx
// ends.
func (d *developing) watch(ctx context.Context, source *source) {
	const look, again = 50 * time.Millisecond, 5
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if !source.changed() {
			if n%again == 0 {
				d.remind()
			}
			continue
		}
		path, err := d.build(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			d.showFor(err.Error(), 0)
			continue
		}
		d.order(ctx, hand.Order{Path: path})
		source.renew(ctx, d.pkg)
	}
}

// order sends an order to the supervisor, unless ctx ends first.
func (d *developing) order(ctx context.Context, o hand.Order) {
	select {
	case d.orders <- o:
	case <-ctx.Done():
	}
}

// listen turns typed lines into orders, until ctx ends. A game that draws in the terminal reads the
// keys itself.
func (d *developing) listen(ctx context.Context, in *os.File) {
	const look = 50 * time.Millisecond
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		switch typedLine(in) {
		case "u":
			d.order(ctx, hand.Order{What: hand.Undo})
		case "r":
			d.order(ctx, hand.Order{What: hand.Again})
		}
	}
}

// tell shows an event: failures until the next version, other events for a while.
func (d *developing) tell(e hand.Event) {
	const while = 4 * time.Second
	e.Path = filepath.Base(e.Path)
	switch e.What {
	case hand.Plays:
		built := time.Duration(d.built.Load()).Round(time.Millisecond)
		d.showFor(fmt.Sprintf("built in %v; %s", built, e), while)
	case hand.Refused, hand.Back:
		d.showFor(e.String(), 0)
	case hand.Kept:
		if !isTerminal(d.err) {
			d.show(e.String())
		}
	case hand.Undone:
		d.showFor(e.String(), while)
	case hand.Died:
		d.takeBack()
		d.showFor(e.String()+"\nchange the source, or type u and Enter to undo the last change", 0)
	}
}

// takeBack restores keys and screen after a game that used the terminal has died.
func (d *developing) takeBack() {
	if d.cooked == nil {
		return
	}
	_ = term.Restore(int(os.Stdin.Fd()), d.cooked)
	if isTerminal(d.err) {
		_, _ = io.WriteString(d.err, terminal.Leave)
	}
}

// showFor shows a text; in a terminal it stays for the given duration, 0: until the next text.
func (d *developing) showFor(text string, long time.Duration) {
	d.mutex.Lock()
	d.shown, d.until = text, time.Time{}
	if long > 0 {
		d.until = time.Now().Add(long)
	}
	d.mutex.Unlock()
	d.show(text)
}

// remind repeats the text over the game's drawing, and finally clears it.
func (d *developing) remind() {
	d.mutex.Lock()
	text, was := d.shown, d.shown
	if !d.until.IsZero() && time.Now().After(d.until) {
		d.shown, text = "", ""
	}
	d.mutex.Unlock()
	if was != "" && d.drawnOver() {
		d.show(text)
	}
}

// drawnOver reports whether a game may draw over the text, because it reads the keys of the
// terminal. Other games write lines, which scroll together with the text.
func (d *developing) drawnOver() bool { return isTerminal(d.err) && takesKeys(d.in) }

// show writes a text: as lines, or in the first rows of a terminal in which a game draws.
func (d *developing) show(text string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if !d.drawnOver() {
		d.rows = 0
		_, _ = fmt.Fprintln(d.err, text)
		return
	}
	width, height, err := term.GetSize(int(d.in.Fd()))
	if err != nil {
		width, height = 80, 24
	}
	rows := wrap(text, width, min(12, height))
	var b strings.Builder
	b.WriteString("\x1b7\x1b[0m")
	for i := range max(len(rows), d.rows) {
		row := ""
		if i < len(rows) {
			row = rows[i]
		}
		fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2K%s", i+1, row)
	}
	b.WriteString("\x1b8")
	d.rows = len(rows)
	_, _ = io.WriteString(d.err, b.String())
}

// wrap returns the rows of a text in a terminal of this width, most rows at most.
func wrap(text string, width, most int) (rows []string) {
	for line := range strings.SplitSeq(text, "\n") {
		row := []rune(printable(strings.ReplaceAll(line, "\t", "  ")))
		for ; len(row) > max(width, 1); row = row[max(width, 1):] {
			rows = append(rows, string(row[:max(width, 1)]))
		}
		rows = append(rows, string(row))
	}
	return rows[:min(len(rows), max(most, 1))]
}
