package term

import (
	"encoding/binary"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
)

func positions(values ...float64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}

var three = positions(-1, 0, 0, 1, 0, 0, 0, 1, 0)

func drawFrame(c *Canvas) (render.Report, error) {
	c.Begin()
	c.DrawInstances("instance", three)
	c.DrawOne(7, three[12:])
	c.DrawText(render.Text{Text: "score 12", X: 2, Y: 6, Size: 8, Colour: render.RGB(0xffffff)})
	return c.End()
}

// A watcher reads what a program writes to its terminal.
type watcher struct {
	window *os.File
	all    chan string
}

func watch(window *os.File) *watcher {
	w := &watcher{window, make(chan string, 1000)}
	go func() {
		buffer := make([]byte, 1<<16)
		for {
			n, err := window.Read(buffer)
			if err != nil {
				close(w.all)
				return
			}
			w.all <- string(buffer[:n])
		}
	}()
	return w
}

// until feeds an emulator until the condition holds.
func (w *watcher) until(t *testing.T, e *emulator, what string, condition func() bool) {
	t.Helper()
	limit := time.After(time.Minute)
	for !condition() {
		select {
		case text, ok := <-w.all:
			if !ok {
				t.Fatalf("the terminal was closed before %s", what)
			}
			e.feed(text)
		case <-limit:
			t.Fatalf("not %s", what)
		}
	}
}

func TestTakesAndGivesBack(t *testing.T) {
	program, window := openTerminal(t)
	w, e := watch(window), newEmulator(t, 40, 12)
	c := New(render.Look{}, Options{Out: program, In: program, Depth: TrueColour})
	c.Init()
	assert.True(t, isRaw(t, program))
	report := must(drawFrame(c))
	assert.Equal(t, render.Report{
		DrawCalls: 3, Batches: 1, Instances: 3, Singles: 1, Texts: 1, Bytes: 72,
	}, report)
	w.until(t, e, "the text", func() bool { return strings.Contains(e.line(1), "score 12") })
	assert.True(t, e.alternate)
	assert.False(t, e.cursor)

	require.NoError(t, c.Close())
	require.NoError(t, c.Close(), "again")
	w.until(t, e, "given back", func() bool { return !e.alternate && e.cursor })
	assert.False(t, isRaw(t, program))
}

func TestFollowsTheWindow(t *testing.T) {
	program, window := openTerminal(t)
	w, e := watch(window), newEmulator(t, 40, 12)
	c := New(render.Look{}, Options{Out: program, Depth: TrueColour})
	defer c.Close()
	c.Init()
	must(drawFrame(c))
	w.until(t, e, "the text", func() bool { return strings.Contains(e.line(1), "score 12") })

	setSize(t, window, 20, 5)
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGWINCH))
	assert.Eventually(t, func() bool {
		_, err := drawFrame(c)
		return err == nil && c.screen.cols == 20 && c.screen.rows == 5
	}, time.Minute, 5*time.Millisecond)
	w.until(t, e, "drawn anew", func() bool {
		seen := string([]rune(e.line(1))[:20])
		return strings.Contains(seen, "score 12") && strings.TrimSpace(e.line(6)) == ""
	})
}

func TestKeysArrive(t *testing.T) {
	program, window := openTerminal(t)
	interrupted := make(chan os.Signal, 1)
	c := New(render.Look{}, Options{
		Out: program, In: program, Depth: TrueColour,
		Signal: func(s os.Signal) { interrupted <- s },
	})
	defer c.Close()
	c.Init()
	must(window.WriteString(" \x1b[A"))
	assert.Equal(t, Space, <-c.Keys())
	assert.Equal(t, Up, <-c.Keys())
	must(window.WriteString("\x03"))
	assert.Equal(t, os.Interrupt, <-interrupted)
	assert.False(t, isRaw(t, program), "given back before")
	_, err := drawFrame(c)
	require.NoError(t, err, "drawing goes on, nowhere")
}

func TestFilesGetTheLastFrame(t *testing.T) {
	f := must(os.CreateTemp(t.TempDir(), ""))
	defer f.Close()
	c := New(render.Look{}, Options{Out: f, In: f, Depth: TrueColour, Cols: 30, Rows: 10})
	c.Init()
	_, open := <-c.Keys()
	assert.False(t, open, "no keys")
	for range 3 {
		must(drawFrame(c))
	}
	require.NoError(t, c.Close())
	require.NoError(t, c.Close(), "again")
	all := must(os.ReadFile(f.Name()))
	lines := strings.Split(string(all), "\n")
	assert.Len(t, lines, 11)
	assert.Contains(t, lines[1], "score 12")
	assert.NotContains(t, string(all), "\x1b")
	assert.Regexp(t, "[#%@]", string(all), "the object drawn by itself")
}

func TestFullDisk(t *testing.T) {
	f := must(os.OpenFile("/dev/full", os.O_WRONLY, 0))
	defer f.Close()
	c := New(render.Look{}, Options{Out: f})
	c.Init()
	must(drawFrame(c))
	require.ErrorContains(t, c.Close(), "term: the last frame could not be written: ")
}

// Texts in cells keep their distance from the plane's sides, in proportion.
func TestTextsArePlaced(t *testing.T) {
	f := must(os.CreateTemp(t.TempDir(), ""))
	defer f.Close()
	c := New(render.Look{W: 100, H: 100}, Options{Out: f, Cols: 60, Rows: 20})
	wide := render.TextWidth("score") * 10
	c.Begin()
	for i, x := range []float32{0, (100 - wide) / 2, 100 - wide} {
		c.DrawText(render.Text{Text: "score", X: x, Y: 20 + 30*float32(i), Size: 10})
	}
	c.DrawText(render.Text{Text: "a text longer than that" + strings.Repeat("!", 60), Y: 99, Size: 10})
	must(c.End())
	require.NoError(t, c.Close())
	lines := strings.Split(string(must(os.ReadFile(f.Name()))), "\n")
	assert.Equal(t, 10, strings.Index(lines[3], "score"), "the plane is 40 cells wide")
	assert.Equal(t, 27, strings.Index(lines[9], "score"))
	assert.Equal(t, 45, strings.Index(lines[15], "score"))
	assert.Equal(t, 0, strings.Index(lines[19], "a text longer"))
}

const childKind = "FLATECS_TERM_CHILD"

// TestChild is no test of its own: it is the program of TestGivenBackAtTheEnd.
func TestChild(t *testing.T) {
	kind := os.Getenv(childKind)
	if kind == "" {
		return
	}
	c := New(render.Look{}, Options{Out: os.Stdout, In: os.Stdin, Depth: TrueColour})
	defer c.Close()
	c.Init()
	for parent := os.Getppid(); os.Getppid() == parent; { // under nohup nothing else may tell it
		if _, err := drawFrame(c); err != nil {
			t.Fatal(err)
		}
		if kind == "panic" {
			panic("on purpose")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestGivenBackAtTheEnd(t *testing.T) {
	for name, s := range map[string]os.Signal{
		"panic": nil, "interrupt": syscall.SIGINT, "terminate": syscall.SIGTERM,
		"hang up": syscall.SIGHUP, "nohup": syscall.SIGHUP,
	} {
		t.Run(name, func(t *testing.T) {
			if name == "nohup" && !signal.Ignored(s) {
				signal.Ignore(s)
				defer signal.Reset(s)
			}
			program, window := openTerminal(t)
			w, e := watch(window), newEmulator(t, 40, 12)
			child := exec.Command(os.Args[0], "-test.run", "^TestChild$")
			child.Env = append(os.Environ(), childKind+"="+name)
			child.Stdin, child.Stdout, child.Stderr = program, program, io.Discard
			require.NoError(t, child.Start())
			if s != nil {
				w.until(t, e, "drawing", func() bool { return e.alternate })
				require.NoError(t, child.Process.Signal(s))
			}
			if s != nil && signal.Ignored(s) { // the test itself may run under nohup
				time.Sleep(100 * time.Millisecond)
				s = syscall.SIGTERM
				require.NoError(t, child.Process.Signal(s))
			}
			var exit *exec.ExitError
			require.ErrorAs(t, child.Wait(), &exit)
			if s != nil {
				assert.Equal(t, s, exit.Sys().(syscall.WaitStatus).Signal(), "ended by the signal")
			}
			assert.False(t, isRaw(t, program))
			must(program.WriteString("\x1b[7;1H#"))
			w.until(t, e, "what comes after", func() bool { return strings.HasPrefix(e.line(6), "#") })
			assert.False(t, e.alternate)
			assert.True(t, e.cursor)
		})
	}
}
