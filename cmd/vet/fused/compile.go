package fused

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/cmd/vet/checks"
)

// A look is a query to the compiler.
type look struct {
	ctx      context.Context
	dir      string // the working directory
	tags     string
	patterns []string
}

// A build is the compiler's output for one machine.
type build struct {
	arch  string
	spots []spot
	names map[string][]string // instructions by file:line
}

// A spot is a place where the compiler fused a product and a sum.
type spot struct {
	in    string // path of the named package that contains the code, directly or inlined, or ""
	at    checks.Place
	inner checks.Place // the same place, or in a package that is not named
}

// Parts of the compiler's message about a spot: its calls, the outermost first, then inlined ones.
var (
	marked = regexp.MustCompile(`^(.+) \[bisect-match 0x[0-9a-f]+\]$`)
	called = regexp.MustCompile(`^(.+):(\d+):(\d+)$`)
)

// build compiles the packages.
func (l *look) build(arch string) (*build, error) {
	b := &build{arch: arch}
	words := []string{"list", "-f={{.Dir}}\t{{.ImportPath}}", "-gcflags=" + l.reportFlags()}
	out, said, err := l.goCommand(environ(arch), slices.Concat(words, l.patterns)...)
	if err != nil {
		return nil, fmt.Errorf("%s: go list: %w\n%smend it, or name the packages whose "+
			"arithmetic decides, such as ./game", arch, err, unmarked(said))
	}
	named := map[string]string{} // paths by directory
	for line := range strings.Lines(string(out)) {
		dir, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
		named[dir] = path
	}
	for line := range strings.Lines(string(said)) {
		if match := marked.FindStringSubmatch(strings.TrimSpace(line)); match != nil {
			b.spots = append(b.spots, l.spot(match[1], named))
		}
	}
	return b, l.instructions(b)
}

// reportFlags returns flags that make the compiler report fused operations. The go command caches
// the output, with paths relative to the working directory, so the flags depend on the directory:
// they exclude a hash that no place has.
func (l *look) reportFlags() string {
	h := fnv.New64a()
	h.Write([]byte(l.dir))
	return fmt.Sprintf("-d=fmahash=vy-x%016x", h.Sum64())
}

// spot returns the innermost place in a named package.
func (l *look) spot(calls string, named map[string]string) (s spot) {
	frames := strings.Split(calls, "; ")
	for i, frame := range slices.Backward(frames) {
		at := l.place(frame)
		if i == len(frames)-1 {
			s.at, s.inner = at, at
		}
		if s.in = named[filepath.Dir(at.File)]; s.in != "" {
			s.at = at
			break
		}
	}
	return s
}

// place parses file:line:column.
func (l *look) place(text string) (p checks.Place) {
	parts := called.FindStringSubmatch(text)
	if parts == nil {
		return p
	}
	if p.File = filepath.FromSlash(parts[1]); !filepath.IsAbs(parts[1]) {
		p.File = filepath.Join(l.dir, parts[1])
	}
	p.Line, _ = strconv.Atoi(parts[2])
	p.Col, _ = strconv.Atoi(parts[3])
	return p
}

// unmarked returns the go command's output without places.
func unmarked(said []byte) (rest string) {
	for line := range strings.Lines(string(said)) {
		if !strings.Contains(line, "[bisect-match") && !strings.HasPrefix(line, "fmahash trigg") {
			rest += line
		}
	}
	return rest
}

// listedOp matches a fused instruction of any machine in the compiler's listing.
var listedOp = regexp.MustCompile(`\(([^()]+:\d+)\)\s+(V?FN?M(?:ADD|SUB)\w*)\s`)

// instructions finds the names of the fused instructions.
func (l *look) instructions(b *build) error {
	b.names = map[string][]string{}
	if len(b.spots) == 0 {
		return nil
	}
	words := []string{"list", "-gcflags=-S"}
	_, listing, err := l.goCommand(environ(b.arch), slices.Concat(words, b.packages())...)
	if err != nil {
		return fmt.Errorf("%s: go list -gcflags=-S: %w", b.arch, err)
	}
	for line := range bytes.Lines(listing) {
		if m := listedOp.FindSubmatch(line); m != nil {
			where, name := string(m[1]), string(m[2])
			if !slices.Contains(b.names[where], name) {
				b.names[where] = append(b.names[where], name)
			}
		}
	}
	return nil
}

// packages returns the paths of the named packages with spots.
func (b *build) packages() (paths []string) {
	for _, s := range b.spots {
		if s.in != "" && !slices.Contains(paths, s.in) {
			paths = append(paths, s.in)
		}
	}
	return paths
}

// goCommand runs go list -export in an environment.
func (l *look) goCommand(env []string, words ...string) (out, said []byte, err error) {
	words = slices.Insert(words, 1, "-export", "-trimpath=false", "-tags="+l.tags)
	cmd := exec.CommandContext(l.ctx, "go", words...)
	cmd.Dir = l.dir
	cmd.Env = env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	return out, stderr.Bytes(), err
}

// environ returns the environment for compiling for a machine.
func environ(arch string) []string {
	env := append(os.Environ(), "CGO_ENABLED=0")
	if os.Getenv("GOOS") == "" {
		env = append(env, "GOOS=linux")
	}
	if name, ok := strings.CutSuffix(arch, "v3"); ok {
		arch, env = name, append(env, "GOAMD64=v3")
	}
	return append(env, "GOARCH="+arch)
}

// try compiles a product that must be fused, and returns an error if the compiler does not report
// it.
func (l *look) try(arch string) error {
	dir, err := os.MkdirTemp("", "fused")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"go.mod": "module fused\n\ngo 1.26\n",
		"f.go":   "package fused\n\nfunc F(a, b, c float64) float64 { return a*b + c }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	env := append(environ(arch), "GOWORK=off", "GOFLAGS=")
	inner := look{ctx: l.ctx, dir: dir}
	_, said, err := inner.goCommand(env, "list", "-gcflags="+inner.reportFlags())
	if err != nil {
		return fmt.Errorf("%s: this Go cannot compile for it: %w\n%schoose other machines by -arch",
			arch, err, said)
	}
	if !bytes.Contains(said, []byte("bisect-match")) {
		return fmt.Errorf("%s: this Go does not say where it fuses; take the Go that "+
			"flatecs names in its go.mod", arch)
	}
	return nil
}
