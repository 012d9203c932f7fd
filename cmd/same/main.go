// Command same steps one world far, and prints the digest of its bytes, which is the same on every
// machine:
//
//	go run ./cmd/same               10,000 objects, 100,000 ticks
//	go run ./cmd/same -ticks 1000   fewer ticks
//	go run ./cmd/same -flip         one bit of one float differs, and is found
//
// The site's page "The same bytes" runs it in the visitor's browser. Arguments name digests to
// compare with, such as those that other machines left: linux/arm64=0123456789abcdef. It exits with
// 1 if one of them, or the golden one of the tree, is another.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/flatecs/flatecs/world"
)

// most is the default number of ticks.
const most = 100_000

// golden are the digests of the tree by ticks. Tests compare them with the results of each host;
// they change with step, and with the bytes of worlds.
var golden = map[int]string{1_000: "b451828293cb2cfb", most: "4f4b415a5cc218dd"}

func main() {
	ticks := flag.Int("ticks", most, "ticks to step, from 1")
	flipped := flag.Bool("flip", false, "have one bit differ in a second run, and find it")
	flag.Parse()
	err := fmt.Errorf("same: -ticks %d; give 1 or more", *ticks)
	switch {
	case *ticks < 1:
	case *flipped:
		err = findFlip(os.Stdout, *ticks, flip{
			tick: 1 + rand.Uint64N(uint64(*ticks)), nth: rand.IntN(objects), y: rand.N(2) > 0,
		})
	default:
		err = prove(os.Stdout, *ticks, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A meter prints the progress of a run ten times.
type meter struct {
	out   io.Writer
	ticks int
	began time.Time
	next  int
}

func newMeter(out io.Writer, ticks int) *meter {
	return &meter{out: out, ticks: ticks, began: time.Now(), next: ticks / 10}
}

func (m *meter) played(tick int) {
	if tick >= m.next {
		m.next += max(m.ticks/10, 1)
		fmt.Fprintf(m.out, "%7d of %d ticks, %s\n", tick, m.ticks, m.elapsed())
	}
}

// elapsed returns the seconds since the meter was created.
func (m *meter) elapsed() string { return fmt.Sprintf("%.1f s", time.Since(m.began).Seconds()) }

// prove steps the world and prints its digest. It compares the digest with others, given as
// name=digest, or, if there are none, with the golden digest for that number of ticks, if any.
func prove(out io.Writer, ticks int, others []string) error {
	for _, text := range others {
		if !strings.Contains(text, "=") {
			return fmt.Errorf("same: %q; give a name and a digest, as linux/arm64=%s", text,
				golden[most])
		}
	}
	s, err := begin()
	if err != nil {
		return err
	}
	defer func() { world.Close(s) }()
	fmt.Fprintf(out, "%d objects, %d ticks, on %s/%s\n", world.Len(s), ticks, runtime.GOOS,
		runtime.GOARCH)
	m := newMeter(out, ticks)
	for n := range ticks {
		if s, err = step(s); err != nil {
			return err
		}
		m.played(n + 1)
	}
	mine := fmt.Sprintf("%016x", world.Digest(s))
	fmt.Fprintf(out, "digest %s after %d ticks, in %s\n", mine, ticks, m.elapsed())
	if known := golden[ticks]; known != "" {
		others = append(others, "the tree's golden digest="+known)
	}
	return compare(out, mine, others)
}

// compare prints which digests equal mine, and returns an error if one differs.
func compare(out io.Writer, mine string, others []string) (err error) {
	for _, text := range others {
		if name, digest, _ := strings.Cut(text, "="); digest == mine {
			fmt.Fprintf(out, "the same as %s\n", name)
		} else {
			err = errors.Join(err, fmt.Errorf("same: %s has %s, and this machine %s; "+
				"report this", name, digest, mine))
		}
	}
	return err
}

// findFlip finds a flip by two parallel runs, and compares the found difference with the flip.
func findFlip(out io.Writer, ticks int, f flip) error {
	fmt.Fprintf(out, "two runs of %d objects; in the second, one bit of one float differs from "+
		"some tick on\n", objects)
	m := newMeter(out, ticks)
	d, err := find(ticks, m.played, step, f.step)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "found in %s: object %v, %s, first after tick %d: %s and %s\n", m.elapsed(),
		d.Object, d.Part, d.Tick[0]-1, d.Values[0], d.Values[1])
	if d.Tick[0]-1 != f.tick {
		return fmt.Errorf("same: it was changed after tick %d; report this", f.tick)
	}
	return nil
}
