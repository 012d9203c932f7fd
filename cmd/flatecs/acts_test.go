package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSeed_D19_EveryActPrintsItsLinesAndItsState(t *testing.T) {
	for line, want := range map[string]string{
		"run heroes --act 3": "act3.golden",
		"run heroes --act=2": "act2.golden",
		"run heroes --act 1": "act1.golden",
	} {
		if got := played(t, line); got != golden(t, want) {
			t.Errorf("%s printed\n%swant\n%s", line, got, golden(t, want))
		}
	}
}

func TestSeed_D11_AFrameUpdatesThenRendersOneByOneThenInstances(t *testing.T) {
	for act := 1; act <= 3; act++ {
		begin, frame, _ := parts(t, fmt.Sprintf("act%d.golden", act))
		for frames := range 4 {
			line := fmt.Sprintf("run heroes --act %d --frames %d --state none", act, frames)
			if got, want := played(t, line), begin+strings.Repeat(frame, frames); got != want {
				t.Errorf("%s printed\n%swant\n%s", line, got, want)
			}
		}
	}
}

func TestStateIsPrintedAfterTheLastFrameOrAfterEach(t *testing.T) {
	for act := 1; act <= 3; act++ {
		begin, frame, state := parts(t, fmt.Sprintf("act%d.golden", act))
		later := states(t, act)
		for flags, want := range map[string]string{
			"":                                      begin + frame + state,
			"--frames 0":                            begin + later[0],
			"--frames 3":                            begin + frame + frame + frame + later[3],
			"--frames 0 --state every":              begin,
			"--frames 2 --state every":              begin + frame + later[1] + frame + later[2],
			"--render none":                         state,
			"--frames 2 --render none":              later[2],
			"--frames 9 --render none --state=none": "",
		} {
			line := fmt.Sprintf("run heroes --act %d %s", act, flags)
			if got := played(t, line); got != want {
				t.Errorf("%s printed\n%swant\n%s", line, got, want)
			}
		}
	}
}

// states derives the state after each frame from the golden one: normal hero 1 is at 2^k, super
// hero 1 at 3·2^k, the others at the origin.
func states(t *testing.T, act int) []string {
	t.Helper()
	_, _, state := parts(t, fmt.Sprintf("act%d.golden", act))
	lists := regexp.MustCompile(`\[2,2,2\]|\[6,6,6\]|"positions":\{"0":2,"1":2,"2":2|"6":6,"7":6,"8":6`)
	values := regexp.MustCompile(`[26]([],}]|,|$)`)
	var all []string
	for k := range 4 {
		all = append(all, lists.ReplaceAllStringFunc(state, func(list string) string {
			return values.ReplaceAllStringFunc(list, func(value string) string {
				n := int(value[0]-'0') / 2 << k
				return fmt.Sprint(n, value[1:])
			})
		}))
	}
	return all
}

func TestTheInstancesAreToldOnceWhateverTheirNumber(t *testing.T) {
	for act := 1; act <= 3; act++ {
		for _, heroes := range []int{0, 1, 2, 500} {
			line := fmt.Sprintf("run heroes --act %d --count %d --supers 3 --state none", act, heroes)
			out := played(t, line)
			if n := strings.Count(out, "批量Instance渲染 NormalHeroes...\n"); n != 1 {
				t.Errorf("%s told of the instances %d times", line, n)
			}
			if n := strings.Count(out, "OneByOne渲染 SuperHero...\n"); n != 3 {
				t.Errorf("%s told of %d super heroes", line, n)
			}
			if n := strings.Count(out, "更新"); n != heroes+3 {
				t.Errorf("%s told of %d updates", line, n)
			}
		}
	}
}

func TestValuesBeyondFloat32ArePrintedAsNull(t *testing.T) {
	for act := 1; act <= 3; act++ {
		line := fmt.Sprintf("run heroes --act %d --frames 200 --render none", act)
		out := played(t, line)
		if n := strings.Count(strings.ReplaceAll(out, "Component\":null", ""), "null"); n != 6 {
			t.Errorf("%s printed null %d times, want 6: %s", line, n, out)
		}
		if !json.Valid([]byte(out)) {
			t.Errorf("%s printed no JSON: %s", line, out)
		}
	}
}

type thirdState struct {
	Objects   struct{ MaxUID int } `json:"gameObjectManagerState"`
	Positions struct {
		MaxIndex                                        int
		Positions, GameObjectMap, GameObjectPositionMap map[string]float32
	} `json:"positionComponentManagerState"`
	Velocities struct {
		MaxIndex  int
		Velocitys map[string]float32
	} `json:"velocityComponentManagerState"`
	Flies struct {
		MaxIndex     int
		MaxVelocitys map[string]float32
	} `json:"flyComponentManagerState"`
	Instances struct{ MaxUID int } `json:"instanceComponentManagerState"`
}

func TestCountsAreRaisedForTheScene(t *testing.T) {
	for _, test := range []struct {
		flags                        string
		positions, velocities, flies int // rows
	}{
		{"", 10, 10, 10},
		{"--count 8", 10, 10, 10},
		{"--count 9", 11, 11, 10},
		{"--count 20 --supers 30", 50, 50, 30},
		{"--count 0 --supers 0", 10, 10, 10},
	} {
		var s thirdState
		require.NoError(t, json.Unmarshal([]byte(played(t, "run heroes --act 3 --render none "+test.flags)), &s))
		p, v, f := len(s.Positions.Positions)/3, len(s.Velocities.Velocitys), len(s.Flies.MaxVelocitys)
		if p != test.positions || v != test.velocities || f != test.flies {
			t.Errorf("%q: %d positions, %d velocities, %d flies", test.flags, p, v, f)
		}
	}
}

func TestOnlyTheFirstOfEachKindMoves(t *testing.T) {
	var s thirdState
	out := played(t, "run heroes --act 3 --render none --frames 1 --count 500 --supers 300")
	require.NoError(t, json.Unmarshal([]byte(out), &s))
	for i := range 3 * 800 {
		want := float32(0)
		switch i / 3 {
		case 0:
			want = 2
		case 500:
			want = 6
		}
		if got := s.Positions.Positions[fmt.Sprint(i)]; got != want {
			t.Fatalf("position value %d: got %v, want %v", i, got, want)
		}
	}
	if s.Objects.MaxUID != 800 || s.Flies.MaxIndex != 300 || s.Instances.MaxUID != 500 {
		t.Errorf("got %d objects, %d flies, %d instances",
			s.Objects.MaxUID, s.Flies.MaxIndex, s.Instances.MaxUID)
	}
}

func TestTheStoryHasADigest(t *testing.T) {
	require.Equal(t, "digest frame=1 xxh3=a8d6e62e6ce81e64\ndigest frame=2 xxh3=823d7f00a34e7bf8\n",
		played(t, "run heroes --frames 2 --render none --state none --digest every"))
}
