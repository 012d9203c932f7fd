package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/harness"
)

// TestMain lets this program be the one that contenders run in.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "work" || os.Args[1] == "once") {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// runs runs a command line.
func runs(t *testing.T, args ...string) (out, errs string, err error) {
	t.Helper()
	var o, e strings.Builder
	err = run(t.Context(), args, strings.NewReader(""), &o, &e)
	return o.String(), e.String(), err
}

func TestWrongCommandLines(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"flag", []string{"--what"}, "unknown flag --what"},
		{"subject", []string{"trees"}, `no subject "trees"; there are peers, frame, models, memory`},
		{"case", []string{"peers", "--only", "nothing"}, `no case begins with ["nothing"]; --list`},
		{"size", []string{"--sizes", "0"}, "sizes [0]; give 1 object or more"},
		{"folder", []string{"--only", "new_world", "--out", "/dev/null/x"}, "not a directory"},
		{"once", []string{"once", "frame", "frame", "unity", "100", "1"}, `"unity" takes no part in frame`},
		{"once, case", []string{"once", "frame", "unity", "Ark", "100", "1"}, `frame has no case "unity"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, c.args...)
			require.ErrorContains(t, err, c.want)
			assert.Empty(t, out)
		})
	}
}

func TestList(t *testing.T) {
	out, _, err := runs(t, "peers", "--list", "--only", "query2comp")
	require.NoError(t, err)
	assert.Contains(t, out, "query2comp")
	assert.Contains(t, out, "Ark tables, registered")
	assert.NotContains(t, out, "random")
}

// In this process, everybody comes to the same as well, with few objects and with more; the order of
// neighbours and of turns rounds sums differently. Package frame compares each of its frames.
func TestEverybodyComesToTheSame(t *testing.T) {
	for _, s := range subjects() {
		for _, c := range s.Cases {
			sizes, apart := []int{1, 16, 300}, 0.
			switch {
			case s.Name == "frame" || c.Per == "run":
				continue
			case s.Name == "models":
				sizes, apart = []int{min(c.Sizes[0], 3_000)}, 1e-2
				if strings.HasPrefix(c.Name, "neighbours") {
					sizes = append(sizes, 100) // fewer blocks than workers have parts
				}
			}
			for _, n := range sizes {
				t.Run(fmt.Sprintf("%s/%d", c.Name, n), func(t *testing.T) { same(t, &c, n, apart) })
			}
		}
	}
}

func same(t *testing.T, c *harness.Case, n int, apart float64) {
	t.Helper()
	var first harness.Result
	for i, who := range c.Who {
		work, err := c.Work(who, n)
		require.NoError(t, err)
		got := harness.Outcome(work)
		if i == 0 {
			first = got
		}
		assert.InDelta(t, first.Sum, got.Sum, apart, who)
		got.Sum = first.Sum
		assert.Equal(t, first, got, who)
		assert.NotZero(t, got.Count, who)
		// What a world of one object takes drowns in what the process does, and may be less than
		// nothing.
		if work.Turn != nil && c.Name != "frames" {
			assert.InDelta(t, 0, work.Turn(time.Millisecond).Figures[0].Value, 1<<30, who)
		}
		work.Close()
	}
}

func TestEveryContenderTakesItsTurns(t *testing.T) {
	pace := harness.Pace{Rounds: 3, Least: 3, Turn: time.Microsecond}
	for _, s := range subjects() {
		seats, err := harness.NewSeats(s)
		require.NoError(t, err)
		for _, c := range s.Cases {
			if strings.HasSuffix(c.Name, "_large") && s.Name == "models" {
				continue // they take long
			}
			n := 16
			switch s.Name {
			case "frame":
				n = 400
			case "models":
				n = min(c.Sizes[0], 3_000)
			}
			rows, err := harness.Measure(t.Context(), seats, &c, n, pace)
			require.NoError(t, err, c.Name)
			measured := map[string]bool{}
			for _, r := range rows {
				measured[r.Contender] = true
			}
			assert.Len(t, measured, len(c.Who), c.Name)
		}
		seats.Close()
	}
}

func TestFilesAreWrittenCaseByCase(t *testing.T) {
	dir := t.TempDir()
	_, errs, err := runs(t, "peers", "--quick", "--only", "query2comp,new_world", "--sizes", "16,64",
		"--out", dir)
	require.NoError(t, err)
	assert.Contains(t, errs, "peers: 1 of 2, query2comp at 64\n")
	rows, err := harness.ReadRows(filepath.Join(dir, "peers.csv"))
	require.NoError(t, err)
	var against []string
	for _, r := range rows {
		assert.Positive(t, r.Median, r.Contender)
		if r.Case == "query2comp" && r.N == 16 && r.Contender == "flatecs" {
			against = append(against, r.Against)
			assert.Positive(t, r.Ratio)
		}
	}
	require.Len(t, against, 2)
	assert.Equal(t, "kernel alone", against[0])
	// What is not measured anew stays, even when the rest is interrupted.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx, []string{"peers", "--only", "random", "--out", dir},
		strings.NewReader(""), os.Stdout, os.Stderr), context.Canceled)
	again, err := harness.ReadRows(filepath.Join(dir, "peers.csv"))
	require.NoError(t, err)
	assert.Equal(t, rows, again)
}

func TestOncePlaysForAProfiler(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "cpu.pprof")
	once := func(t *testing.T, more ...string) (out, errs string, err error) {
		t.Helper()
		return runs(t, append([]string{"once", "frame", "frame", "Ark", "400"}, more...)...)
	}
	out, _, err := once(t, "2", "--cpuprofile", profile)
	require.NoError(t, err)
	assert.Regexp(t, `^400 0 \d+\n$`, out)
	written, err := os.ReadFile(profile)
	require.NoError(t, err)
	assert.NotEmpty(t, written)
	for runs, same := range map[string]bool{"2": true, "0": false} {
		again, _, err := once(t, runs)
		require.NoError(t, err)
		assert.Equal(t, same, out == again, "%s runs without a profile", runs)
	}
}

func TestBenchmarksBecomeRows(t *testing.T) {
	all := byBenchmark("systems", `goos: linux
BenchmarkFused/1000/0-2     100   30.0 ns/op   1.5 ns/object
BenchmarkFused/1000/0-2     100   10.0 ns/op   1.5 ns/object
BenchmarkFused/1000/0-2     100   20.0 ns/op   1.7 ns/object
BenchmarkOther         	 7  123456 ns/op
PASS
`)
	require.Len(t, all, 2)
	require.Len(t, all[0], 2)
	assert.Equal(t, "systems: Fused/1000/0", all[0][0].Case)
	assert.InDelta(t, 20, all[0][0].Median, 0)
	assert.InDelta(t, 10, all[0][0].Least, 0)
	assert.Equal(t, "ns/object", all[0][1].Unit)
	assert.InDelta(t, 123456, all[1][0].Median, 0)
}

// The pages show what the files have, and their commands name folders that are there.
func TestPagesShowTheFiles(t *testing.T) {
	p := page{Results: "results"}
	for _, name := range []string{"../docs/PERFORMANCE.md", "../docs/SIMULATIONS.md"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		filled, err := p.filled(string(text))
		require.NoError(t, err)
		assert.Equal(t, string(text), filled, "write %s by go run ./bench page", name)
		assert.NotContains(t, filled, "<!-- figures -->\n<!--")
	}
	for _, b := range benchmarks {
		assert.DirExists(t, filepath.Join("..", b.folder))
	}
	_, err := p.filled("```sh\ngo run ./bench unity\n```\n\n<!-- figures -->\n<!-- end of figures -->")
	assert.ErrorContains(t, err, `no results of "unity"`)
}

// Cases of the files are those that there are.
func TestFilesHaveTheCasesThatThereAre(t *testing.T) {
	for _, s := range subjects() {
		rows, err := harness.ReadRows(filepath.Join("results", s.Name+".csv"))
		require.NoError(t, err)
		for _, r := range rows {
			c, err := s.Case(r.Case)
			require.NoError(t, err)
			assert.Contains(t, c.Who, r.Contender, r.Case)
		}
		for _, c := range s.Cases {
			assert.Contains(t, cases(rows), c.Name, "it was never measured")
		}
	}
}

// The charts are those of the files.
func TestChartsShowTheFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"peers", "models", "frame"} {
		text, err := os.ReadFile(filepath.Join("results", name+".csv"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".csv"), text, 0o600))
	}
	require.NoError(t, (&page{Results: dir}).Run())
	for _, name := range []string{"peers.svg", "models.svg", "overview.svg"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("results", name))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "draw %s by go run ./bench page", name)
	}
}

// A panel of the overview has at most five series, whose bars are as long as their times, except
// one that is far longer than the others; labels and figures are inside the picture.
func TestOverview(t *testing.T) {
	for _, p := range panels() {
		assert.LessOrEqual(t, len(p.who), 5, p.name)
		assert.Equal(t, "flatecs", p.who[0].label, p.name)
	}
	p := panel{name: "a", title: "A & b", unit: "ns", per: 1, who: []series{
		{"x", "x", faster}, {"y", "y", slower}, {"z", "z", ink},
	}}
	rows := func(times ...float64) (all []harness.Row) {
		for i, time := range times {
			all = append(all, harness.Row{
				Case: "a", N: 16000, Contender: p.who[i].label, Measure: "time", Median: time,
			})
		}
		return append(all, harness.Row{Case: "a", N: 1, Contender: "x", Measure: "time", Median: 99})
	}
	widths := regexp.MustCompile(`width="([0-9.]+)"`)
	for _, x := range []struct {
		times []float64
		want  []string
		cut   int
	}{
		{[]float64{10, 20, 40}, []string{"90.0", "180.0", "360.0"}, 0},
		{[]float64{10, 20, 800}, []string{"144.0", "288.0", "360.0"}, 1},
	} {
		var v view
		require.NoError(t, v.panel(&p, rows(x.times...)))
		var got []string
		for _, m := range widths.FindAllStringSubmatch(v.String(), -1) {
			got = append(got, m[1])
		}
		assert.Equal(t, x.want, got)
		assert.Equal(t, x.cut, strings.Count(v.String(), "<path"))
		assert.Contains(t, v.String(), "A &amp; b, 16,000 objects")
	}
	require.ErrorContains(t, new(view).panel(&p, rows(1, 2)), `no time of "z" for a at 16000`)
}

func TestChart(t *testing.T) {
	rows := []harness.Row{
		{Case: "a & b", N: 16, Contender: "flatecs", Against: "Ark", Ratio: 9},
		{Case: "a & b", N: 100, Contender: "flatecs", Against: "Ark", Ratio: .25},
		{Case: "a & b", N: 100, Contender: "Ark"},
		{Case: "c", N: 1, Contender: "flatecs", Against: "uot", Ratio: 2},
	}
	text := chart("left is faster", compared(rows))
	assert.Contains(t, text, "a &amp; b")
	assert.Contains(t, text, "0.25 × Ark")
	assert.Contains(t, text, "2.00 × uot")
	assert.NotContains(t, text, "9.00")
	assert.Equal(t, 1, strings.Count(text, slower))
}

// Every line of 64 bytes of the columns is fetched once by a walk, and none from beyond the last
// level; objects behind pointers need more.
func TestSeed_C9_AWalkFetchesEachLineOnce(t *testing.T) {
	_, err := exec.LookPath("valgrind")
	require.NoError(t, err, "valgrind is not there; install it: apt-get install valgrind")
	program := filepath.Join(t.TempDir(), "bench")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	const objects, walks = 4_000, 100
	misses := map[string]float64{}
	for _, who := range []string{"flatecs", "slices of pointers"} {
		first, last := simulated(t, program, who, objects, walks)
		idleFirst, idleLast := simulated(t, program, who, objects, 0)
		misses[who] = (first - idleFirst) / (objects * walks)
		assert.InDelta(t, 0, max(0, last-idleLast)/(objects*walks), .01, who)
	}
	const lines = 32.0 / 64 // per object: two components of 16 bytes
	assert.InDelta(t, lines, misses["flatecs"], .1)
	assert.Greater(t, misses["slices of pointers"], lines+.05)
}

var cachegrindLine = regexp.MustCompile(`(?m)^==\d+== (?:D1 +misses|LLd misses): +([\d,]+)`)

// simulated returns how many reads and writes of walks miss the caches of an ordinary processor, so
// that figures do not depend on the machine: the first, of 32 KB, and the last, of 8 MB.
func simulated(t *testing.T, program, who string, objects, walks int) (first, last float64) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "valgrind", "--tool=cachegrind", "--cache-sim=yes",
		"--cachegrind-out-file=/dev/null", "--I1=32768,8,64", "--D1=32768,8,64",
		"--LL=8388608,16,64", program, "once", "memory", "frames", who,
		strconv.Itoa(objects), strconv.Itoa(walks))
	command.Env = append(os.Environ(), "GOGC=off") // collections come when they like
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	found := cachegrindLine.FindAllStringSubmatch(string(out), -1)
	require.Len(t, found, 2, string(out))
	for i, to := range []*float64{&first, &last} {
		*to, err = strconv.ParseFloat(strings.ReplaceAll(found[i][1], ",", ""), 64)
		require.NoError(t, err)
	}
	return first, last
}
