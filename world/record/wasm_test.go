//go:build tools

package record_test

import (
	"go/build"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/record"
	"github.com/stretchr/testify/require"
)

// wasmFolder is the variable by which this test, in wasm, is told where to record.
const wasmFolder = "FLATECS_RECORD_WASM"

// TestWasmRecordsReplay: a recording by a program in wasm replays natively, with the digests of the
// same program here.
func TestWasmRecordsReplay(t *testing.T) {
	o := record.Options{
		StepRate: 10, Segment: 2 * time.Second, Full: 3, Digests: 1, Wait: true,
	}
	written := func(folder string) (l life) {
		s := world.Must(world.CreateState(counts))
		rec := world.Must(record.Create(folder, s, o))
		l.record(t, rec, rand.New(rand.NewPCG(5, 5)), s, 300)
		require.NoError(t, rec.Close())
		return l
	}
	if folder := os.Getenv(wasmFolder); folder != "" {
		written(folder)
		return
	}
	there, here := filepath.Join(t.TempDir(), "wasm"), filepath.Join(t.TempDir(), "native")
	c := exec.Command(worldtest.Go(), "test", "-count=1", "-tags=tools", "-run=^TestWasmRecordsReplay$",
		"-exec="+filepath.Join(build.Default.GOROOT, "lib", "wasm", "go_js_wasm_exec"), ".")
	c.Env = []string{"GOOS=js", "GOARCH=wasm", wasmFolder + "=" + there} // wasm takes few variables
	for _, name := range []string{"PATH", "HOME", "GOCACHE", "GOMODCACHE", "GOFLAGS", "TMPDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	l := written(here)
	f := world.Must(record.Read(there))
	require.NoError(t, f.Torn)
	require.NoError(t, f.Replay(counts, live, o, nil))
	l.same(t, f, rand.New(rand.NewPCG(6, 6)))
	native := world.Must(record.Read(here))
	for frame := range 300 {
		was, ok := world.Must2(f.Digest(frame))
		is, _ := world.Must2(native.Digest(frame))
		require.True(t, ok && was == is, "frame %d", frame)
	}
}
