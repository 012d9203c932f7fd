package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/charts"
	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// TestMain lets this program be the one that contenders run in.
func TestMain(m *testing.M) {
	if turns.IsErrand(os.Args[1:]) {
		os.Exit(command.Main())
	}
	os.Exit(m.Run())
}

// runs runs a command line.
func runs(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	code = command.Run(t.Context(), args, turns.Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	return code, o.String(), e.String()
}

func TestWrongCommandLines(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"flag", []string{"--what"}, "unknown flag --what"},
		{"definition", []string{"--only", "query2comp,nothing"}, `begins with "nothing"; --list`},
		{"peer", []string{"--peers", "unity"}, `no peer is named "unity"; there are slices, ark, `},
		{"size", []string{"--sizes", "0"}, "0 objects; give 1 or more"},
		{"argument", []string{"query2comp"}, "unexpected argument query2comp"},
		{"resume", []string{"--resume", "--json", "/nowhere/rounds.json"}, "no such file"},
		{"folder", []string{"--only", "new_world", "--out", "/dev/null/charts"}, "not a directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := runs(t, c.args...)
			assert.NotZero(t, code)
			assert.Empty(t, out)
			assert.Contains(t, errs, c.want)
		})
	}
}

func TestHelpAndList(t *testing.T) {
	code, out, errs := runs(t, "--help")
	assert.Zero(t, code, errs)
	assert.Contains(t, out, "--quick")
	code, out, errs = runs(t, "--list", "--only", "query2comp", "--peers", "ark,volt")
	assert.Zero(t, code, errs)
	assert.Contains(t, out, "query2comp")
	assert.Contains(t, out, "Ark tables, registered, Volt")
	assert.NotContains(t, out, "Donburi")
}

// hurry makes rounds short.
func hurry(t *table) { t.pace.rounds, t.pace.least, t.pace.turn = 3, 3, time.Microsecond }

func hired(hire func(context.Context, string) (turns.Seat, error)) turns.Seats {
	return turns.Seats{Hire: hire}
}

func TestEveryContenderTakesItsTurns(t *testing.T) {
	var o office
	defer o.close()
	plays, err := (&comparison{}).plays()
	require.NoError(t, err)
	played := 0
	seats := &table{seats: hired(o.hire), skip: func(n int) { played += n }}
	defer seats.seats.Close()
	hurry(seats)
	want := 0
	for _, p := range plays {
		if p.Caches > 0 {
			continue
		}
		n := 16
		cells, err := seats.play(t.Context(), p.Definition, n, p.who)
		require.NoError(t, err, p.Name)
		want += 3 * len(p.who)
		for _, c := range cells {
			assert.Len(t, c.Rounds, 3, c.Contender)
			assert.NotZero(t, c.Result.Count, c.Contender)
			if p.Unit == suite.Nanoseconds && p.Beside == "" {
				assert.GreaterOrEqual(t, c.Rounds[0], 0.0, c.Contender)
			}
		}
	}
	assert.Equal(t, want, played)
}

func TestPublish(t *testing.T) {
	dir := t.TempDir()
	code, out, errs := runs(t, "--quick", "--only", "query2comp,new_world", "--peers", "ark",
		"--sizes", "16,64,256", "--json", filepath.Join(dir, "rounds.json"), "--out", dir)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "Measured on ")
	assert.Contains(t, out, "| n | flatecs | flatecs loop | flatecs no recipe | flatecs free room | Ark | ")
	assert.Regexp(t, `\| 256 \| [\d.]+ × Ark`, out)
	chart, err := os.ReadFile(filepath.Join(dir, "query2comp.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(chart), "Ark tables")
	assert.Less(t, len(chart), 100<<10)
	rounds, err := os.ReadFile(filepath.Join(dir, "rounds.json"))
	require.NoError(t, err)
	assert.Contains(t, string(rounds), `"Contender": "Ark tables"`)
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var o, e strings.Builder
	code := command.Run(ctx, []string{"--only", "query2comp"}, turns.Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	assert.Equal(t, 130, code)
	assert.Contains(t, e.String(), "interrupted")
}

// liar comes to another result than everybody else.
type liar struct{ turns.Seat }

func (l liar) Ask(line string, a any) error {
	err := l.Seat.Ask(line, a)
	a.(*answer).Sum++
	return err
}

func TestDifferentResultsAreRefused(t *testing.T) {
	var o office
	seats := &table{skip: func(int) {}}
	seats.seats = hired(func(ctx context.Context, name string) (turns.Seat, error) {
		s, err := o.hire(ctx, name)
		if name == "Ark" {
			return liar{s}, err
		}
		return s, err
	})
	defer seats.seats.Close()
	hurry(seats)
	d, _ := definitionNamed("query2comp")
	_, err := seats.play(t.Context(), d, 16, []string{"flatecs", "Ark"})
	assert.ErrorContains(t, err, "query2comp at 16: flatecs comes to")
}

func TestContenderThatPanics(t *testing.T) {
	var p player
	assert.PanicsWithValue(t, "what is turn 1?", func() { p.answer("turn 1") })
	assert.PanicsWithValue(t, " does not do nothing", func() { p.answer("prepare nothing 1") })
	c, _ := contenderNamed("flatecs")
	p.contender = c
	assert.Panics(t, func() { p.answer("prepare query2comp -5") })
}

// Every line of 64 bytes of the columns is fetched once by a walk, and none from beyond the last
// level; objects behind pointers need more.
func TestSeed_C9_AWalkFetchesEachLineOnce(t *testing.T) {
	_, err := exec.LookPath("valgrind")
	require.NoError(t, err, "valgrind is not there; install it: apt-get install valgrind")
	program := filepath.Join(t.TempDir(), "compare")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	d, ok := definitionNamed("caches")
	require.True(t, ok)
	misses := map[string]float64{}
	r := report{}
	for _, name := range []string{"flatecs", "slices of pointers"} {
		cells, err := simulateCaches(t.Context(), program, d, 4_000, []string{name})
		require.NoError(t, err)
		_, first, last := cells[0].Cache.perObject()
		misses[name] = first
		assert.InDelta(t, 0, last, .01, name)
		r.Cells = append(r.Cells, cells...)
	}
	const lines = 32.0 / 64 // per object: two components of 16 bytes
	assert.InDelta(t, lines, misses["flatecs"], .1)
	assert.Greater(t, misses["slices of pointers"], lines+.05)
	t.Log(r.caches(play{Definition: d}))
}

func TestParseCachegrind(t *testing.T) {
	got, err := parseCachegrind(`==7== I   refs:      116,912,597
==7== D   refs:       50,529,537  (37,188,475 rd   + 13,341,062 wr)
==7== D1  misses:         98,283  (    66,586 rd   +     31,697 wr)
==7== LLd misses:         76,708  (    48,856 rd   +     27,852 wr)
==7== D1  miss rate:         0.2% (       0.2%     +        0.2%  )
`)
	require.NoError(t, err)
	assert.Equal(t, accesses{50_529_537, 98_283, 76_708}, got)
	_, err = parseCachegrind("==7== Segmentation fault")
	assert.ErrorContains(t, err, "no counts")
}

func TestLibrariesHaveStyles(t *testing.T) {
	for _, c := range suite.Contenders() {
		assert.Contains(t, charts.Styles, c.Peer)
	}
}

func TestInterruptedRunsGoOn(t *testing.T) {
	rounds := filepath.Join(t.TempDir(), "rounds.json")
	args := []string{
		"--only", "query2comp,new_world", "--peers", "ark", "--sizes", "16,64",
		"--json", rounds,
	}
	plays, err := (&comparison{Only: []string{"query2comp", "new_world"}, Peers: []string{"ark"}}).
		plays()
	require.NoError(t, err)
	pace := (&comparison{}).pace()
	r := report{Machine: turns.ThisMachine(), Pace: pace.String()}
	for _, who := range plays[0].who { // 16 is there, and nothing else
		r.Cells = append(r.Cells, cell{
			Definition: "query2comp", N: 16, Contender: who,
			Rounds: []float64{4242},
		})
	}
	require.NoError(t, turns.Keep(rounds, r))
	code, out, errs := runs(t, append(args, "--resume")...)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "| 16 | 4,242 |")
	assert.NotContains(t, out, "| 64 | 4,242 |")
	assert.NotContains(t, errs, "query2comp 16: ")
	assert.Contains(t, errs, "query2comp 64: Ark ")

	code, _, errs = runs(t, append(args, "--resume", "--quick")...)
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "Begin anew without --resume")
}

func TestInterruptedRunsSayWhatIsKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var o strings.Builder
	rounds := filepath.Join(t.TempDir(), "rounds.json")
	errs := &canceller{after: "query2comp 16: Ark ", cancel: cancel}
	code := command.Run(ctx, []string{
		"--quick", "--only", "query2comp", "--peers", "ark", "--sizes", "16,64",
		"--json", rounds,
	}, turns.Streams{In: strings.NewReader(""), Out: &o, Err: errs})
	assert.Equal(t, 130, code)
	assert.Empty(t, o.String())
	assert.Contains(t, errs.String(), "figures are kept in "+rounds+"; go on with --resume")
	text, err := os.ReadFile(rounds)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"N": 16`)
	assert.NotContains(t, string(text), `"N": 64`)
}

// canceller cancels when something was written.
type canceller struct {
	strings.Builder
	after  string
	cancel func()
}

func (c *canceller) Write(p []byte) (int, error) {
	if strings.Contains(string(p), c.after) {
		c.cancel()
	}
	return c.Builder.Write(p)
}

func TestTablesSayWhereThisLibraryIsBehind(t *testing.T) {
	who := []string{"flatecs", "flatecs batch", "Ark", "Ark batch"}
	d, _ := definitionNamed("create2comp")
	p := play{Definition: d, who: who}
	r := report{}
	for i, ns := range []float64{30, 4, 20, 8} {
		r.Cells = append(r.Cells, cell{
			Definition: d.Name, N: 16, Contender: who[i],
			Rounds: []float64{ns},
		})
	}
	assert.Contains(t, r.markdown([]play{p}, ""),
		"\nflatecs is behind: 1.5 × Ark at 16.\n")
	r.Cells[0].Rounds[0] = 20.5 // less than a twentieth is noise
	text := r.markdown([]play{p}, "")
	assert.Contains(t, text, "\nNowhere behind.\n")
	assert.Contains(t, text, "\n- as upstream, ")
}
