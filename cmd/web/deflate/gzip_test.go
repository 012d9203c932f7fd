package deflate_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/deflate"
)

func ExampleGzip() {
	packed := deflate.Gzip([]byte(strings.Repeat("boids fly in flocks; ", 1000)))
	r, _ := gzip.NewReader(bytes.NewReader(packed))
	content, _ := io.ReadAll(r)
	fmt.Println(len(content), "bytes in", len(packed))
	// Output: 21000 bytes in 108
}

// unpacked returns what a reader of gzip makes of packed bytes.
func unpacked(t *testing.T, packed []byte) []byte {
	t.Helper()
	from := bytes.NewReader(packed)
	r, err := gzip.NewReader(from)
	require.NoError(t, err)
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Zero(t, from.Len(), "bytes behind the member")
	return content
}

// noise returns bytes below a bound, each random.
func noise(n, bound int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), uint64(bound)))
	content := make([]byte, n)
	for i := range content {
		content[i] = byte(r.IntN(bound))
	}
	return content
}

// records returns bytes like those of a program: short pieces that come again, some of them
// changed, at any distance.
func records(n int) []byte {
	r := rand.New(rand.NewPCG(7, 9))
	content := noise(100, 256)
	for len(content) < n {
		from := r.IntN(len(content) - 20)
		if r.IntN(4) > 0 {
			from = max(from, len(content)-1<<r.IntN(17))
		}
		from = min(from, len(content)-20)
		content = append(content, content[from:from+3+r.IntN(17)]...)
		content[len(content)-1] ^= byte(r.IntN(16))
	}
	return content[:n]
}

// source returns Go source.
func source(tb testing.TB) []byte {
	tb.Helper()
	var all []byte
	for _, name := range []string{"finder.go", "writer.go", "gzip_test.go"} {
		text, err := os.ReadFile(name)
		require.NoError(tb, err)
		all = append(all, text...)
	}
	return all
}

// inputs are content of all kinds, by name.
func inputs(tb testing.TB) map[string][]byte {
	tb.Helper()
	text := source(tb)
	return map[string][]byte{
		"empty": nil, "one byte": {7}, "two": {7, 7}, "three": {7, 7, 7}, "four": []byte("abab"),
		"random":         noise(300_000, 256),
		"a few values":   noise(100_000, 3),
		"two values":     noise(100_000, 2),
		"zeros":          make([]byte, 1_200_000),
		"longest":        make([]byte, 259),
		"text":           text,
		"text twice":     append(bytes.Clone(text), text...),
		"a long period":  bytes.Repeat(noise(1000, 256), 300),
		"a whole window": bytes.Repeat(noise(1<<15, 256), 3),
		"beyond it":      bytes.Repeat(noise(1<<15+1, 256), 3),
		"records":        records(400_000),
		"three stretches": slices.Concat(records(2_000_000), make([]byte, 100_000),
			bytes.Repeat(text, 2_000_000/len(text)), noise(70_000, 256)),
		"text in noise":   slices.Concat(noise(100_000, 256), text, noise(70_000, 256)),
		"rare symbols":    rare(40_000),
		"increasing runs": runs(700),
	}
}

// rare returns bytes of which each is as often as Fibonacci's numbers say, so that codes without
// a limit are longer than 15 bits.
func rare(n int) (content []byte) {
	a, b := 1, 1
	for value := byte(0); len(content) < n; value++ {
		content = append(content, bytes.Repeat([]byte{value * 37}, a)...)
		a, b = b, a+b
	}
	r := rand.New(rand.NewPCG(3, 3))
	r.Shuffle(len(content), func(i, j int) { content[i], content[j] = content[j], content[i] })
	return content
}

// runs returns runs of all lengths up to one.
func runs(longest int) (content []byte) {
	for n := range longest {
		content = append(content, bytes.Repeat([]byte{byte(n)}, n)...)
	}
	return content
}

// Readers of gzip get back what was packed, and nothing is larger than by the standard library: that
// is what it is for.
func TestReadersOfGzipReadItAndNothingIsLarger(t *testing.T) {
	for name, content := range inputs(t) {
		if testing.Short() && len(content) > 1<<18 {
			continue // one goroutine packs it
		}
		packed := deflate.Gzip(content)
		assert.True(t, bytes.Equal(content, unpacked(t, packed)), name)
		theirs := bytesOfStandard(t, content)
		t.Logf("%-24s %8d bytes: %8d, by compress/gzip %8d", name, len(content), len(packed), theirs)
		assert.LessOrEqual(t, len(packed), theirs, name)
	}
}

// bytesOfStandard returns how many the standard library makes of content.
func bytesOfStandard(t *testing.T, content []byte) int {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	require.NoError(t, err)
	_, err = z.Write(content)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Len()
}

// The same bytes each time and on every machine.
func TestTheBytesAreTheSameEverywhere(t *testing.T) {
	content := records(200_000)
	sum := sha256.Sum256(deflate.Gzip(content))
	assert.Equal(t, sum, sha256.Sum256(deflate.Gzip(content)))
	assert.Equal(t, "e9be963646d76fe2", fmt.Sprintf("%x", sum[:8]))
}

func TestTheHeadSaysNothingOfTheFile(t *testing.T) {
	r, err := gzip.NewReader(bytes.NewReader(deflate.Gzip([]byte("x"))))
	require.NoError(t, err)
	assert.Equal(t, gzip.Header{OS: 255}, r.Header)
}

func FuzzGzip(f *testing.F) {
	for _, content := range inputs(f) {
		if len(content) < 1<<14 {
			f.Add(content, 3)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte, times int) {
		if times < 1 || times > 1<<17/max(len(content), 1) {
			return
		}
		content = bytes.Repeat(content, times)
		assert.True(t, bytes.Equal(content, unpacked(t, deflate.Gzip(content))))
	})
}
