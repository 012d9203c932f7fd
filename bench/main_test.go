package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/world"
)

var once = flag.String("once", "", "SUBJECT/CASE/CONTENDER/N/RUNS that TestOnce is to play")

// TestMain lets this program be the one that contenders run in.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "work" {
		main()
		os.Exit(0)
	}
	if len(os.Args) == 5 && os.Args[1] == "count" {
		if err := count(os.Args[2], os.Args[3], os.Args[4]); err != nil {
			panic(err)
		}
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
		{"subject", []string{"trees"}, `no subject "trees"; there are peers, frame`},
		{"case", []string{"peers", "--only", "nothing"}, `no case begins with ["nothing"]; --list`},
		{"size", []string{"--sizes", "0"}, "sizes [0]; give 1 object or more"},
		{"folder", []string{"--only", "random", "--out", "/dev/null/x"}, "not a directory"},
		{"contender", []string{"work", "frame", "frame", "unity", "100"}, `"unity" takes no part in frame`},
		{"work", []string{"work", "frame", "unity", "Ark", "100"}, `frame has no case "unity"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := runs(t, c.args...)
			require.ErrorContains(t, err, c.want)
			assert.Empty(t, out)
		})
	}
}

func TestList(t *testing.T) {
	out, _ := world.Must2(runs(t, "peers", "--list", "--only", "query2comp"))
	assert.Contains(t, out, "query2comp")
	assert.Contains(t, out, "Ark tables, registered")
	assert.NotContains(t, out, "random")
}

// In this process, all contenders reach the same result as well, with few objects and with more.
// Package frame compares each frame. This library always takes part as in the README, too.
func TestEverybodyComesToTheSame(t *testing.T) {
	for _, s := range subjects() {
		for _, c := range s.Cases {
			assert.True(t, slices.ContainsFunc(c.Who, func(who string) bool {
				return strings.HasPrefix(who, "flatecs as README")
			}), c.Name)
			for _, n := range []int{1, 16, 300} {
				if s.Name != "frame" {
					t.Run(fmt.Sprintf("%s/%d", c.Name, n), func(t *testing.T) { same(t, &c, n) })
				}
			}
		}
	}
}

func same(t *testing.T, c *harness.Case, n int) {
	t.Helper()
	var first harness.Result
	for i, who := range c.Who {
		work := world.Must(c.Work(who, n))
		got := work.Outcome()
		if i == 0 {
			first = got
		}
		assert.Equal(t, first, got, who)
		assert.NotZero(t, got.Count, who)
		// What a world of one object takes drowns in what the process does, and may be less than
		// nothing.
		if work.Turn != nil {
			assert.InDelta(t, 0, work.Turn(time.Millisecond).Figures[0].Value, 1<<30, who)
		}
		work.Close()
	}
}

func TestEveryContenderTakesItsTurns(t *testing.T) {
	pace := harness.Pace{Rounds: 3, Turn: time.Microsecond}
	for _, s := range subjects() {
		for _, c := range s.Cases {
			n := 16
			if s.Name == "frame" {
				n = 400
			}
			rows, err := harness.Measure(t.Context(), s.Name, &c, n, pace)
			require.NoError(t, err, c.Name)
			measured := map[string]bool{}
			for _, r := range rows {
				measured[r.Contender] = true
			}
			assert.Len(t, measured, len(c.Who), c.Name)
		}
	}
}

func TestFilesAreWrittenCaseByCase(t *testing.T) {
	dir := t.TempDir()
	_, errs, err := runs(t, "peers", "--quick", "--only", "query2comp,copy", "--sizes", "16,64",
		"--out", dir)
	require.NoError(t, err)
	assert.Contains(t, errs, "peers: 1 of 2, query2comp at 64\n")
	rows := world.Must(harness.ReadRows(filepath.Join(dir, "peers.csv")))
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
	// Cases that are not measured again stay, even after an interrupt.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, run(ctx, []string{"peers", "--only", "random", "--out", dir},
		strings.NewReader(""), os.Stdout, os.Stderr), context.Canceled)
	assert.Equal(t, rows, world.Must(harness.ReadRows(filepath.Join(dir, "peers.csv"))))
}

// TestOnce plays what the flag once says, for go test -cpuprofile and for simulated caches.
func TestOnce(t *testing.T) {
	if *once == "" {
		*once = "frame/frame/Ark/400/2"
	}
	parts := strings.Split(*once, "/")
	require.Len(t, parts, 5, "SUBJECT/CASE/CONTENDER/N/RUNS")
	var s named
	require.NoError(t, s.UnmarshalText([]byte(parts[0])))
	c := world.Must(s.Case(parts[1]))
	n := world.Must(strconv.Atoi(parts[3]))
	runs := world.Must(strconv.Atoi(parts[4]))
	work := world.Must(c.Work(parts[2], n))
	defer work.Close()
	for range runs {
		work.Once()
	}
	assert.Positive(t, work.Check().Count)
}

// The page shows what the files have.
func TestThePageShowsTheFiles(t *testing.T) {
	p := page{Results: "results"}
	text := world.Must(os.ReadFile("../docs/PERFORMANCE.md"))
	filled := world.Must(p.filled(string(text)))
	assert.Equal(t, string(text), filled, "write it by go run ./bench page")
	assert.NotContains(t, filled, "<!-- figures -->\n<!--")
	_, err := p.filled("```sh\ngo run ./bench unity\n```\n\n<!-- figures -->\n<!-- end of figures -->")
	assert.ErrorContains(t, err, `no results of "unity"`)
}

// The files contain exactly the existing cases.
func TestFilesHaveTheCasesThatThereAre(t *testing.T) {
	for _, s := range subjects() {
		rows := world.Must(harness.ReadRows(filepath.Join("results", s.Name+".csv")))
		for _, r := range rows {
			assert.Contains(t, world.Must(s.Case(r.Case)).Who, r.Contender, r.Case)
		}
		for _, c := range s.Cases {
			assert.True(t, slices.ContainsFunc(rows, func(r harness.Row) bool {
				return r.Case == c.Name
			}), "%s was never measured", c.Name)
		}
	}
}

// The chart matches the files.
func TestTheChartShowsTheFiles(t *testing.T) {
	want := world.Must((&page{Results: "results"}).overview())
	got := world.Must(os.ReadFile("results/overview.svg"))
	assert.Equal(t, want, string(got), "draw it by go run ./bench page")
}

// The command writes both.
func TestPageIsWritten(t *testing.T) {
	dir := t.TempDir()
	for _, s := range subjects() {
		text := world.Must(os.ReadFile(filepath.Join("results", s.Name+".csv")))
		require.NoError(t, os.WriteFile(filepath.Join(dir, s.Name+".csv"), text, 0o600))
	}
	text := world.Must(os.ReadFile("../docs/PERFORMANCE.md"))
	doc := filepath.Join(dir, "page.md")
	require.NoError(t, os.WriteFile(doc, text, 0o600))
	world.Must2(runs(t, "page", "--results", dir, "--page", doc))
	again := world.Must(os.ReadFile(doc))
	assert.Equal(t, string(text), string(again))
	assert.FileExists(t, filepath.Join(dir, "overview.svg"))
	_, _, err := runs(t, "page", "--results", t.TempDir(), "--page", doc)
	assert.ErrorContains(t, err, `no results of "frame"; measure them first`)
}

// The bars of a panel are as long as their times at the most objects; labels and figures are inside
// the picture.
func TestOverview(t *testing.T) {
	p := panel{"f", "a", "A & b", "ns", 1, "x", "y", "columns"}
	rows := []harness.Row{{Case: "a", N: 1, Contender: "x", Measure: "time", Median: 99}}
	for i, who := range []string{"flatecs", "flatecs as README", "x", "y"} {
		rows = append(rows, harness.Row{
			Case: "a", N: 16000, Contender: who, Measure: "time", Median: float64(int(10) << i),
		})
	}
	var v view
	require.NoError(t, v.panel(&p, rows))
	var got []string
	for _, m := range regexp.MustCompile(`width="([0-9.]+)"`).FindAllStringSubmatch(v.String(), -1) {
		got = append(got, m[1])
	}
	assert.Equal(t, []string{"45.0", "90.0", "180.0", "360.0"}, got)
	assert.Contains(t, v.String(), "A &amp; b, 16,000 objects")
	assert.Contains(t, v.String(), "columns by hand")
	require.ErrorContains(t, new(view).panel(&p, rows[:4]), `no time of "y" for a at 16000`)
}

// A table has the fewest objects, up to 16 times as many, and the most; a row for each way to use
// the library, with exact counts beside the README's form.
func TestCompared(t *testing.T) {
	row := func(name string, n int, who string, ns float64, against string, ratio float64) harness.Row {
		return harness.Row{
			Case: name, N: n, Contender: who, Measure: "time", Unit: "ns/object", Median: ns,
			Against: against, Ratio: ratio,
		}
	}
	rows := []harness.Row{
		row("a", 16, "flatecs", 2, "Ark", 9),
		row("a", 16, "flatecs", 2, "maps", 3), row("a", 16, "flatecs as README", 3, "", 0),
		row("a", 100, "flatecs", 4, "Ark", .25), row("a", 300, "flatecs as README Clone", 12345, "Ark", 2),
		row("a", 300, "Ark", 5, "", 0), row("b", 1, "flatecs", 6, "uot", 1),
		row("a", 1, "flatecs", 1, "Ark", 7), row("a", 17, "flatecs", 1, "Ark", 7),
	}
	assert.Equal(t, `| case | objects | flatecs | as README |
|---|---:|---:|---:|
| `+"`a`"+` | 16 | 2.00 ns/object, 9.00 × Ark, 3.00 × maps | 3.00 ns/object |
| `+"`a`"+` Clone | 300 |  | 12.3 µs/object, 2.00 × Ark |
| `+"`b`"+` | 1 | 6.00 ns/object, 1.00 × uot |  |
| `+"`a`"+` | 1 | 1.00 ns/object, 7.00 × Ark |  |
`, compared(rows))
}

// Every line of 64 bytes of the columns is fetched once by a walk, and none from beyond the last
// level; objects behind pointers need more.
func TestSeed_C9_AWalkFetchesEachLineOnce(t *testing.T) {
	const objects, walks = 8_000, 100
	misses := map[string]float64{}
	for _, who := range []string{"flatecs", "act 1"} {
		first, last := simulated(t, who, objects, walks)
		idleFirst, idleLast := simulated(t, who, objects, 0)
		misses[who] = (first - idleFirst) / (objects * walks)
		assert.InDelta(t, 0, max(0, last-idleLast)/(objects*walks), .01, who)
	}
	const lines = 12.0 / 64 // per object: x, y, z
	assert.InDelta(t, lines, misses["flatecs"], .05)
	assert.Greater(t, misses["act 1"], 2*lines)
}

var cachegrindLine = regexp.MustCompile(`(?m)^==\d+== (?:D1 +misses|LLd misses): +([\d,]+)`)

// simulated returns how many reads and writes of walks miss the caches of an ordinary processor, so
// that figures do not depend on the machine: the first, of 32 KB, and the last, of 8 MB.
func simulated(t *testing.T, who string, objects, walks int) (first, last float64) {
	t.Helper()
	found := cachegrind(t, cachegrindLine, []string{
		"--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64",
	}, "-test.run=^TestOnce$", fmt.Sprintf("-once=peers/acts_update/%s/%d/%d", who, objects, walks))
	require.Len(t, found, 2)
	return found[0], found[1]
}

// cachegrind runs this program in a simulated processor, and returns the numbers that its report
// has on some lines.
func cachegrind(t *testing.T, lines *regexp.Regexp, options []string, args ...string) (n []float64) {
	t.Helper()
	_, err := exec.LookPath("valgrind")
	require.NoError(t, err, "valgrind is not there; install it: apt-get install valgrind")
	program := world.Must(os.Executable())
	options = append(options, "--tool=cachegrind", "--cachegrind-out-file=/dev/null", program)
	command := exec.CommandContext(t.Context(), "valgrind", append(options, args...)...)
	command.Env = append(os.Environ(), "GOGC=off", "GOMAXPROCS=1", // no collections when they like
		"GODEBUG=cpu.rdtscp=off") // valgrind lacks it, and a contended lock of the runtime reads it
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, found := range lines.FindAllStringSubmatch(string(out), -1) {
		n = append(n, world.Must(strconv.ParseFloat(strings.ReplaceAll(found[1], ",", ""), 64)))
	}
	return n
}
