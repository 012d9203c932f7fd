package recording_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene/recording"
)

var head = recording.Head{
	Scene: "flappy", Behaviour: 1, Count: 5, Supers: 2, Seed: 1<<64 - 1, Variant: "passed",
	Build: "flatecs v1 go1.26",
}

var steps = []recording.Step{{Input: 0, Digest: 0x0123456789abcdef}, {Input: 255, Digest: 1}}

const written = `flatecs recording 1
scene flappy
behaviour 1
count 5
supers 2
seed 18446744073709551615
variant passed
build flatecs v1 go1.26
1 00 0123456789abcdef
2 ff 0000000000000001
end 2
`

func write(tb testing.TB, h recording.Head, steps []recording.Step) string {
	tb.Helper()
	var out bytes.Buffer
	w, err := recording.NewWriter(&out, h)
	require.NoError(tb, err)
	for _, s := range steps {
		require.NoError(tb, w.Add(s))
	}
	require.NoError(tb, w.Close())
	return out.String()
}

// read reads everything; the error is nil at the end.
func read(text string) (h recording.Head, steps []recording.Step, err error) {
	r, err := recording.NewReader(strings.NewReader(text))
	for err == nil {
		var s recording.Step
		if s, err = r.Next(); err == nil {
			steps = append(steps, s)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if r != nil {
		h = r.Head
	}
	return h, steps, err
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	assert.Equal(t, written, write(t, head, steps))
	h, s, err := read(written)
	require.NoError(t, err)
	assert.Equal(t, head, h)
	assert.Equal(t, steps, s)

	empty := recording.Head{Scene: "cubes"}
	h, s, err = read(write(t, empty, nil))
	require.NoError(t, err)
	assert.Equal(t, empty, h)
	assert.Empty(t, s)
}

func TestNextAfterTheEnd(t *testing.T) {
	r, err := recording.NewReader(strings.NewReader(written))
	require.NoError(t, err)
	for range 2 {
		_, err = r.Next()
		require.NoError(t, err)
	}
	for range 3 {
		_, err = r.Next()
		require.ErrorIs(t, err, io.EOF)
	}
}

// Every recording that ends early says so.
func TestRecordingsThatWereCutOff(t *testing.T) {
	for n := range len(written) - 1 {
		_, _, err := read(written[:n])
		require.ErrorIs(t, err, recording.ErrCut, "%d bytes", n)
	}
}

func TestWhatIsNoRecording(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"another file":       {"flatecs recording 1", "%PDF-1.7", `line 1 begins with "%PDF-1.7"`},
		"another version":    {"recording 1", "recording 2", "line 1 begins"},
		"fields in disorder": {"scene flappy\nbehaviour 1", "behaviour 1\nscene flappy", "line 2"},
		"a field too few":    {"seed 18446744073709551615\n", "", `line 6 is "variant passed", not a seed`},
		"too many objects":   {"count 5", "count 16777217", `line 4 names a count of "16777217"`},
		"less than none":     {"count 5", "count -5", "line 4"},
		"a leading zero":     {"count 5", "count 05", "line 4"},
		"a sign":             {"count 5", "count +5", "line 4"},
		"a large number":     {"551615", "551616", "line 6"},
		"no number":          {"supers 2", "supers two", "line 5"},
		"a bell":             {"passed", "pas\ased", "line 7"},
		"a long line":        {"go1.26", strings.Repeat("x", 256), "line 8 has more than 256 bytes"},
		"a step too few":     {"1 00 0123456789abcdef\n", "", `line 9 is "2 ff 0000000000000001", not step 1`},
		"a step twice":       {"2 ff", "1 ff", "line 10"},
		"a short digest":     {"0123456789abcdef", "123456789abcdef", "line 9"},
		"a large input":      {"00 01", "100 01", "line 9"},
		"capitals":           {"ff", "FF", "line 10"},
		"more words":         {"cdef", "cdef more", "line 9"},
		"another end":        {"end 2", "end 3", "line 11"},
		"something after":    {"end 2\n", "end 2\n\n", "line 11 is followed by more"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(written, c.old, c.new, 1)
			require.NotEqual(t, written, text)
			_, _, err := read(text)
			require.ErrorIs(t, err, recording.ErrFormat)
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestHeadsThatCouldNotBeReadAgain(t *testing.T) {
	for _, h := range []recording.Head{
		{Scene: "two\nlines"},
		{Scene: "cubes", Variant: "\x00"},
		{Count: -1},
		{Supers: recording.MaxObjects + 1},
		{Scene: strings.Repeat("long", 100)},
	} {
		_, err := recording.NewWriter(io.Discard, h)
		require.ErrorIs(t, err, recording.ErrFormat, "%+v", h)
	}
	h, _, err := read(write(t, recording.Head{Build: "é\n" + strings.Repeat("x", 999)}, nil))
	require.NoError(t, err)
	assert.Contains(t, h.Build, "??xxx")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("disk full")

func TestErrorsOfWriting(t *testing.T) {
	w, err := recording.NewWriter(full{}, head)
	for n := 0; err == nil && n < 1000; n++ {
		err = w.Add(steps[0])
	}
	require.ErrorIs(t, err, errFull)
	require.ErrorIs(t, w.Close(), errFull)
}

// FuzzReader reads any text, and the same with its steps numbered and its end counted.
func FuzzReader(f *testing.F) {
	f.Add(written)
	f.Add(strings.Replace(written, "2", "3", 3))
	f.Add("flatecs recording 1\nscene \nbehaviour 0\ncount 0\nsupers 0\nseed 0\nvariant \nbuild \nend 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		readAny(t, text)
		readAny(t, resealed(text))
	})
}

func readAny(t *testing.T, text string) {
	t.Helper()
	h, s, err := read(text)
	if err == nil {
		assert.Equal(t, text, write(t, h, s), "there is one way to write a recording")
	}
	for i := range s {
		assert.Contains(t, text, fmt.Sprintf("\n%d ", i+1))
	}
}

// resealed numbers the lines after the head from 1, and ends them by how many there are.
func resealed(text string) string {
	const head = 8
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) <= head {
		return text
	}
	lines[0] = "flatecs recording 1"
	for i := range lines[head:] {
		if _, rest, ok := strings.Cut(lines[head+i], " "); ok {
			lines[head+i] = fmt.Sprint(i+1, " ", rest)
		}
	}
	lines[len(lines)-1] = fmt.Sprint("end ", len(lines)-head-1)
	return strings.Join(lines, "\n") + "\n"
}

// A recording that an editor wrote again is the same one, whatever ends its lines have.
func TestEndsOfLinesOfAnyEditor(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		for _, start := range []string{"", "\ufeff"} {
			text := start + strings.ReplaceAll(written, "\n", end)
			for _, text := range []string{text, strings.TrimSuffix(text, end)} {
				h, s, err := read(text)
				require.NoError(t, err, "%q", text)
				require.Equal(t, head, h)
				require.Equal(t, steps, s)
			}
			_, _, err := read(text + "more")
			require.ErrorIs(t, err, recording.ErrFormat)
			for n := range len(text) - len(end) { // one that was cut off is none
				if _, _, err := read(text[:n]); n > 0 {
					require.Error(t, err, "%q", text[:n])
				}
			}
		}
	}
}
