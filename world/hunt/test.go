package hunt

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Test replays the failures of earlier hunts, and hunts. It writes new failures to
// testdata/hunt/NAME/, where NAME is the test's name, and replays them first from then on. With
// -short it takes a tenth of the time.
func Test(tb testing.TB, g Game, o Options) {
	tb.Helper()
	dir := filepath.Join("testdata", "hunt", filepath.FromSlash(tb.Name()))
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = again(g, string(text))
		}
		if err != nil {
			tb.Errorf("%s: %v", file, err)
		}
	}
	if tb.Failed() {
		return
	}
	if o = o.filled(); testing.Short() {
		o.For /= 10
	}
	r, err := Run(g, o)
	switch {
	case err != nil:
		tb.Fatal(err)
	case r.Failure == nil:
		tb.Log(r)
	default:
		tb.Error(r.Failure)
		tb.Log(write(dir, r.Failure))
	}
}

// write writes a failure into a folder, and says where.
func write(dir string, f *Failure) string {
	hash := fnv.New32a()
	_, _ = hash.Write(f.Inputs)
	file := filepath.Join(dir, fmt.Sprintf("%08x.txt", hash.Sum32()))
	text := "# " + f.Property + ": " + firstLine(f.Err) + "\n" + f.Text()
	err := os.MkdirAll(dir, 0o750)
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o600)
	}
	if err != nil {
		return fmt.Sprintf("hunt: the failure is not written: %v", err)
	}
	return "written to " + file + "; it is played first from now on. Or, as a test of its own:\n" +
		f.Test("TestFound", "game")
}

// Again replays a known failure, and fails the test as long as it occurs. The text is that of
// [Failure.Text], or of a file written by [Test].
func Again(tb testing.TB, g Game, text string) {
	tb.Helper()
	if err := again(g, text); err != nil {
		tb.Error(err)
	}
}

func again(g Game, text string) error {
	g.check()
	inputs, without, err := parse(text, g.size())
	if err != nil {
		return err
	}
	strict := g
	strict.Always = append(append([]Property(nil), g.Always...), g.Rarely...)
	p, err := newPlayer(&strict, without, 1, all)
	if err != nil {
		return err
	}
	defer p.close()
	f := p.play(inputs)
	if f == nil {
		f, _ = p.deeply()
	}
	if f == nil {
		return nil
	}
	return fmt.Errorf("hunt: %s, after %d of %d ticks: %w", f.property, f.tick,
		len(inputs)/g.size(), f.err)
}

// Fuzz lets go test -fuzz choose the inputs, guided by coverage. It plays fewer games per second
// than [Run].
func Fuzz(f *testing.F, g Game) {
	f.Helper()
	g.check()
	f.Add(make([]byte, g.size()))
	shrinking := Options{Shrink: time.Second}.filled()
	f.Fuzz(func(t *testing.T, inputs []byte) {
		const most = 1000
		p, err := newPlayer(&g, nil, 1, all)
		if err != nil {
			t.Fatal(err)
		}
		defer p.close()
		inputs = inputs[:min(len(inputs), most*g.size())/g.size()*g.size()]
		if fault := p.play(inputs); fault != nil {
			failure, err := shrink(&g, fault, inputs[:fault.tick*g.size()], &shrinking)
			if err != nil {
				t.Fatal(err)
			}
			t.Error(failure)
		}
	})
}
