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
	progressFrom  = 500 * time.Millisecond // how long something takes before it is shown
	progressEvery = 200 * time.Millisecond
	lineEvery     = 5 * time.Second // where there is no terminal
	unknown       = -1              // how much there is to do
)

// A progress shows how far something has come that takes long, in a line that it takes away again.
// A nil one shows nothing.
type progress struct {
	out   io.Writer
	what  string
	bytes bool // are what is counted
	blind bool // nothing is

	mu   sync.Mutex
	next time.Time // when it is to be shown
	bar  *progressbar.ProgressBar
	over bool
}

// newProgress returns a progress on stderr, or nil where that is no terminal.
func newProgress(stderr io.Writer, what string) *progress {
	file, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return nil
	}
	return &progress{out: &narrow{file: file}, what: what, next: time.Now().Add(progressFrom)}
}

// A narrow terminal gets of each line what it need not wrap: only one line is taken away again.
type narrow struct {
	file   *os.File
	column int // that comes next, from 0
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

// due reports whether it is time to show more.
func (p *progress) due() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.over && !time.Now().Before(p.next)
}

// show shows how much is done of what there is, when it is time to.
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

// end takes the line away.
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

// ofBytes returns what is told how many bytes are done of a file.
func (p *progress) ofBytes() func(done, total int64) {
	if p == nil {
		return nil
	}
	p.bytes = true
	return p.show
}

// A counter is told how much is done of what there is.
type counter func(done, total int)

// waiting shows that something goes on, until end is called. Packages that are told appear beside
// it, and where there is no terminal as a line now and then.
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

// countLines writes lines that tell a count, one each so often.
func countLines(out io.Writer, what string, every time.Duration) counter {
	next := time.Now().Add(every)
	return func(done, total int) {
		if now := time.Now(); now.After(next) {
			next = now.Add(every)
			_, _ = fmt.Fprintln(out, countText(what, done, total))
		}
	}
}

// ofSteps shows how many steps were played, of what there is to play, without counting its own
// allocations.
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
