//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
)

// A batch is what a batch system does to the processes of an array, as docs/SCALE.md uses it.
type batch struct {
	block     string // of the page, by its first words
	variables func(i int) []string
	kill      syscall.Signal // what a fifth of the processes get, after their first run
	at        int            // processes at the same time
	twice     bool           // an index may be started while it runs
}

const batchParts = 5

var batches = map[string]batch{
	"Indexed Job": {
		block: "apiVersion", kill: syscall.SIGKILL, at: 2, twice: true,
		variables: func(i int) []string { return []string{fmt.Sprint("JOB_COMPLETION_INDEX=", i)} },
	},
	"Slurm": {
		block: "#!/bin/sh\n#SBATCH", kill: syscall.SIGTERM, at: 2,
		variables: func(i int) []string {
			return []string{
				fmt.Sprint("SLURM_ARRAY_TASK_ID=", i),
				fmt.Sprint("SLURM_ARRAY_TASK_COUNT=", batchParts),
			}
		},
	},
	"AWS Batch": {
		block: "aws batch", kill: syscall.SIGKILL, at: 2,
		variables: func(i int) []string {
			return []string{fmt.Sprint("AWS_BATCH_JOB_ARRAY_INDEX=", i)}
		},
	},
	"ssh": {
		block: "i=0\n", kill: syscall.SIGHUP, at: batchParts,
		variables: func(i int) []string { return []string{fmt.Sprint("i=", i)} },
	},
}

// The commands of docs/SCALE.md, started as their systems start them, make the table of one
// machine.
func TestBatchSystems(t *testing.T) {
	page := strings.NewReplacer("\\\n", " ", "/100", fmt.Sprint("/", batchParts)).
		Replace(content("../../docs/SCALE.md"))
	want := played(t, "lab schelling --seeds 20")
	for name, b := range batches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "parts"), 0o700))
			here := strings.ReplaceAll(page, "/data", dir)
			b.run(t, command(t, here, "\n"+b.block), dir)
			line := strings.Fields(command(t, here, "\nflatecs lab schelling --seeds 20 --join"))
			line[len(line)-1] = filepath.Join(dir, "results.csv")
			assert.Equal(t, result{out: "20 rows in " + line[len(line)-1] + "\n"}, playArgs(line...))
			assert.Equal(t, want, content(dir, "results.csv"))
		})
	}
}

// The hunt of docs/SCALE.md, as an Indexed Job starts it: a process is killed and started again, a
// second one with its number is refused, and the last result counts the ticks of all.
func TestHuntsOfBatchSystems(t *testing.T) {
	dir := t.TempDir()
	page := strings.NewReplacer("/100", "/3", "8h", "3s", "/data", dir).
		Replace(content("../../docs/SCALE.md"))
	line, b := command(t, page, "\nflatecs hunt"), batches["Indexed Job"]
	b.killed(t, b.process(t, line, 0), filepath.Join(dir, "tanks", "0.finds"))
	var all sync.WaitGroup
	results := make([]string, 3)
	for i := range results {
		all.Go(func() {
			out, _ := b.process(t, line, i).CombinedOutput()
			results[i] = string(out) // which counts ticks, or says what was wrong
		})
	}
	all.Wait()
	if runtime.GOOS == "linux" { // elsewhere it is noticed when both have written
		first := world.Must(hunt.OpenDir(filepath.Join(dir, "tanks"), 2))
		out, err := b.process(t, line, 2).CombinedOutput()
		require.Error(t, err)
		assert.Contains(t, string(out), "another process is part 2; give each another number")
		require.NoError(t, first.Close())
	}
	counted := regexp.MustCompile(`: (\d+) ticks in all parts and runs: nothing found\n$`)
	last := played(t, "hunt tanks --for 1s --part 0/3 --corpus "+filepath.Join(dir, "tanks"))
	require.Regexp(t, counted, last)
	for _, r := range results {
		if found := counted.FindStringSubmatch(r); assert.NotEmpty(t, found, r) {
			was, _ := strconv.Atoi(found[1])
			now, _ := strconv.Atoi(counted.FindStringSubmatch(last)[1])
			assert.GreaterOrEqual(t, now, was, "a second may be too short for another run")
		}
	}
}

var labCommand = regexp.MustCompile("flatecs ((?:lab|hunt) [^\"`&]*?)(\"|\n```|&)")

// command returns the arguments of the first call of flatecs in a block of the page.
func command(t *testing.T, page, block string) string {
	t.Helper()
	at := strings.Index(page, "```"+"sh"+block)
	at = max(at, strings.Index(page, "```yaml"+block))
	require.Positive(t, at, block)
	found := labCommand.FindStringSubmatch(page[at:])
	require.NotEmpty(t, found)
	return found[1]
}

// run starts a process for each index, kills some, and restarts the failed ones.
func (b *batch) run(t *testing.T, line, dir string) {
	t.Helper()
	var all sync.WaitGroup
	places := make(chan struct{}, b.at)
	for i := range batchParts {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			if i%2 == 0 {
				b.killed(t, b.process(t, line, i), filepath.Join(dir, "parts", fmt.Sprint(i)))
			}
			var second *exec.Cmd
			if b.twice && i == 1 {
				second = b.process(t, line, i)
				_ = second.Start() // the first may be the only one
			}
			for tries := 1; ; tries++ {
				out, err := b.process(t, line, i).CombinedOutput()
				if err == nil {
					break
				}
				assert.Contains(t, string(out), "another sweep is writing it")
				if !assert.Less(t, tries, 100, "index %d: %v", i, err) {
					break
				}
			}
			if second != nil {
				_ = second.Wait() // it may have found the journal in use
			}
		})
	}
	all.Wait()
}

// process prepares the process of an index, in whose environment the line's variables are.
func (b *batch) process(t *testing.T, line string, i int) *exec.Cmd {
	t.Helper()
	variables := map[string]string{}
	for _, v := range b.variables(i) {
		name, value, _ := strings.Cut(v, "=")
		variables[name] = value
	}
	line = os.Expand(line, func(name string) string {
		assert.Contains(t, variables, name, "the system sets no such variable")
		return variables[name]
	})
	if strings.HasPrefix(line, "lab") {
		line += " --workers 1"
	}
	return program(t, strings.Fields(line)...)
}

// killed starts a process, and ends it after its first run, unless it has ended.
func (b *batch) killed(t *testing.T, cmd *exec.Cmd, journal string) {
	t.Helper()
	if cmd.Start() != nil {
		return // as if it was killed at once
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			_ = err // by the signal, or none
			return
		case <-time.After(time.Millisecond):
			if text, _ := os.ReadFile(journal); strings.Count(string(text), "\n") > 1 {
				_ = cmd.Process.Signal(b.kill)
			}
		}
	}
}

// A pipe with a reader is written to, and not replaced by a file.
func TestLabWritesToAPipe(t *testing.T) {
	const line = "lab schelling --seeds 2 --steps 2"
	want, pipe := played(t, line), filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	reader := world.Must(os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0))
	played(t, line+" --out "+pipe)
	text, err := io.ReadAll(reader)
	require.NoError(t, errors.Join(err, reader.Close()))
	require.Equal(t, want, string(text))
}
