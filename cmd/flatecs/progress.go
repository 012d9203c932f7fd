package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/flatecs/flatecs/world"
)

const (
	progressFrom  = 500 * time.Millisecond // delay before the progress is shown
	progressEvery = 200 * time.Millisecond
	lineEvery     = 5 * time.Second // without a terminal
	unknown       = -1              // total amount not known
)

// A progress shows the progress of a long operation in a line, which it removes at the end. A nil
// progress shows nothing.
type progress struct {
	out   io.Writer
	what  string
	bytes bool // the unit is bytes
	blind bool // nothing is counted

	mu   sync.Mutex
	next time.Time // time of the next update
	bar  *progressbar.ProgressBar
	over bool
}

// newProgress returns a progress on stderr, or nil if stderr is not a terminal.
func newProgress(stderr io.Writer, what string) *progress {
	file, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return &progress{out: &narrow{file: file}, what: what, next: time.Now().Add(progressFrom)}
}

// A narrow cuts lines to the width of a terminal so that they do not wrap: only one line is removed
// at the end.
type narrow struct {
	file   *os.File
	column int // the next column, from 0
}

func (n *narrow) Write(b []byte) (int, error) {
	width, _, err := term.GetSize(int(n.file.Fd()))
	var fits strings.Builder
	for _, r := range string(b) {
		if r == '\r' || r == '\n' {
			n.column = 0
		} else if n.column++; err == nil && n.column >= width {
			continue
		}
		fits.WriteRune(r)
	}
	if _, err := io.WriteString(n.file, fits.String()); err != nil {
		return 0, err
	}
	return len(b), nil
}

// due reports whether an update is due.
func (p *progress) due() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.over && !time.Now().Before(p.next)
}

// show updates the line if that is due.
func (p *progress) show(done, total int64) {
	if !p.due() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = time.Now().Add(progressEvery)
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription(p.what), progressbar.OptionSetWidth(20),
			progressbar.OptionShowBytes(p.bytes), progressbar.OptionSetSpinnerChangeInterval(0))
		if !p.blind {
			progressbar.OptionShowCount()(p.bar)
		}
	}
	_ = p.bar.Set64(done)
}

// end removes the line.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over = true; p.bar != nil {
		_ = p.bar.Clear()
	}
}

// ofBytes returns a function that shows the progress in bytes of a file.
func (p *progress) ofBytes() func(done, total int64) {
	if p == nil {
		return nil
	}
	p.bytes = true
	return p.show
}

// A counter receives the progress of an operation.
type counter func(done, total int)

// waiting shows that an operation is running until end is called. Package counts appear beside it;
// without a terminal they are printed as lines at intervals.
func waiting(stderr io.Writer, what string) (packages counter, end func()) {
	p := newProgress(stderr, what)
	if p == nil {
		return countLines(stderr, what, lineEvery), func() {}
	}
	p.blind = true
	packages = func(done, total int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.what = countText(what, done, total); p.bar != nil && !p.over {
			p.bar.Describe(p.what)
		}
	}
	over := make(chan struct{})
	go func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for n := int64(0); ; n++ {
			select {
			case <-over:
				return
			case <-tick.C:
				p.show(n, unknown)
			}
		}
	}()
	return packages, func() { close(over); p.end() }
}

func countText(what string, done, total int) string {
	return fmt.Sprintf("%s: %d of %d packages", what, done, total)
}

// countLines returns a counter that prints a line per interval.
func countLines(out io.Writer, what string, every time.Duration) counter {
	next := time.Now().Add(every)
	return func(done, total int) {
		if now := time.Now(); now.After(next) {
			next = now.Add(every)
			_, _ = fmt.Fprintln(out, countText(what, done, total))
		}
	}
}

// ofSteps shows the progress in steps, without counting its own allocations.
func (p *progress) ofSteps(a *allocations, far func(played uint64) (done, total int64)) watcher {
	return watcher{
		stepped: func(played uint64, _ world.State) error {
			if p.due() {
				a.unwatch()
				p.show(far(played))
				a.watch()
			}
			return nil
		},
		ended: func(uint64, world.State, error) error { p.end(); return nil },
	}
}
