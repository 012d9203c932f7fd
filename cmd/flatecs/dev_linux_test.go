package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// A rehearsal is a game that is played by dev while its source changes.
type rehearsal struct {
	*testing.T
	dir    string
	temp   string // folder of temporary files
	source string
	log    shared
	types  *os.File // a terminal
	cmd    *exec.Cmd
}

// rehearse plays a copy of the example of docs/RESTART.md in a module of its own.
func rehearse(t *testing.T, flags ...string) *rehearsal {
	t.Helper()
	r := &rehearsal{T: t, dir: t.TempDir()}
	root := world.Must(filepath.Abs("../.."))
	r.source = content("../examples/keep/main.go")
	text := strings.Replace(content(root, "go.mod"), "module github.com/flatecs/flatecs", "module keep", 1)
	text += "\nrequire github.com/flatecs/flatecs v0.0.0\n" +
		"replace github.com/flatecs/flatecs => " + root + "\n"
	sums := content(root, "go.sum")
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "go.mod"), []byte(text), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "go.sum"), []byte(sums), 0o600))
	// A file that the game saves beside its source would be one that has changed.
	require.NoError(t, os.Mkdir(filepath.Join(r.dir, "game"), 0o700))
	// go ignores a go.mod in the folder of temporary files itself.
	r.temp = filepath.Join(r.dir, "temp")
	require.NoError(t, os.Mkdir(r.temp, 0o700))
	r.save(r.source)
	r.cmd = program(t, append(append([]string{"dev"}, flags...), "./game")...)
	r.cmd.Env = append(r.cmd.Env, "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "TMPDIR="+r.temp)
	var inside *os.File
	r.types, inside = newTerminal(r.T)
	r.cmd.Dir, r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = r.dir, inside, &r.log, &r.log
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(r, r.cmd.Start())
	require.NoError(r, inside.Close())
	r.Cleanup(func() {
		_ = r.cmd.Process.Kill() // the game sees that, and ends, too, and with it the log
		_ = r.cmd.Wait()
		_ = r.types.Close()
	})
	return r
}

func (r *rehearsal) save(source string) {
	r.Helper()
	path := filepath.Join(r.dir, "game", "main.go")
	require.NoError(r, os.WriteFile(path+"~", []byte(source), 0o600))
	require.NoError(r, os.Rename(path+"~", path))
}

// change saves the source with a change, and waits until a text was written after that.
func (r *rehearsal) change(old, fresh, want string) {
	r.Helper()
	require.Contains(r, r.source, old)
	from := len(r.log.String())
	r.save(strings.Replace(r.source, old, fresh, 1))
	r.wait(from, want)
}

// wait waits until a text was written after what was there.
func (r *rehearsal) wait(from int, want string) {
	r.Helper()
	if !assert.Eventually(r, func() bool { return strings.Contains(r.log.String()[from:], want) },
		4*time.Minute, 10*time.Millisecond, want) {
		r.Fatal(r.log.String()[from:])
	}
}

// TestDevKeepsTheWorld follows docs/RESTART.md: the world goes on through every change.
func TestDevKeepsTheWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds eight programs")
	}
	r := rehearse(t, "--wait", "10s")
	r.wait(0, "tick 30,")
	const said = `fmt.Printf("tick`
	r.change(said, `fmt.Printf("second tick`, "second tick")
	r.change("gravity = 9.8", "gravity = 9.8.7", "main.go:")
	r.change("func step(", "func init() { panic(`as it was to`) }\nfunc step(", "plays on: exit status 2")
	r.change("state, err := h.World", "time.Sleep(time.Hour)\n\tstate, err := h.World", "plays on: it did not ask")
	r.change("next := time.", "panic(`late`)\n\tnext := time.", "plays on: exit status 2")
	r.change("<-next.C", "if <-next.C; true {\npanic(`in its trial`)\n}", "plays on where it was")
	r.change("Y, Speed float32", "Y, Speed, Spin float32", "the world stood still")
	r.wait(len(r.log.String()), "tick ")
	r.ends()
	assert.Contains(t, r.log.String(), "hand: saved "+filepath.Join(r.temp, "keep.flat")+" at tick")
	r.requireOneWorld()
}

// ends ends it by a signal, and checks that it had one world.
func (r *rehearsal) ends() {
	r.Helper()
	require.NoError(r, r.cmd.Process.Signal(syscall.SIGTERM))
	_ = r.cmd.Wait()
	assert.Equal(r, 143, r.cmd.ProcessState.ExitCode(), r.log.String())
	assert.Equal(r, 1, strings.Count(r.log.String(), "tick 30,"), "it began once")
}

// requireOneWorld checks that ticks have gone on, and that what was saved has the new field.
func (r *rehearsal) requireOneWorld() {
	r.Helper()
	f := world.Must(save.Open(filepath.Join(r.temp, "keep.flat")))
	defer f.Close()
	_, field := world.Must2(f.Bytes("ball", "ball"))
	assert.Contains(r, field.Shape(), "Spin")
	assert.Greater(r, f.Tick(), uint64(60))
}

// TestDevLoopsAndUndoes: new code plays the last second over and over, until r, and u goes back.
// After a version that dies late, the next one goes on with the world.
func TestDevLoopsAndUndoes(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds four programs")
	}
	t.Parallel() // it waits
	r := rehearse(t, "--loop", "1s", "--wait", "60s", "--trial", "1ms", "--keep", "10ms")
	r.wait(0, "tick 150,")
	const said = `fmt.Printf("tick`
	r.change(said, `fmt.Printf("second tick`, "second tick")
	var tick int
	last := r.said("\nsecond tick ")
	world.Must(fmt.Sscan(last, &tick))
	want := fmt.Sprintf("second tick %d,", tick)
	require.Eventually(t, func() bool { return strings.Count(r.log.String(), want) > 3 }, time.Minute,
		time.Millisecond, "the same second")
	from := len(r.log.String())
	r.press("r\n")
	r.wait(from, fmt.Sprintf("second tick %d,", tick+150))
	from = len(r.log.String())
	r.press("u\n")
	r.wait(from, "undone: game-1 plays again, at tick ")
	r.wait(from, "\ntick ")
	r.change(said, "panic(`late`)\n\t\t\tfmt.Printf(\"tick", "or type u and Enter to undo")
	r.change(said, `fmt.Printf("last tick`, "\nlast tick ")
	r.ends()
}

// said returns what follows the first place of a text.
func (r *rehearsal) said(before string) string {
	_, after, _ := strings.Cut(r.log.String(), before)
	return after
}

func (r *rehearsal) press(keys string) {
	r.Helper()
	world.Must(r.types.WriteString(keys))
}

func TestDevOfWhatDoesNotBuild(t *testing.T) {
	play(t, "dev ./none").says(t, 1, "none")
}

// inNarrow returns a terminal of 20 columns and 5 rows, both ends.
func inNarrow(t *testing.T) (file, inside *os.File) {
	t.Helper()
	file, inside = newTerminal(t)
	t.Cleanup(func() { _, _ = file.Close(), inside.Close() })
	size := &unix.Winsize{Col: 20, Row: 5}
	require.NoError(t, unix.IoctlSetWinsize(int(file.Fd()), unix.TIOCSWINSZ, size))
	return file, inside
}

// written returns what was written to a terminal up to a text.
func written(t *testing.T, file *os.File, end string) (text string) {
	t.Helper()
	buffer := make([]byte, 1<<12)
	for !strings.HasSuffix(text, end) {
		n, err := file.Read(buffer)
		require.NoError(t, err)
		text += string(buffer[:n])
	}
	return text
}

// Where a game draws the terminal, a message is wrapped in its first rows, is written again there,
// and leaves none of them; a game that prints lines gets it once, as a line.
func TestDevMessagesInNarrowTerminals(t *testing.T) {
	file, inside := inNarrow(t)
	d := &developing{in: inside, err: inside}
	const text = "a message of 30 columns so wide"
	d.showFor(text, 0)
	d.remind()
	d.showFor("next", 0)
	assert.Equal(t, text+"\r\nnext\r\n", written(t, file, "next\r\n"), "one copy of each")

	cooked, err := term.MakeRaw(int(inside.Fd()))
	require.NoError(t, err)
	d.showFor(text+"\n\tand more\n5\n6\n7", 0)
	rows := []string{"a message of 30 colu", "mns so wide", "  and more", "5", "6"}
	drawn := func(rows ...string) string {
		screen := "\x1b7\x1b[0m"
		for i, row := range rows {
			screen += "\x1b[" + string(rune('1'+i)) + ";1H\x1b[2K" + row
		}
		return screen + "\x1b8"
	}
	assert.Equal(t, drawn(rows...), written(t, file, "\x1b8"))
	d.remind()
	assert.Equal(t, drawn(rows...), written(t, file, "\x1b8"), "over what was drawn since")
	d.showFor("short", time.Nanosecond)
	assert.Equal(t, drawn("short", "", "", "", ""), written(t, file, "\x1b8"))
	time.Sleep(time.Millisecond)
	d.remind()
	assert.Equal(t, drawn(""), written(t, file, "\x1b8"), "its time is over")
	d.remind()
	require.NoError(t, term.Restore(int(inside.Fd()), cooked))
	d.show("last")
	assert.Equal(t, "last\r\n", written(t, file, "last\r\n"))
}

// A meter takes no more than a line of a narrow terminal, so that it can be taken away.
func TestProgressFitsNarrowTerminals(t *testing.T) {
	file, inside := inNarrow(t)
	p := newProgress(inside, "building a program: 31 of 117 packages")
	p.next = time.Time{}
	p.show(300, 600)
	p.end()
	_, _ = inside.WriteString("$")
	text := written(t, file, "$")
	for part := range strings.SplitSeq(text, "\r") {
		assert.LessOrEqual(t, len([]rune(part)), 19, "%q", part)
	}
	assert.Contains(t, text, "building a program:")
	assert.Equal(t, "$", shown(text))
}

// Where there is no terminal, lines count the packages that are compiled.
func TestPackagesAreCountedInPipes(t *testing.T) {
	var out strings.Builder
	packages, end := waiting(&out, "building")
	packages(1, 117)
	assert.Empty(t, out.String(), "not at once")
	tell := countLines(&out, "building", -time.Second)
	tell(31, 117)
	tell(117, 117)
	end()
	assert.Equal(t, "building: 31 of 117 packages\nbuilding: 117 of 117 packages\n", out.String())
}
