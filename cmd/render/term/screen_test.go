package term

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func random(r *rand.Rand, m *image.RGBA, changes int) {
	for range changes {
		at := r.IntN(len(m.Pix)/4) * 4
		for i := range 3 {
			m.Pix[at+i] = uint8(r.IntN(256))
		}
	}
}

// What the terminal shows after changes alone must be what it should show.
func TestChangesShowTheWhole(t *testing.T) {
	texts := []string{"score 12", "【ECS实现】得分:7", "wide 得分", "", "实"}
	r := rand.New(rand.NewPCG(3, 4))
	s := &screen{depth: TrueColour}
	e := newEmulator(t, 30, 8)
	s.resize(30, 8)
	m := image.NewRGBA(image.Rect(0, 0, 30, 16))
	for frame := range 300 {
		if frame == 150 {
			s.resize(20, 5)
			e.cols, e.rows = 20, 5
			m = image.NewRGBA(image.Rect(0, 0, 20, 10))
		}
		random(r, m, r.IntN(40))
		s.picture(m, 0)
		for range 2 {
			s.write(texts[r.IntN(len(texts))], r.IntN(40)-8, r.IntN(10)-1, rgb{200, 100, uint8(frame)})
		}
		e.feed(string(s.update()))
		for i, want := range s.want {
			require.True(t, same(&want, &e.cells[i]), "frame %d cell %d: %v, want %v", frame, i,
				e.cells[i], want)
		}
	}
}

func TestNothingNewSendsNothing(t *testing.T) {
	s := &screen{depth: TrueColour}
	s.resize(10, 4)
	m := image.NewRGBA(image.Rect(0, 0, 10, 8))
	s.picture(m, 0)
	require.NotEmpty(t, s.update())
	s.picture(m, 0)
	assert.Empty(t, s.update())
	m.Pix[0] += near - 1
	s.picture(m, 0)
	assert.Empty(t, s.update(), "hardly anything")
	m.Pix[0]++
	s.picture(m, 0)
	assert.NotEmpty(t, s.update(), "many small changes are one large one")
	assert.Less(t, len(s.update()), 80)
}

func TestNearestOf256(t *testing.T) {
	level := func(step int) int {
		if step == 0 {
			return 0
		}
		return 55 + 40*step
	}
	colour := func(i int) [3]int {
		if i >= 232 {
			return [3]int{8 + 10*(i-232), 8 + 10*(i-232), 8 + 10*(i-232)}
		}
		return [3]int{level((i - 16) / 36), level((i - 16) / 6 % 6), level((i - 16) % 6)}
	}
	off := func(c rgb, i int) (sum int) {
		for k, v := range colour(i) {
			sum += (int(c[k]) - v) * (int(c[k]) - v)
		}
		return sum
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		c := rgb{uint8(r.IntN(256)), uint8(r.IntN(256)), uint8(r.IntN(256))}
		if r.IntN(2) == 0 {
			c[1], c[2] = c[0], c[0]
		}
		least := math.MaxInt
		for i := 16; i < 256; i++ {
			least = min(least, off(c, i))
		}
		require.LessOrEqual(t, off(c, Index256(c)), least+2, "%v", c) // the mean grey is rounded
	}
}

func TestDepths(t *testing.T) {
	for name, test := range map[string]struct {
		term, colours, none string
		want                Depth
	}{
		"nothing known":      {"", "", "", Text},
		"dumb":               {"dumb", "truecolor", "", Text},
		"true colour":        {"xterm-256color", "truecolor", "", TrueColour},
		"24 bits":            {"xterm", "24bit", "", TrueColour},
		"direct":             {"xterm-direct", "", "", TrueColour},
		"256 colours":        {"screen-256color", "", "", Colours256},
		"xterm":              {"xterm", "", "", Colours256},
		"old":                {"vt100", "", "", Plain},
		"no colour asked":    {"xterm", "24bit", "1", Plain},
		"dumb wins NO_COLOR": {"dumb", "", "1", Text},
	} {
		t.Run(name, func(t *testing.T) {
			environment := map[string]string{
				"TERM": test.term, "COLORTERM": test.colours, "NO_COLOR": test.none,
			}
			get := func(name string) string { return environment[name] }
			assert.Equal(t, test.want, DepthOf(get))
		})
	}
}

func TestKeysParsed(t *testing.T) {
	for typed, want := range map[string][]Key{
		" qp":                    {Space, 'q', 'p'},
		"\x1b[A\x1b[B\x1b[C":     {Up, Down, Right},
		"\x1bOD":                 {Left},
		"\x1b":                   {Escape},
		"\x1b\x1b[A":             {Escape, Up},
		"\r\n":                   {Enter, Enter},
		"é得":                     {'é', '得'},
		"\xff ":                  {0, Space},
		"\x1b[<0;10;5Mx":         {Click, 'x'},
		"\x1b[<0;10;5m":          {0},
		"\x1b[<2;10;5M":          {0},
		"\x1b[200~":              {0},
		"\x1b[1;5C":              {Right},
		"\x1b[":                  {Escape, '['},
		"\x1b[<0;99999999999999": {0},
	} {
		var got []Key
		for rest := []byte(typed); len(rest) > 0; {
			key, size := parseKey(rest)
			got = append(got, key)
			rest = rest[size:]
		}
		assert.Equal(t, want, got, "%q", typed)
	}
}

func FuzzKeys(f *testing.F) {
	f.Add([]byte("\x1b[<0;10;5M q"))
	f.Add([]byte("\x1b[\xff"))
	f.Fuzz(func(t *testing.T, typed []byte) {
		for len(typed) > 0 {
			_, size := parseKey(typed)
			if size <= 0 || size > len(typed) {
				t.Fatalf("%d bytes of %d", size, len(typed))
			}
			typed = typed[size:]
		}
	})
}

func TestAllocsUpdate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := &screen{depth: TrueColour}
	s.resize(160, 44)
	m := image.NewRGBA(image.Rect(0, 0, 160, 88))
	frame := func() {
		random(r, m, 1000)
		s.picture(m, 0)
		s.write("score", 3, 3, rgb{1, 2, 3})
		s.update()
	}
	for range 20 {
		random(r, m, 20000)
		frame()
	}
	assert.Zero(t, testing.AllocsPerRun(50, frame))
}

// The last row contains the footer, with the parts that fit.
func TestTheFooter(t *testing.T) {
	s := &screen{depth: TrueColour}
	s.footer = "one · two · three"
	s.resize(12, 8)
	assert.Equal(t, 7, s.high(), "rows of picture")
	s.writeFooter()
	row := func() (text string) {
		for _, c := range s.want[7*12:] {
			text += string(c.sign)
		}
		return text
	}
	assert.Equal(t, " one · two  ", row())
	s.footer = "four"
	s.writeFooter()
	assert.Equal(t, " four       ", row())
	s.resize(12, fewRows-1)
	assert.Equal(t, fewRows-1, s.high(), "a small window")
	s.footer = "one\ntwo"
	s.resize(12, 2*fewRows-1)
	assert.Equal(t, 2*fewRows-2, s.high(), "a low window")
	assert.Equal(t, "two", s.footers()[0])
	s.resize(12, 2*fewRows)
	assert.Equal(t, 2*fewRows-2, s.high(), "above two lines")
	s.writeFooter()
	line := s.want[(2*fewRows-2)*12:]
	assert.Equal(t, "ot", string([]rune{line[1].sign, line[13].sign}))
	s.footer = ""
	s.resize(12, 8)
	assert.Equal(t, 8, s.high(), "without a footer")
}
