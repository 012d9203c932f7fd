//go:build unix

package record_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
	"github.com/stretchr/testify/require"
)

// childOf is the variable by which the test's program is told to record until it is killed.
const childOf = "FLATECS_RECORD_CHILD"

const childRate = 20 // steps of a second

func TestMain(m *testing.M) {
	if folder := os.Getenv(childOf); folder != "" {
		recordUntilKilled(folder, os.Args[1])
		return
	}
	os.Exit(m.Run())
}

// recordUntilKilled prints each step that it has recorded, and after a note, which is on disk by
// then, how many steps there are before it.
func recordUntilKilled(folder, sync string) {
	n := world.Must(strconv.Atoi(sync))
	s := world.Must(world.CreateState(counts))
	rec := world.Must(record.Create(folder, s, record.Options{
		StepRate: childRate, Segment: 2 * time.Second, Sync: record.Sync(n), Keep: 5 * time.Second,
		Full: 2,
	}))
	for tick := 0; ; tick++ {
		var err error
		if s, err = rec.Step(s, []byte{byte(tick * 7)}, live); err != nil {
			panic(err)
		}
		fmt.Println(tick)
		if tick%32 == 31 {
			if err := rec.Note(record.Note{What: "kept"}); err != nil {
				panic(err)
			}
			fmt.Println(-(tick + 1))
		}
		time.Sleep(time.Millisecond)
	}
}

// TestKilledAtAnyTime: a program that is killed leaves a recording that opens once it has a world,
// and has all steps before its last note; with SyncStep all that Step returned. It prints with -v
// what was lost.
func TestKilledAtAnyTime(t *testing.T) {
	var lost [3]int // most steps, by Sync
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	for n := range some(40) {
		folder := filepath.Join(t.TempDir(), fmt.Sprint(n))
		child := exec.Command(os.Args[0], fmt.Sprint(n%3))
		child.Env = append(os.Environ(), childOf+"="+folder)
		out := world.Must(child.StdoutPipe())
		require.NoError(t, child.Start())
		stop := 1 + r.IntN(200)
		kept, last, lines := 0, -1, bufio.NewScanner(out)
		for lines.Scan() {
			if i := world.Must(strconv.Atoi(lines.Text())); i < 0 {
				kept = -i
			} else {
				last = i
			}
			if last == stop {
				require.NoError(t, child.Process.Kill())
			}
		}
		require.Error(t, child.Wait())
		f, err := record.Read(folder)
		if err != nil && kept == 0 {
			require.ErrorIs(t, err, record.ErrCut)
			continue
		}
		require.NoError(t, err)
		_, next := f.Frames()
		require.GreaterOrEqual(t, next, kept, "sync %d", n%3)
		lost[n%3] = max(lost[n%3], last+1-next)
		require.LessOrEqual(t, next, last+2)
		require.ErrorIs(t, f.Torn, record.ErrCut)
		require.NoError(t, f.Replay(counts, live, record.Options{}, nil))
	}
	t.Logf("steps lost at most: %d by SyncNever, %d by SyncSecond", lost[0], lost[1])
	require.LessOrEqual(t, lost[record.SyncStep], 0, "steps that Step returned, with SyncStep")
}
