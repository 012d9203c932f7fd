package server

import (
	"bytes"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// An Exported describes a file that Export wrote: its sizes in bytes, plain and compressed.
type Exported struct {
	Name                string
	Plain, Gzip, Brotli int
}

const index = "index.html"

// Export writes the page into a folder, as [WriteFolder] does: files that any web server serves,
// from any path. Names contain a hash of the content, so that files can be cached permanently,
// except index.html, which checks its files by longer hashes. Each file also has versions
// compressed with gzip and brotli, for servers that support them.
func Export(p Program, start Start, dir string) (list []Exported, err error) {
	all, err := contents(p, start)
	if err != nil {
		return nil, err
	}
	html, files := withPolicy(string(all[index])), map[string][]byte{}
	delete(all, index)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		hashed := hashedName(name, all[name])
		html = refer(html, name, hashed, all[name])
		list = append(list, pack(files, hashed, all[name]))
	}
	list = append(list, pack(files, index, []byte(html)))
	return list, WriteFolder(dir, files)
}

func hashedName(name string, content []byte) string {
	const hashBytes = 8 // in names
	sum := sha512.Sum384(content)
	kind := path.Ext(name)
	return strings.TrimSuffix(name, kind) + "-" + hex.EncodeToString(sum[:hashBytes]) + kind
}

// withPolicy adds the policy to the page itself, as far as that is possible without headers.
func withPolicy(html string) string {
	const head = "<meta charset=\"utf-8\">\n"
	said := strings.TrimSuffix(policy, "; frame-ancestors 'none'")
	meta := `<meta http-equiv="Content-Security-Policy" content="` + said + `">`
	return strings.Replace(html, head, head+meta+"\n", 1)
}

// refer makes the page load a file by its new name, and check its content.
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

// pack adds a file and its compressed versions.
func pack(files map[string][]byte, name string, content []byte) Exported {
	var b bytes.Buffer
	z := brotli.NewWriterLevel(&b, brotli.BestCompression)
	_, _ = z.Write(content)
	_ = z.Close()
	packed := gzipped(content)
	files[name], files[name+".gz"], files[name+".br"] = content, packed, b.Bytes()
	return Exported{Name: name, Plain: len(content), Gzip: len(packed), Brotli: b.Len()}
}
