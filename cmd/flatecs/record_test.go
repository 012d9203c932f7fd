package main

import (
	"encoding/json"
	"fmt"
	"image/gif"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/render/file"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

var digestLine = regexp.MustCompile(`^digest frame=(\d+) xxh3=([0-9a-f]{16})\n$`)

// digestsOf runs a command line that prints digests, and returns them by frame.
func digestsOf(t *testing.T, line string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for text := range strings.Lines(played(t, line)) {
		m := digestLine.FindStringSubmatch(text)
		require.NotNil(t, m, "%s printed %q", line, text)
		found[m[1]] = m[2]
	}
	return found
}

func TestDigestsAreOfTheLastStepOrOfEvery(t *testing.T) {
	for _, line := range []string{
		"run cubes --count 500 --frames 20",
		"run heroes --render none --state none --frames 20",
	} {
		last := digestsOf(t, line+" --digest last")
		every := digestsOf(t, line+" --digest every")
		assert.Len(t, every, 20, line)
		assert.Equal(t, map[string]string{"20": every["20"]}, last, line)
		assert.NotEqual(t, every["19"], every["20"], "%s: two steps have one digest", line)
		before := digestsOf(t, strings.Replace(line, "20", "19", 1)+" --digest last")
		assert.Equal(t, every["19"], before["19"], "%s: it depends on how many follow", line)
	}
	assert.Contains(t, digestsOf(t, "run cubes --count 500 --frames 0 --digest last"), "0")
}

// recorded records a run, and returns the path of the recording.
func recorded(t *testing.T, line string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "recording")
	played(t, line+" --record "+path)
	return path
}

// changed writes a recording with other inputs from a frame on, or of another program, to a file.
func changed(t *testing.T, path string, edit func(p *recordedScene, inputs [][]byte)) string {
	t.Helper()
	from := world.Must(record.Read(path))
	var p recordedScene
	require.NoError(t, json.Unmarshal([]byte(from.Head.Program), &p))
	sc := world.Must(gallery.ByName(p.Scene))
	play := world.Must(sc.Open(scene.Options{
		Count: p.Count, Supers: p.Supers, Seed: p.Seed, Variant: p.Variant,
	}))
	defer func() { play.Close(play.First) }()
	_, next := from.Frames()
	inputs := make([][]byte, next)
	for n := range inputs {
		inputs[n] = []byte{world.Must(from.Input(n))[0]}
	}
	edit(&p, inputs)
	other := filepath.Join(t.TempDir(), "changed")
	out := world.Must(os.Create(other))
	to := world.Must(record.New(out, play.First, record.Options{
		Build: version(), Program: string(world.Must(json.Marshal(p))), Digests: 1, Wait: true,
	}))
	for _, input := range inputs {
		require.NoError(t, to.Record(play.First, input[:1]))
		play.First = play.Step(play.First, scene.Input(input[len(input)-1]))
	}
	require.NoError(t, to.End(play.First))
	require.NoError(t, out.Close())
	return other
}

func TestARecordingIsPlayedAgain(t *testing.T) {
	for line, steps := range map[string]int{
		"run cubes --count 300 --frames 40":                            40,
		"run cubes --count 300 --frames 40 --variant camera --seed 99": 40,
		"run cubes --count 300 --frames 0 --variant rain":              0,
	} {
		path := recorded(t, line)
		want := fmt.Sprintf("%d steps, and all digests are equal\n", steps)
		for _, flags := range []string{"", " --workers 2", " --to 1000"} {
			assert.Equal(t, want, played(t, "replay "+path+flags), "%s: replay%s", line, flags)
		}
	}
}

// An earlier recording stays until the new one has steps: not one that is refused, nor one without
// room, replaces it.
func TestAnEarlierRecordingStays(t *testing.T) {
	path := recorded(t, "run flappy --frames 40 --seed 3")
	before := world.Must(os.ReadFile(path))
	other := world.Must(world.Must(gallery.ByName("flappy")).Open(scene.Options{}))
	defer other.Close(other.First)
	begun := world.Must(newRecorder(path, other))
	require.NoError(t, begun.to.Close())
	require.Equal(t, before, world.Must(os.ReadFile(path)), "begun, without a step")
	begun.out.Discard()
	for what, edit := range map[string]func(to *settling) error{
		"head":  func(to *settling) error { _, err := to.Write([]byte("head")); return err },
		"world": func(to *settling) error { return to.Close() },
	} {
		out := world.Must(file.Create(path))
		to := &settling{File: out}
		require.NoError(t, edit(to), what)
		require.Equal(t, before, world.Must(os.ReadFile(path)), what)
		if what == "world" {
			_, err := to.Write([]byte("world"))
			require.Error(t, err)
			require.Error(t, out.Commit())
		}
		out.Discard()
		require.Equal(t, before, world.Must(os.ReadFile(path)), what)
	}
	out := world.Must(file.Create(path))
	for n, want := range []string{string(before), "headworld", "headworldsteps"} {
		_, err := (&settling{out, n}).Write([]byte([]string{"head", "world", "steps"}[n]))
		require.NoError(t, err)
		require.Equal(t, want, string(world.Must(os.ReadFile(path))))
	}
	require.NoError(t, out.Commit())
	require.Len(t, world.Must(os.ReadDir(filepath.Dir(path))), 1, "nothing unfinished is left")
	r := play(t, "replay --pack "+path+" "+path)
	require.Equal(t, 1, r.code)
	require.Equal(t, "headworldsteps", string(world.Must(os.ReadFile(path))))
}

// TestARecordingIsShownAndPacked: any program's, in a folder too.
func TestARecordingIsShownAndPacked(t *testing.T) {
	path := recorded(t, "run flappy --frames 40 --seed 3")
	text := played(t, "replay --show "+path)
	require.Contains(t, text, "frames 0 to 39, 60 a second, 1 bytes each\n")
	require.Contains(t, text, "00 x ")
	packed := filepath.Join(t.TempDir(), "packed")
	played(t, "replay "+path+" --pack "+packed)
	require.Equal(t, text, played(t, "replay --show "+packed))
}

func TestTheFirstStepThatDiffersIsNamed(t *testing.T) {
	path := recorded(t, "run flappy --frames 40 --seed 3")
	bad := changed(t, path, func(_ *recordedScene, inputs [][]byte) {
		inputs[16] = append(inputs[16], 1) // is not recorded
	})
	r := play(t, "replay "+bad)
	want := `^flatecs: .*: the world differs after step 17: digest [0-9a-f]{16}, recorded as ` +
		`[0-9a-f]{16} by flatecs .*\nrecorded and replayed after step 40: tick 281: .*\n$`
	r.says(t, 1)
	assert.Empty(t, r.out)
	assert.Regexp(t, want, r.err)
	assert.Regexp(t, "^16 steps", played(t, "replay "+bad+" --to 16"), "up to the step before")
	other := changed(t, path, func(p *recordedScene, _ [][]byte) { p.Seed++ })
	play(t, "replay "+other).says(t, 1, "after step 0:")
}

func TestRecordingsThatCannotBePlayed(t *testing.T) {
	path := recorded(t, "run cubes --count 300 --frames 40")
	for want, edit := range map[string]func(p *recordedScene){
		`there is no scene "chess"; there are`: func(p *recordedScene) { p.Scene = "chess" },
		"the scene behaves differently now: version 3, not 999; replay with": func(p *recordedScene) {
			p.Behaviour = 999
		},
		`variant "rise"`:                             func(p *recordedScene) { p.Variant = "rise" },
		"another program recorded this":              func(p *recordedScene) { p.Scene = "" },
		"16777217, of 1048576 at most; raise --most": func(p *recordedScene) { p.Count, p.Supers = 1<<24, 1 },
	} {
		other := changed(t, path, func(p *recordedScene, _ [][]byte) { edit(p) })
		refused(t, 1, map[string]string{"replay " + other: want})
	}
	require.NoError(t, os.Truncate(path, int64(len(content(path))-50)))
	refused(t, 1, map[string]string{
		"replay " + path:            "the recording was cut off",
		"replay " + os.Args[0]:      "the recording is damaged: it begins with",
		"replay --most 299 " + path: "300, of 299 at most; raise --most",
	})
}

// What serve arena records is replayed, noted failures and all; one that says nonsense is refused.
func TestAnArenaIsReplayed(t *testing.T) {
	for said, want := range map[string]string{
		"arena players=2 seed=1": "9 steps, and all digests are equal\nfailure at frame 8: a bot\n",
		"arena players=0 seed=1": "an arena of 0 players",
	} {
		path := filepath.Join(t.TempDir(), "arena")
		h := world.Must(arena.NewHost(2, 1))
		rec := world.Must(record.Create(path, h.State(), record.Options{Program: said}))
		h.Record(func(s world.State, input []byte) { require.NoError(t, rec.Record(s, input)) })
		for range 9 {
			h.Tick()
		}
		require.NoError(t, rec.Note(record.Note{Frame: 8, What: "failure", Text: "a bot"}))
		require.NoError(t, rec.End(h.State()))
		h.Close()
		if r := play(t, "replay "+path); r.code == 0 {
			require.Equal(t, want, r.out)
		} else {
			require.Contains(t, r.err, want)
		}
		refused(t, 1, map[string]string{"replay --to 3 " + path: "an arena"})
	}
	refused(t, 2, map[string]string{"serve arena --keep 1s": "the folder by --record"})
}

// recordedDuel records a match as package gym does: 30 steps, from the one after a first part.
func recordedDuel(t *testing.T, skip int, said string) (path string) {
	t.Helper()
	path, duel := filepath.Join(t.TempDir(), "duel"), arena.NewDuel()
	s := duel.Begin(world.Must(world.CreateState(arena.Counts(2, 7))))
	for range skip {
		s = duel.Step(s, arena.Forward)
	}
	rec := world.Must(record.Create(path, s, record.Options{Program: said, Digests: 1}))
	for n := range 30 {
		s = world.Must(rec.Step(s, []byte{byte(n)}, func(s world.State, input []byte) world.State {
			return duel.Step(s, input[0])
		}))
	}
	require.NoError(t, rec.End(s))
	return path
}

const duelNow = `{"Scene":"duel","Behaviour":2,"Seed":7}`

// Matches of duels that package gym records are replayed, from any step on, and drawn.
func TestADuelIsReplayed(t *testing.T) {
	require.Equal(t, "30 steps, and all digests are equal\n",
		played(t, "replay "+recordedDuel(t, 100, duelNow)))
	old := recordedDuel(t, 0, `{"Scene":"duel","Behaviour":1,"Seed":7}`)
	refused(t, 1, map[string]string{"replay " + old: "the scene behaves differently now"})
	film := filepath.Join(t.TempDir(), "duel.gif")
	played(t, "replay --to 9 --render gif --size 90x60 --out "+film+" "+recordedDuel(t, 0, duelNow))
	pictures := world.Must(gif.DecodeAll(strings.NewReader(content(film))))
	require.Equal(t, []int{5, 5, 5, 5, 5, 5, 5, 5}, pictures.Delay[:8], "twenty ticks a second")
}

func TestWhyTellsWhoWroteAValue(t *testing.T) {
	path := recorded(t, "run cubes --count 300 --frames 40")
	line := "why " + path + " --object 7 --field Transform.position"
	wrote := `tick \d+, frame %, job "Physics": Transform.position of object 7: \[.+\] → \[.+\]; ` +
		`reads Gravity.force, RigidBody.velocity, Transform.position; in \S+/cubes/\w+\.go:\d+\n`
	for flags, frames := range map[string][]string{
		"": {"39"}, " --writes 2": {"39", "38"}, " --to 30": {"29"}, " --before 21": {"9"},
	} {
		want := "^"
		for _, f := range frames {
			want += strings.Replace(wrote, "%", f, 1)
		}
		assert.Regexp(t, want+"$", played(t, line+flags), flags)
	}
	flappy := recorded(t, "run flappy --frames 40 --seed 3")
	bad := changed(t, flappy, func(_ *recordedScene, inputs [][]byte) {
		inputs[29] = append(inputs[29], 1)
	}) + " --field a"
	refused(t, 1, map[string]string{
		"why " + path + " --field Transform.place": `flatecs: --field Transform.place: no kind has ` +
			`this field; there are `,
		line + " --before 2":    "not written in the frames that are kept: 0 to 39",
		line + " --object 3000": "flatecs: game object 3000: Entity out of range. This world has 301",
		line + " --object x":    "flatecs: --object x: ",
		"why " + bad:            "after step 30: ",
	})
	assert.Regexp(t, "ask up to it by --to 29", play(t, "why "+bad).err)
}
