package fused

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/cmd/vet/checks"
)

// A look is a question for the compiler.
type look struct {
	ctx      context.Context
	dir      string // where it is asked
	tags     string
	patterns []string
}

// A build is what the compiler makes of the packages for one machine.
type build struct {
	host
	packages []*listed // and what they import
	spots    []spot
	names    map[string][]string // instructions by file:line
}

// A listed package is one that go list compiled.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	ImportMap               map[string]string
	DepOnly                 bool // not named, but imported
	Module                  *struct{ GoVersion string }
}

// A spot is where the compiler fused a product and a sum.
type spot struct {
	in    *listed // the named package that was compiled, or one that was inlined there; or nil
	at    checks.Place
	inner checks.Place // the same, or in a package that is not named
}

// marked matches what the compiler says of a spot: the outermost call first, then what is inlined.
var marked = regexp.MustCompile(`^(.+) \[bisect-match 0x[0-9a-f]+\]$`)

// build compiles the packages.
func (l *look) build(h host) (*build, error) {
	b := &build{host: h}
	words := []string{
		"list", "-deps", "-json=ImportPath,Dir,Export,GoFiles,ImportMap,DepOnly,Module",
		"-gcflags=" + l.saying(),
	}
	out, said, err := l.goCommand(h, slices.Concat(words, l.patterns)...)
	if err != nil {
		return nil, fmt.Errorf("%s: go list: %w\n%smend it, or name the packages whose "+
			"arithmetic decides, such as ./game", h.arch, err, unmarked(said))
	}
	named := map[string]*listed{} // by directory
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: go list: %w", h.arch, err)
		}
		b.packages = append(b.packages, p)
		if !p.DepOnly {
			named[p.Dir] = p
		}
	}
	for line := range strings.Lines(string(said)) {
		if match := marked.FindStringSubmatch(strings.TrimSpace(line)); match != nil {
			b.spots = append(b.spots, l.spot(match[1], named))
		}
	}
	return b, l.instructions(b)
}

// saying returns flags by which the compiler says where it fuses. The go command keeps what the
// compiler said, with paths from the directory where it was asked, so the flags differ in each: no
// place has the hash that they leave out.
func (l *look) saying() string {
	h := fnv.New64a()
	h.Write([]byte(l.dir))
	return fmt.Sprintf("-d=fmahash=vy-x%016x", h.Sum64())
}

// spot returns the innermost place in a named package.
func (l *look) spot(calls string, named map[string]*listed) (s spot) {
	frames := strings.Split(calls, "; ")
	for i, frame := range slices.Backward(frames) {
		at := l.place(frame)
		if i == len(frames)-1 {
			s.at, s.inner = at, at
		}
		if s.in = named[filepath.Dir(at.File)]; s.in != nil {
			s.at = at
			break
		}
	}
	return s
}

// place returns the place that file:line:column is.
func (l *look) place(text string) (p checks.Place) {
	text, col := cutLast(text)
	file, line := cutLast(text)
	if p.File = filepath.FromSlash(file); !filepath.IsAbs(file) {
		p.File = filepath.Join(l.dir, file)
	}
	p.Line, _ = strconv.Atoi(line)
	p.Col, _ = strconv.Atoi(col)
	return p
}

func cutLast(text string) (before, after string) {
	if i := strings.LastIndex(text, ":"); i >= 0 {
		return text[:i], text[i+1:]
	}
	return text, ""
}

// unmarked returns what the go command said but for places.
func unmarked(said []byte) (rest string) {
	for line := range strings.Lines(string(said)) {
		if !strings.Contains(line, "[bisect-match") && !strings.HasPrefix(line, "fmahash trigg") {
			rest += line
		}
	}
	return rest
}

// listedOp matches an instruction that fuses, of any machine, in the compiler's listing.
var listedOp = regexp.MustCompile(`\(([^()]+:\d+)\)\s+(V?FN?M(?:ADD|SUB)\w*)\s`)

// instructions finds the names of the instructions.
func (l *look) instructions(b *build) error {
	words := []string{"list", "-gcflags=-S"}
	for _, s := range b.spots {
		if s.in != nil && !slices.Contains(words, s.in.ImportPath) {
			words = append(words, s.in.ImportPath)
		}
	}
	b.names = map[string][]string{}
	if len(b.spots) == 0 {
		return nil
	}
	_, listing, err := l.goCommand(b.host, words...)
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

// goCommand runs go list -export for a machine.
func (l *look) goCommand(h host, words ...string) (out, said []byte, err error) {
	words = slices.Insert(words, 1, "-export", "-trimpath=false", "-tags="+l.tags)
	cmd := exec.CommandContext(l.ctx, "go", words...)
	cmd.Dir = l.dir
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if os.Getenv("GOOS") == "" {
		cmd.Env = append(cmd.Env, "GOOS=linux")
	}
	cmd.Env = append(cmd.Env, strings.Fields(h.env)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	return out, stderr.Bytes(), err
}

// try compiles a product that must be fused, and returns an error if nothing says that it was.
func (l *look) try(h host) error {
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
	h.env += " GOWORK=off GOFLAGS="
	inner := look{ctx: l.ctx, dir: dir}
	_, said, err := inner.goCommand(h, "list", "-gcflags="+inner.saying())
	if err != nil {
		return fmt.Errorf("%s: this Go cannot compile for it: %w\n%schoose other machines by -arch",
			h.arch, err, said)
	}
	if !bytes.Contains(said, []byte("bisect-match")) {
		return fmt.Errorf("%s: this Go does not say where it fuses; take the Go that "+
			"flatecs names in its go.mod", h.arch)
	}
	return nil
}
