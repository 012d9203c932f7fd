package lab_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// inParts makes a sweep in parts, and returns their journals.
func inParts(t *testing.T, w lab.Sweep[walk], parts int) (journals []string) {
	t.Helper()
	dir := t.TempDir()
	for w.Part = range parts {
		w.Parts, w.Journal = parts, filepath.Join(dir, fmt.Sprint(w.Part))
		require.NoError(t, w.Run(t.Context(), nil))
		journals = append(journals, w.Journal)
	}
	return journals
}

// tableOf makes what the joined journal lacks, and returns the table and how many runs it made.
func tableOf(t *testing.T, w lab.Sweep[walk], joined string) (table string, made int) {
	t.Helper()
	w.Journal, w.Progress = joined, func(int, int) { made++ }
	return csv(t, w), made
}

// Parts make each run once, whatever their number, more than there are runs too.
func TestPartsMakeTheTableOfOneMachine(t *testing.T) {
	w := sweep(twoSets(t)...)
	want := csv(t, w)
	for parts := 1; parts <= 12; parts++ {
		made := 0
		w.Progress = func(done, total int) {
			made++
			assert.LessOrEqual(t, done, total)
			assert.LessOrEqual(t, total, 10/parts+1)
		}
		journals := inParts(t, w, parts)
		assert.Equal(t, 10, made)
		joined := filepath.Join(t.TempDir(), "joined")
		for range 2 { // the second finds all there
			assert.Zero(t, world.Must(lab.JoinJournals(joined, journals...)))
			table, more := tableOf(t, w, joined)
			require.Equal(t, want, table, "%d parts", parts)
			assert.Zero(t, more)
			for n, name := range append(journals, joined) { // by clocks that are days off
				day := time.Now().AddDate(0, 0, n%3-1)
				require.NoError(t, os.Chtimes(name, day, day))
			}
		}
	}
}

// A sweep that started in some parts continues in more or fewer: for all numbers of parts, and
// every set of finished parts, the joined journal lacks exactly the runs that none of them made.
func TestAnotherNumberOfParts(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Seeds, w.Steps, w.Every, w.Reports = lab.Seeds(1, 2), 2, 0, reports[:1]
	want, joined := csv(t, w), filepath.Join(t.TempDir(), "joined")
	journals := [4][]string{}
	for parts := 1; parts <= 3; parts++ {
		journals[parts] = inParts(t, w, parts)
	}
	for before := 1; before <= 3; before++ {
		for after := 1; after <= 3; after++ {
			for ended := 1; ended < 1<<(before+after); ended++ {
				var some []string
				made := map[int]bool{}
				for n, name := range append(slices.Clone(journals[before]), journals[after]...) {
					part, parts := n, before
					if n >= before {
						part, parts = n-before, after
					}
					if ended>>n&1 == 0 {
						continue
					}
					some = append(some, name)
					for run := part; run < 4; run += parts {
						made[run] = true
					}
				}
				require.NoError(t, os.RemoveAll(joined))
				missing, err := lab.JoinJournals(joined, some...)
				require.NoError(t, err)
				require.Equal(t, 4-len(made), missing, some)
				table, more := tableOf(t, w, joined)
				require.Equal(t, want, table, some)
				require.Equal(t, missing, more, some)
			}
		}
	}
}

// A part that is cut anywhere counts with its whole lines, and a join may be repeated when it has
// come further; the joined journal may be cut anywhere, too.
func TestJoinOfAJournalCutAtEveryByte(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Seeds, w.Steps, w.Every, w.Reports = lab.Seeds(1, 2), 2, 0, reports[:1]
	want := csv(t, w)
	parts := inParts(t, w, 2)
	whole := world.Must(os.ReadFile(parts[1]))
	joined := filepath.Join(t.TempDir(), "joined")
	world.Must(lab.JoinJournals(joined, parts...))
	all := world.Must(os.ReadFile(joined))
	for cut := range whole {
		require.NoError(t, os.WriteFile(parts[1], whole[:cut], 0o600))
		require.NoError(t, os.RemoveAll(joined))
		missing, err := lab.JoinJournals(joined, parts...)
		require.NoError(t, err, "cut at %d", cut)
		require.Equal(t, 2-max(0, bytes.Count(whole[:cut], []byte("\n"))-1), missing)
		if cut%29 == 0 {
			table, made := tableOf(t, w, joined)
			require.Equal(t, want, table)
			require.Equal(t, missing, made)
		}
	}
	require.NoError(t, os.WriteFile(parts[1], whole, 0o600))
	for cut := range all {
		require.NoError(t, os.WriteFile(joined, all[:cut], 0o600))
		missing, err := lab.JoinJournals(joined, parts...)
		require.NoError(t, err, "cut at %d", cut)
		require.Zero(t, missing)
		again := world.Must(os.ReadFile(joined))
		require.Len(t, again, len(all))
	}
	all[len(all)-200] ^= 1
	require.NoError(t, os.WriteFile(joined, all, 0o600))
	for _, some := range [][]string{parts[:1], parts} { // nothing is left of what is behind the damage
		world.Must(lab.JoinJournals(joined, some...))
		again := world.Must(os.ReadFile(joined))
		require.Equal(t, 1+2*len(some), bytes.Count(again, []byte("\n")))
	}
}

// What is not of the sweep, or of its part, is refused by name, and changes nothing.
func TestJournalsThatDoNotBelongTogether(t *testing.T) {
	w := sweep(twoSets(t)...)
	parts := inParts(t, w, 2)
	other := w
	other.Steps++
	others := inParts(t, other, 2)
	other = w
	other.Build = "other"
	builds := inParts(t, other, 2)
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	head, _, _ := strings.Cut(string(world.Must(os.ReadFile(parts[0]))), "\n")
	forged := func(text string) string {
		return head + "\n" + string(lab.Checksummed(nil, []byte(text)))
	}
	empty, note := write("empty", ""), write("note", "somebody's")
	damaged := write("damaged", strings.Replace(head, "runs", "ruins", 1)+"\n")
	for name, c := range map[string]struct {
		parts []string
		err   error
		says  []string
	}{
		"sweep":   {[]string{parts[0], others[1]}, lab.ErrJournal, []string{parts[0], others[1], "other parameters"}},
		"build":   {[]string{parts[0], builds[1]}, lab.ErrJournal, []string{parts[0], builds[1], "another build"}},
		"foreign": {[]string{parts[0], note}, lab.ErrJournal, []string{note, "move it elsewhere"}},
		"damaged": {[]string{parts[0], damaged}, lab.ErrJournal, []string{damaged, "first line is damaged"}},
		"missing": {[]string{parts[0], filepath.Join(dir, "x")}, os.ErrNotExist, []string{"give the journals"}},
		"folder":  {[]string{dir}, nil, []string{dir, "it is a folder"}},
		"version": {
			[]string{write("version", string(lab.Checksummed(nil, []byte(`{"flatecs lab journal":2}`))))},
			lab.ErrJournal,
			[]string{"version is 2, not 1"},
		},
		"run 10":  {[]string{write("10", forged(`{"run":10}`))}, lab.ErrJournal, []string{`:10}"; remove it`}},
		"no run":  {[]string{write("no", forged(`{}`))}, lab.ErrJournal, []string{"a line is no run"}},
		"no JSON": {[]string{write("json", forged(`[`))}, lab.ErrJournal, []string{"a line is no run"}},
		"differs": {
			[]string{parts[0], write("two", forged(`{"run":0,"steps":[0],"numbers":[]}`))},
			lab.ErrDiffers,
			[]string{"run 0", parts[0], filepath.Join(dir, "two")},
		},
	} {
		joined := filepath.Join(t.TempDir(), "joined")
		for _, first := range []string{parts[0], joined} { // the latter has its runs, then
			before, _ := os.ReadFile(joined)
			_, err := lab.JoinJournals(joined, c.parts...)
			require.Error(t, err, name)
			if c.err != nil {
				require.ErrorIs(t, err, c.err, name)
			}
			for _, says := range c.says {
				require.ErrorContains(t, err, strings.ReplaceAll(says, parts[0], first), name)
			}
			after := world.Must(os.ReadFile(joined))
			require.Equal(t, string(before), string(after), name)
			world.Must(lab.JoinJournals(joined, parts[0]))
		}
	}
	_, err := lab.JoinJournals(parts[0], parts[1])
	require.ErrorContains(t, err, "it is of a part; give another file")
	_, err = lab.JoinJournals(filepath.Join(dir, "joined"), empty)
	require.ErrorContains(t, err, "run the parts first")
}

// A part is refused the journal of another one, and of all, and parts that cannot be.
func TestPartsThatCannotBe(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Journal = inParts(t, w, 3)[1]
	for name, c := range map[string]struct {
		part, parts int
		says        string
	}{
		"of others":  {1, 4, "it is of part 1 of 3, not 1 of 4; give another file"},
		"another":    {2, 3, "it is of part 1 of 3, not 2 of 3"},
		"the sweep":  {0, 0, "it is of part 1 of 3, not 0 of 0"},
		"too large":  {3, 3, "part 3 of 3; parts are numbered from 0"},
		"negative":   {-1, 3, "part -1 of 3"},
		"fewer":      {0, -3, "part 0 of -3"},
		"of nothing": {1, 0, "part 1 of 0"},
	} {
		w.Part, w.Parts = c.part, c.parts
		require.ErrorContains(t, w.Run(t.Context(), nowhere{}), c.says, name)
	}
	w.Part, w.Parts, w.Journal = 1, 3, ""
	require.ErrorContains(t, w.Run(t.Context(), nil), "give each part a Journal of its own")
}

// Failed runs of a part are its error, and are made again, and counted, with the joined journal.
func TestFailedRunsOfParts(t *testing.T) {
	w := sweep(twoSets(t)...)
	w.Params[1].Title = "refused"
	table := new(lab.Table)
	require.ErrorIs(t, w.Run(t.Context(), table), errTitle)
	dir, parts := t.TempDir(), []string(nil)
	for part := range 2 {
		w.Part, w.Parts, w.Journal = part, 2, filepath.Join(dir, fmt.Sprint(part))
		err := w.Run(t.Context(), nil)
		require.ErrorIs(t, err, errTitle)
		require.ErrorContains(t, err, fmt.Sprintf("lab: %d of 5 runs failed", 2+part))
		require.ErrorContains(t, err, "the others are in the journal")
		parts = append(parts, w.Journal)
	}
	w.Part, w.Parts, w.Journal = 0, 0, filepath.Join(dir, "joined")
	assert.Equal(t, 5, world.Must(lab.JoinJournals(w.Journal, parts...)))
	again := new(lab.Table)
	require.ErrorContains(t, w.Run(t.Context(), again), "5 of 10 runs failed")
	assert.Equal(t, table, again)
}

func TestFlagsOfParts(t *testing.T) {
	for line, want := range map[string]lab.Flags{
		"":                               {},
		"--part 3/100 --journal parts/3": {Part: 3, Parts: 100, Journal: "parts/3"},
		"--part=0/1 --journal=x":         {Parts: 1, Journal: "x"},
		"--join parts":                   {Dir: "parts"},
	} {
		var f lab.Flags
		set := flag.NewFlagSet("program", flag.ContinueOnError)
		f.Add(set)
		require.NoError(t, set.Parse(strings.Fields(line)))
		assert.Equal(t, want, f)
	}
	for _, text := range []string{"", "3", "3/", "/3", "3/3", "-1/3", "1/0", "a/b", "1/2/3", "0x1/3"} {
		_, _, err := lab.ParsePart(text)
		require.ErrorContains(t, err, fmt.Sprintf("%q; give i/n", text))
	}
	w := sweep(twoSets(t)...)
	dir := filepath.Dir(inParts(t, w, 3)[0])
	require.NoError(t, os.Remove(filepath.Join(dir, "1")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".nfs1"), []byte("x"), 0o600))
	f := lab.Flags{Dir: dir}
	missing := world.Must(f.Join())
	assert.Equal(t, 3, missing)
	table, made := tableOf(t, w, f.Journal)
	assert.Equal(t, csv(t, w), table)
	assert.Equal(t, 3, made)
	for _, f := range []lab.Flags{{Dir: dir, Parts: 3}, {Dir: t.TempDir()}, {Dir: "nowhere"}} {
		_, err := f.Join()
		require.ErrorContains(t, err, "run the parts first")
	}
	missing = world.Must(new(lab.Flags).Join())
	assert.Zero(t, missing)
}
