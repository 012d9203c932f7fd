//go:build tools

package release

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	library = "github.com/flatecs/flatecs"
	tag     = "v0.1.0"
)

// A visitor is a user who has Go, and starts in an empty folder.
type visitor struct {
	*testing.T
	dir string
	env []string
}

// TestTheReleaseRehearsed packs all modules, and uses them without a checkout.
func TestTheReleaseRehearsed(t *testing.T) {
	proxy, home := t.TempDir(), t.TempDir()
	said, err := release(root, "--pack", proxy, tag)
	require.NoError(t, err, said)
	here := visitor{t, ".", os.Environ()}
	v := visitor{t, t.TempDir(), append(os.Environ(), "GOWORK=off", "GOSUMDB=off", "GOPATH="+home,
		"GOMODCACHE=", "GOBIN=", "GOFLAGS=-modcacherw -trimpath", // what is built is cached
		"GOPROXY=file://"+proxy+",file://"+here.output("go", "env", "GOMODCACHE")+"/cache/download,"+
			here.output("go", "env", "GOPROXY"))}
	installed := func(name string) string { return filepath.Join(home, "bin", name) }

	t.Run("the library", func(t *testing.T) {
		v := v.in(t, "balloons")
		program := program(t, filepath.Join(root, "README.md"), "## A first program")
		v.module(program, library+"@"+tag)
		v.output("go", "get", "-tool", library+"/cmd/vet@"+tag)
		_, want, _ := strings.Cut(program, "// Output: ")
		want, _, _ = strings.Cut(want, "\n")
		assert.Equal(t, want, v.output("go", "run", "."))
		assert.Empty(t, v.output("go", "tool", library+"/cmd/vet", "./..."))
		assert.NotContains(t, v.output("cat", "go.mod"), "replace")
	})
	t.Run("the heroes", func(t *testing.T) {
		v := v.in(t, "heroes")
		assert.NotEmpty(t, v.output("go", "run", library+"/cmd/heroes@"+tag, "-count", "1000"))
	})
	t.Run("flatecs", func(t *testing.T) {
		v := v.in(t, "flatecs")
		v.output("go", "install", library+"/cmd/flatecs@"+tag)
		assert.Contains(t, v.output(installed("flatecs"), "--version"), tag)
		v.output(installed("flatecs"), "new", "mygame")
		v = v.in(t, "mygame")
		assert.Contains(t, v.output("go", "run", "."), "1000 balloons")
		assert.Contains(t, v.output("go", "test", "."), "ok")
		assert.NotContains(t, v.output("cat", "go.mod"), "replace")
	})
	t.Run("shards", func(t *testing.T) {
		v := v.in(t, "street")
		v.module(program(t, filepath.Join(root, "docs", "SCALE.md"), "## A program"),
			library+"/world/shard@"+tag)
		assert.Contains(t, v.output("go", "run", "."), "one shard and three agree: true")
		v.output("go", "install", library+"/cmd/shard@"+tag)
		assert.Contains(t, v.output(installed("shard"), "--help"), "shards")
	})
	t.Run("apart", func(t *testing.T) {
		v := v.in(t, "apart")
		v.output("go", "install", library+"/cmd/arrow@"+tag)
		assert.Contains(t, v.output(installed("arrow"), "--help"), "Arrow")
		v.env = append(v.env, "GOOS=js", "GOARCH=wasm") // where Ebitengine needs Go alone
		v.output("go", "install", library+"/cmd/ebiten@"+tag)
	})
}

// in returns the visitor in a folder, which is made.
func (v visitor) in(t *testing.T, name string) visitor {
	t.Helper()
	v.T, v.dir = t, filepath.Join(v.dir, name)
	require.NoError(t, os.MkdirAll(v.dir, 0o755))
	return v
}

// module makes one of a program.
func (v visitor) module(program, need string) {
	v.Helper()
	v.output("go", "mod", "init", filepath.Base(v.dir))
	require.NoError(v, os.WriteFile(filepath.Join(v.dir, "main.go"), []byte(program), 0o600))
	v.output("go", "get", need)
	v.output("go", "mod", "tidy")
}

// output runs a command line, and returns what it prints.
func (v visitor) output(args ...string) string {
	v.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = v.dir, v.env
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	require.NoError(v, err, "%v\n%s%s", args, out, &problems)
	return strings.TrimSpace(string(out))
}

// program returns the first Go program of a section of a page.
func program(t *testing.T, page, section string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), section+"\n")
	_, rest, ok := strings.Cut(rest, "```go\n")
	require.True(t, ok)
	rest, _, _ = strings.Cut(rest, "```")
	return rest
}
