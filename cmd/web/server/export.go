package server

import (
	"bytes"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// An Exported is a file that Export wrote, with how many bytes it has, plain and packed.
type Exported struct {
	Name                string
	Plain, Gzip, Brotli int
}

// ErrNotEmpty is the error of a folder that Export would write into others' files.
var ErrNotEmpty = errors.New("there are other files in this folder")

const index = "index.html"

// Export writes the page into a folder, which is made if need be: files that any web server serves,
// from any path. Names have a hash of the content, so that they may be kept for ever, but for
// index.html, which checks what it loads by longer ones. Beside each file is one packed with gzip,
// and one with brotli, for servers that send those.
//
// A folder with files in it is left alone, unless an export wrote it; then what is no longer part
// of the page is removed.
func Export(p Program, start Start, dir string) ([]Exported, error) {
	all, err := contents(p, start)
	if err != nil {
		return nil, err
	}
	if err := CheckFolder(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := clearOld(dir); err != nil {
		return nil, err
	}
	html := withPolicy(string(all[index]))
	var list []Exported
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == index {
			continue
		}
		hashed := hashedName(name, all[name])
		html = refer(html, name, hashed, all[name])
		e, err := write(dir, hashed, all[name])
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	e, err := write(dir, index, []byte(html))
	return append(list, e), err
}

// CheckFolder refuses a folder that Export would refuse: one with other files in it. One that is
// not there is as good as an empty one.
func CheckFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !ours(e) {
			return fmt.Errorf("server: %s: %w: %s; give one that is empty or new", dir,
				ErrNotEmpty, e.Name())
		}
	}
	return nil
}

// clearOld removes what an earlier export wrote.
func clearOld(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// ours reports whether an entry of a folder has a name that exports write.
func ours(e fs.DirEntry) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".br"), ".gz")
	if name == index {
		return e.Type().IsRegular()
	}
	kind := path.Ext(name)
	at := strings.LastIndexByte(name, '-')
	hash, err := hex.DecodeString(strings.TrimSuffix(name[at+1:], kind))
	return e.Type().IsRegular() && types[kind] != "" && at > 0 &&
		err == nil && len(hash) == hashBytes
}

const hashBytes = 8 // in names

func hashedName(name string, content []byte) string {
	sum := sha512.Sum384(content)
	kind := path.Ext(name)
	return strings.TrimSuffix(name, kind) + "-" + hex.EncodeToString(sum[:hashBytes]) + kind
}

// withPolicy says in the page what a header says when it is served here, as far as a page can.
func withPolicy(html string) string {
	const head = "<meta charset=\"utf-8\">\n"
	said := strings.TrimSuffix(policy, "; frame-ancestors 'none'")
	meta := `<meta http-equiv="Content-Security-Policy" content="` + said + `">`
	return strings.Replace(html, head, head+meta+"\n", 1)
}

// refer has the page load a file by its new name, and check what it gets.
func refer(html, name, hashed string, content []byte) string {
	sum := sha512.Sum384(content)
	check := fmt.Sprintf(`integrity="sha384-%s"`, base64.StdEncoding.EncodeToString(sum[:]))
	for _, attribute := range []string{"src", "href", "data-program", "data-start"} {
		from, to := fmt.Sprintf("%s=%q", attribute, name), fmt.Sprintf("%s=%q", attribute, hashed)
		switch path.Ext(name) {
		case ".js", ".css":
			to += " " + check
		case ".wasm":
			to += " data-" + check
		}
		html = strings.ReplaceAll(html, from, to)
	}
	return html
}

// write writes a file, and its packed forms beside it.
func write(dir, name string, content []byte) (Exported, error) {
	var b bytes.Buffer
	z := brotli.NewWriterLevel(&b, brotli.BestCompression)
	_, _ = z.Write(content)
	_ = z.Close()
	packed := gzipped(content)
	for ending, bytes := range map[string][]byte{"": content, ".gz": packed, ".br": b.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name+ending), bytes, 0o644); err != nil {
			return Exported{}, err
		}
	}
	return Exported{Name: name, Plain: len(content), Gzip: len(packed), Brotli: b.Len()}, nil
}
