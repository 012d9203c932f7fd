package hunt

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// Test first replays the recordings in testdata/hunt/NAME/, where NAME is the test's name, and then
// hunts. It writes a new failure there, as a recording of package record; flatecs replay --show
// prints it. The folder may also contain recordings of real matches. With -short it takes a tenth
// of the time.
func Test(tb testing.TB, g Game, o Options) {
	tb.Helper()
	g.check()
	dir := filepath.Join("testdata", "hunt", filepath.FromSlash(tb.Name()))
	files, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil {
		tb.Fatal(err)
	}
	for _, file := range files {
		inputs, without, err := recorded(&g, file)
		if err == nil {
			err = replayed(g, inputs, without)
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
		tb.Log(write(dir, &g, r.Failure))
	}
}

const suffix = ".flrec"

// A known is the description of a failure in its recording.
type known struct {
	Property string
	Without  []string // see Failure.Without
}

// write writes a failure into a folder, and returns a message with the path.
func write(dir string, g *Game, f *Failure) string {
	hash := fnv.New32a()
	_, _ = hash.Write(f.Inputs)
	file := filepath.Join(dir, fmt.Sprintf("%08x%s", hash.Sum32(), suffix))
	err := os.MkdirAll(dir, 0o750)
	if err == nil {
		var out *os.File
		if out, err = os.Create(file); err == nil {
			err = errors.Join(f.record(out, g), out.Close())
		}
	}
	if err != nil {
		return fmt.Sprintf("hunt: the failure is not written: %v", err)
	}
	return "written to " + file + "; it is played first from now on. Or, as a test of its own:\n" +
		f.Test("TestFound", "game")
}

// record records the first world and the inputs.
func (f *Failure) record(out io.Writer, g *Game) error {
	k := known{Property: f.Property}
	for _, id := range f.Without {
		k.Without = append(k.Without, fmt.Sprint(id))
	}
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	p := &player{game: g}
	if err := p.begin(f.Without); err != nil {
		return err
	}
	defer p.close()
	rec, err := record.New(out, p.state, record.Options{
		Program: string(text), Digests: -1, Wait: true, Segment: math.MaxInt64,
	})
	if err != nil {
		return err
	}
	for rest := f.Inputs; len(rest) > 0 && err == nil; rest = rest[f.size:] {
		err = rec.Record(p.state, rest[:f.size])
	}
	if len(f.Inputs) == 0 {
		return rec.End(p.state)
	}
	n := record.Note{Frame: f.Ticks() - 1, What: f.Property, Text: firstLine(f.Err)}
	return errors.Join(err, rec.Note(n), rec.Close())
}

// recorded returns the inputs of a recording, and the objects that are removed from its first
// world.
func recorded(g *Game, path string) (inputs []byte, without []world.GameObject, err error) {
	f, err := record.Read(path)
	if err != nil {
		return nil, nil, err
	}
	var k known
	_ = json.Unmarshal([]byte(f.Head.Program), &k) // matches have another text
	for _, text := range k.Without {
		id, err := tool.ParseGameObject(text)
		if err != nil {
			return nil, nil, err
		}
		without = append(without, id)
	}
	first, next := f.Frames()
	if first != 0 || next > 0 && f.Head.InputBytes != g.size() {
		return nil, nil, fmt.Errorf("hunt: a recording from frame %d on, of inputs of %d bytes: %w",
			first, f.Head.InputBytes, errText)
	}
	for frame := range next {
		input, err := f.Input(frame)
		if err != nil {
			return nil, nil, err
		}
		inputs = append(inputs, input...)
	}
	return inputs, without, nil
}

// Again replays a known failure, and fails the test if it still occurs. The text has the format of
// [Failure.Text].
func Again(tb testing.TB, g Game, text string) {
	tb.Helper()
	g.check()
	inputs, without, err := parse(text, g.size())
	if err == nil {
		err = replayed(g, inputs, without)
	}
	if err != nil {
		tb.Error(err)
	}
}

func replayed(g Game, inputs []byte, without []world.GameObject) error {
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
