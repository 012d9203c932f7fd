package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world"
)

// A window is a terminal in which the program runs, 80 × 24 characters large.
type window struct {
	*os.File
	cmd *exec.Cmd
	mu  sync.Mutex
	out bytes.Buffer // what the program has written
}

// inWindow starts the program in a terminal.
func inWindow(t *testing.T, terminal string, args ...string) *window {
	t.Helper()
	w, inside := inDeafWindow(t, terminal, args...)
	_ = inside.Close()
	go w.read()
	return w
}

// inDeafWindow starts the program in a terminal without a reader.
func inDeafWindow(t *testing.T, terminal string, args ...string) (w *window, inside *os.File) {
	t.Helper()
	file, inside := newTerminal(t)
	w = &window{File: file, cmd: program(t, args...)}
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = inside, inside, inside
	w.cmd.Env = append(w.cmd.Env, "TERM="+terminal, "COLORTERM=", "NO_COLOR=")
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, w.cmd.Start())
	t.Cleanup(func() { _ = w.cmd.Process.Kill(); _ = w.Close() })
	return w, inside
}

// newTerminal returns a terminal of 80 × 24 characters: the user's side and the program's.
func newTerminal(t *testing.T) (file, inside *os.File) {
	t.Helper()
	file = world.Must(os.OpenFile("/dev/ptmx", os.O_RDWR, 0))
	require.NoError(t, unix.IoctlSetPointerInt(int(file.Fd()), unix.TIOCSPTLCK, 0))
	size := &unix.Winsize{Col: 80, Row: 24}
	require.NoError(t, unix.IoctlSetWinsize(int(file.Fd()), unix.TIOCSWINSZ, size))
	n := world.Must(unix.IoctlGetUint32(int(file.Fd()), unix.TIOCGPTN))
	inside = world.Must(os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0))
	return file, inside
}

func (w *window) read() {
	buffer := make([]byte, 1<<16)
	for {
		n, err := w.Read(buffer)
		w.mu.Lock()
		w.out.Write(buffer[:n])
		w.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (w *window) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

// waitFor waits until the program has written a text.
func (w *window) waitFor(t *testing.T, text string) {
	t.Helper()
	w.waitForTimes(t, text, 1)
}

// waitForTimes waits until it has written it so often.
func (w *window) waitForTimes(t *testing.T, text string, n int) {
	t.Helper()
	enough := func() bool { return strings.Count(w.text(), text) >= n }
	if !assert.Eventually(t, enough, time.Minute, 5*time.Millisecond, text) {
		t.Fatal(w.text())
	}
}

func (w *window) press(t *testing.T, keys string) {
	t.Helper()
	_, err := w.WriteString(keys)
	require.NoError(t, err)
}

// ends waits until the program has ended, and checks its exit code.
func (w *window) ends(t *testing.T, code int) {
	t.Helper()
	late := time.AfterFunc(time.Minute, func() {
		t.Errorf("it has not ended; written: %q", w.text())
		_ = w.cmd.Process.Kill()
	})
	defer late.Stop()
	assert.Equal(t, code, codeOf(t, w.cmd.Wait()))
}

// waitForStop waits until the system has stopped it.
func (w *window) waitForStop(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.cmd.Process.Pid))
		return bytes.Contains(text, []byte(") T "))
	}, time.Minute, time.Millisecond)
}

const (
	terminalTaken = "\x1b[?1049h"
	terminalGiven = "\x1b[?1049l"
)

func TestTheKeysPlayInATerminal(t *testing.T) {
	path := t.TempDir() + "/recording"
	w := inWindow(t, "xterm-256color", "run", "flappy", "--record", path)
	w.waitFor(t, terminalTaken)
	w.waitFor(t, "space or a click: flap · q ends")
	w.waitFor(t, "GET READY")
	w.press(t, " ")
	w.waitFor(t, "GAME OVER")
	for _, keys := range []string{"p", "p", " ", "q"} {
		time.Sleep(500 * time.Millisecond) // many steps
		w.press(t, keys)
	}
	w.ends(t, 0)
	w.waitFor(t, terminalGiven)
	text := played(t, "replay --show "+path)
	assert.Contains(t, text, "\t01 x ", "a press")
	assert.NotContains(t, text, "cut off")
	played(t, "replay "+path)
}

// In a terminal the heroes swarm; flags of the story tell it there, too.
func TestTheHeroesSwarmInATerminal(t *testing.T) {
	w := inWindow(t, "xterm-256color", "run", "heroes", "--count", "500")
	w.waitFor(t, terminalTaken)
	w.waitFor(t, "▀")
	w.waitFor(t, "hold ←: back · f fork · q ends · p pauses · l lines · a d w s turn")
	w.waitFor(t, "objects") // a second of steps to go back
	w.press(t, "\x1b[D")
	w.waitFor(t, "rewinding")
	w.press(t, "f")
	w.waitFor(t, "off")
	w.press(t, "f")
	w.press(t, "p")
	w.waitFor(t, "on · l line") // "p goes on": what is the same is not sent again
	w.press(t, "pl\x1b[C+-0q")
	w.ends(t, 0)
	for _, flags := range []string{"--act 3", "--state last"} {
		w := inWindow(t, "xterm-256color", strings.Fields("run heroes "+flags)...)
		w.ends(t, 0)
		w.waitFor(t, "\"gameObjectInstanceMap\":{\"0\":0,\"1\":1}}}\r\n")
		assert.Equal(t, golden("act3.golden"), strings.ReplaceAll(w.text(), "\r\n", "\n"), flags)
	}
}

// A recorded duel is shown at its own pace, each tank with its score.
func TestADuelIsShownInATerminal(t *testing.T) {
	began := time.Now()
	w := inWindow(t, "xterm-256color", "replay", recordedDuel(t, 0, duelNow))
	w.waitFor(t, "irst 0") // its first letter may be on another ground
	w.waitFor(t, "cond 0")
	w.ends(t, 0)
	w.waitFor(t, "30 steps, and all digests are equal")
	require.Greater(t, time.Since(began), 29*time.Second/arena.Ticks)
}

// A scene that was chosen gives the terminal back to the menu, which then hears what is typed.
func TestTheMenu(t *testing.T) {
	w := inWindow(t, "xterm-256color")
	w.waitFor(t, "Choose 1 to ")
	w.press(t, "99\n")
	w.waitFor(t, `"99" is not in the list`)
	for i, scene := range []string{"cubes", "flappy"} {
		line := regexp.MustCompile(`(\d+)  flatecs ` + scene + ` `).FindStringSubmatch(w.text())
		w.press(t, line[1]+"\n")
		w.waitForTimes(t, terminalTaken, i+1)
		w.waitFor(t, []string{"q ends · p pauses", "space or a click: flap"}[i])
		w.press(t, "q")
		w.waitForTimes(t, terminalGiven, i+1)
		w.waitForTimes(t, "Choose 1 to ", i+3)
	}
	w.press(t, "q\n")
	w.ends(t, 0)
}

func TestAnInterruptGivesTheTerminalBack(t *testing.T) {
	w := inWindow(t, "xterm-256color", "run", "cubes", "--count", "100", "--summary")
	w.waitFor(t, "▀")
	w.press(t, "\x03")
	w.ends(t, 130)
	w.waitFor(t, "allocations per frame")
	_, after, _ := strings.Cut(w.text(), terminalGiven)
	assert.Contains(t, after, "game objects", "the summary is after the scene")
}

// Whatever asks a scene in a terminal to end, it is saved and recorded, and the terminal is given
// back if it is still there.
func TestAskedToEndInATerminal(t *testing.T) {
	ask := func(s syscall.Signal) func(*testing.T, *window) {
		return func(t *testing.T, w *window) {
			t.Helper()
			require.NoError(t, w.cmd.Process.Signal(s))
		}
	}
	for name, c := range map[string]struct {
		ask  func(*testing.T, *window)
		code int
	}{
		"interrupt": {ask(syscall.SIGINT), 130},
		"terminate": {ask(syscall.SIGTERM), 143},
		"hang up":   {ask(syscall.SIGHUP), 129},
		"Ctrl-C":    {func(t *testing.T, w *window) { t.Helper(); w.press(t, "\x03") }, 130},
		"closed":    {func(_ *testing.T, w *window) { _ = w.Close() }, 129},
		"stopped": {func(t *testing.T, w *window) {
			t.Helper()
			ask(syscall.SIGTSTP)(t, w)
			w.waitFor(t, terminalGiven)
			w.waitForStop(t) // what lets it go on before is lost
			ask(syscall.SIGTERM)(t, w)
			ask(syscall.SIGCONT)(t, w)
		}, 143},
	} {
		t.Run(name, func(t *testing.T) {
			// The test itself may run under nohup, which it would hand down, whatever
			// signal.Ignored says after another test.
			signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
			save, record := t.TempDir()+"/a.flat", t.TempDir()+"/recording"
			w := inWindow(t, "xterm-256color", "run", "cubes", "--count", "100", "--save", save, "--record", record)
			w.waitFor(t, "▀")
			c.ask(t, w)
			w.ends(t, c.code)
			if name != "closed" {
				w.waitFor(t, terminalGiven)
			}
			played(t, "verify "+save)
			played(t, "replay "+record)
		})
	}
}

// A terminal without a reader does not keep a program from ending by a second signal.
func TestATerminalThatDoesNotRead(t *testing.T) {
	for flags, begun := range map[string]string{
		"run cubes": "▀", "run heroes --inspect 0": "▀", "run heroes --act 3 --frames 1000000": "\n",
		"run cubes --render none --frames 100000000 --summary": "cubes",
	} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			w, inside := inDeafWindow(t, "xterm-256color", strings.Fields(flags)...)
			defer func() { _ = inside.Close() }()
			for buffer := make([]byte, 256); !strings.Contains(w.text(), begun); {
				n := world.Must(w.Read(buffer))
				_, _ = w.out.Write(buffer[:n])
			}
			go func() { // others write to it, too
				for _, err := inside.Write(make([]byte, 64)); err == nil; {
					_, err = inside.Write(make([]byte, 64))
				}
			}()
			full := func() bool {
				list := []unix.PollFd{{Fd: int32(inside.Fd()), Events: unix.POLLOUT}}
				n, _ := unix.Poll(list, 200)
				return n == 0
			}
			for end := time.Now().Add(time.Minute); !full(); {
				require.True(t, time.Now().Before(end), "it writes less than a terminal holds")
			}
			ended := make(chan struct{})
			go func() {
				_ = w.cmd.Wait()
				close(ended)
			}()
			for over, tries := false, 0; !over; tries++ {
				require.Less(t, tries, 600, "it has not ended")
				_ = w.cmd.Process.Signal(syscall.SIGTERM)
				select {
				case <-ended:
					over = true
				case <-time.After(100 * time.Millisecond):
				}
			}
			require.Equal(t, 143, w.cmd.ProcessState.ExitCode())
		})
	}
}

// shown returns what a line of a terminal shows in the end.
func shown(text string) string {
	var line []rune
	for part := range strings.SplitSeq(text[strings.LastIndex(text, "\n")+1:], "\r") {
		for i, r := range []rune(part) {
			line = append(line[:min(i, len(line))], append([]rune{r}, line[min(i+1, len(line)):]...)...)
		}
	}
	return strings.TrimSpace(string(line))
}

func TestWhatTakesLongShowsHowFarItHasCome(t *testing.T) {
	dir := t.TempDir()
	played(t, "run cubes --count 10 --frames 3 --record "+filepath.Join(dir, "recording"))
	slow := filepath.Join(dir, "go") // as the go command is while it builds
	require.NoError(t, os.WriteFile(slow, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o755))
	for line, want := range map[string]string{
		"run cubes --count 10 --frames 1000000000000 --render none":                           "cubes ",
		"run cubes --count 10 --frames 1000000000000 --render none --record /dev/null":        "cubes ",
		"run cubes --count 10 --frames 1000000000000 --render gif --out /dev/null --size 8x8": "cubes ",
		"run flappy --inspect 0 --render none":                                                "flappy (",
		"run heroes --act 3 --frames 1000000000000 --render none":                             "heroes ",
		"serve cubes --addr 127.0.0.1:0":                                                      "building  [",
	} {
		t.Run(line, func(t *testing.T) {
			t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
			w := inWindow(t, "xterm", strings.Fields(line)...)
			w.waitFor(t, want)
			require.NoError(t, w.cmd.Process.Signal(syscall.SIGTERM))
			w.ends(t, 143)
			assert.Eventually(t, func() bool { return shown(w.text()) == "" }, time.Minute, time.Millisecond)
			assert.NotContains(t, w.text(), "\x1b", "no more than a line")
		})
	}
}

func TestProgressIsTakenAway(t *testing.T) {
	for _, c := range []struct {
		bytes bool
		total int64
		want  string
	}{{false, 600, "(300/600"}, {true, 8 << 20, "(300/8.4 MB"}, {false, unknown, "300"}} {
		var out bytes.Buffer
		p := &progress{out: &out, what: "saving", bytes: c.bytes}
		p.show(300, c.total)
		assert.Contains(t, out.String(), "saving")
		assert.Contains(t, strings.ReplaceAll(out.String(), " B/", "/"), c.want)
		assert.NotEmpty(t, shown(out.String()))
		p.end()
		assert.Empty(t, shown(out.String()))
		n := out.Len()
		p.show(400, c.total)
		assert.Equal(t, n, out.Len(), "it is over")
	}
}

// A pipe gets no more than what is to be told.
func TestNoProgressInPipes(t *testing.T) {
	var out bytes.Buffer
	assert.Nil(t, newProgress(&out, "saving"))
	file := world.Must(os.Create(filepath.Join(t.TempDir(), "file")))
	defer func() { _ = file.Close() }()
	p := newProgress(file, "saving")
	assert.Nil(t, p)
	assert.Nil(t, p.ofBytes())
	p.show(1, 2)
	p.end()
	_, end := waiting(file, "saving")
	end()
	assert.Empty(t, content(file.Name()))
}
