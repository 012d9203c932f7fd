package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
)

// built is the book of this tree, once for all tests; what runs in its pages is not compiled.
var built = sync.OnceValues(func() (*book, error) {
	b := newBook(os.DirFS("../.."))
	b.Scenes = []*scene.Scene{{Name: "heroes", About: "They <swarm>."}, {Name: "unseen"}}
	b.files["programs/wasm_exec.js"] = []byte("script")
	b.files[sameFile] = []byte("wasm")
	b.Left = [][2]string{{"linux/arm64", "0123456789abcdef"}}
	programs, err := b.Examples()
	for _, p := range programs {
		b.addProgram(p, []byte("wasm"))
	}
	return b, errors.Join(err, b.make())
})

var (
	headings = regexp.MustCompile(`<h1[ >]`)
	titles   = regexp.MustCompile(`<title>(.+?)</title>`)
	images   = regexp.MustCompile(`<img [^>]*>`)
	loaded   = regexp.MustCompile(`<[^>]*\s(?:src|href|data-program|data-scene)="([^":?#]+)[^":]*"`)
	inline   = regexp.MustCompile(`<[a-z][^>]*\s(style|on[a-z]+)=|<style|<script(>| [^s])`)
)

// The site of this tree: no link of it is dead, and its pages are what they have to be.
func TestSite(t *testing.T) {
	b, err := built()
	require.NoError(t, err)
	require.NotEmpty(t, b.programs)
	files := b.files
	pages := map[string]string{} // by title
	for name, content := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		html := string(content)
		title := titles.FindStringSubmatch(html)
		require.NotNil(t, title, name)
		assert.Empty(t, pages[title[1]], "%s and another are called %s", name, title[1])
		pages[title[1]] = name
		assert.Regexp(t, headings, html, "%s: no heading of the first level", name)
		for _, img := range images.FindAllString(html, -1) {
			assert.Contains(t, img, `alt="`, name)
		}
		assert.Empty(t, inline.FindString(html), "%s: the page's policy forbids it", name)
		assert.Contains(t, html, `aria-current="page"`, name)
		for _, m := range loaded.FindAllStringSubmatch(html, -1) {
			if to := path.Join(path.Dir(name), m[1]); path.Dir(to) != "scenes" {
				assert.NotNil(t, files[to], "%s: %s", name, m[0])
			}
		}
	}
	docs, err := fs.Glob(b.tree, "docs/*.md")
	require.NoError(t, err)
	for _, name := range docs {
		name = strings.ToLower(strings.TrimSuffix(path.Base(name), ".md")) + ".html"
		assert.Contains(t, files, name)
	}
	for _, name := range b.programs {
		assert.Contains(t, string(files["examples.html"]),
			`data-program="programs/`+name+`.wasm"`, "it can be run")
	}
	assert.Contains(t, string(files["readme.html"]),
		`<a href="pkg/world.html#Clone"><code>world.Clone(`)
	assert.Contains(t, string(files["scenes.html"]),
		`<img src="pictures/heroes.png" alt="They &lt;swarm&gt;.`)
	assert.Contains(t, string(files["same.html"]), `<td><code>0123456789abcdef</code></td>`)
	assert.Contains(t, string(files["same.html"]), `data-args="linux/arm64=0123456789abcdef"`)
	assert.Contains(t, string(files["scenes.html"]), `data-scene="scenes/index.html?scene=unseen"`)
}

func TestTheSameSiteEveryTime(t *testing.T) {
	b, again := newBook(small()), newBook(small())
	require.NoError(t, b.make())
	require.NoError(t, again.make())
	assert.Equal(t, b.files, again.files)
}

// What is searched leads to headings that are there.
func TestIndex(t *testing.T) {
	b, err := built()
	require.NoError(t, err)
	var index []entry
	require.NoError(t, json.Unmarshal(b.files["search.json"], &index))
	t.Logf("%d bytes", len(b.files["search.json"]))
	assert.Less(t, len(b.files["search.json"]), 1<<20, "small enough to be loaded by a phone")
	found := map[string]string{}
	for _, p := range index {
		require.NotEmpty(t, p.Title, p.URL)
		require.NotNil(t, b.files[p.URL], p.Title)
		for _, s := range p.Sections {
			found[s.Title] = p.URL + "#" + s.ID
			assert.Contains(t, string(b.files[p.URL]), `id="`+s.ID+`"`, s.Title)
		}
	}
	assert.Equal(t, "pkg/world.html#Spawn", found["world.Spawn"])
	assert.Equal(t, "pkg/world/save.html#ErrMigration", found["save.ErrMigration"])
	assert.Equal(t, "guide.html#rollback", found["Rollback"])
	assert.Equal(t, "glossary.html#glossary", found["Glossary"])
}

// small is a tree with the files that a site is made of.
func small() fstest.MapFS {
	tree := fstest.MapFS{
		"layout/layout.go": {Data: []byte("// Package layout is [T].\npackage layout\n\n" +
			"// T has [T.A].\ntype T struct{ A int }\n")},
	}
	for _, p := range menuPages() {
		if p.template == "" {
			tree[p.Source] = &fstest.MapFile{Data: []byte("# " + p.Source + "\n\n## Determinism\n")}
		}
	}
	return tree
}

func TestLinksOfTheTree(t *testing.T) {
	for _, test := range []struct{ name, text, html, err string }{
		{"a page", "[g](docs/GUIDE.md)", `<a href="guide.html">`, ""},
		{"its heading", "[g](docs/GUIDE.md#docsguidemd)", `<a href="guide.html#docsguidemd">`, ""},
		{"a package", "[l](layout)", `<a href="pkg/layout.html">`, ""},
		{"a name of it", "`layout.T`", `<a href="pkg/layout.html#T"><code>layout.T</code></a>`, ""},
		{
			"another file", "[l](layout/layout.go)",
			`"https://github.com/flatecs/flatecs/blob/main/layout/layout.go"`, "",
		},
		{"elsewhere", "[e](https://go.dev/x)", `<a href="https://go.dev/x">`, ""},
		{"a lost page", "[g](docs/GUIDES.md)", "", "README.md: docs/GUIDES.md leads nowhere"},
		{
			"a lost heading", "[g](docs/GUIDE.md#loops)", "",
			`README.md: guide.html#loops leads to no heading`,
		},
		{"a lost heading here", "[g](#loops)", "", `README.md: readme.html#loops leads`},
		{"a lost picture", "![p](docs/p.png)", "", "README.md: there is no picture docs/p.png"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := small()
			tree["README.md"].Data = []byte("# flatecs\n\n" + test.text + "\n")
			b := newBook(tree)
			err := b.make()
			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				return
			}
			require.NoError(t, err)
			assert.Contains(t, string(b.files["readme.html"]), test.html)
		})
	}
}

// Every page in docs/ is in the menu, because users could not find it otherwise.
func TestPagesWithoutAPlace(t *testing.T) {
	tree := small()
	tree["docs/NEW.md"] = &fstest.MapFile{Data: []byte("# New\n")}
	require.ErrorContains(t, newBook(tree).make(), "docs/NEW.md has no place in the menu")
}

// TestTextsForMachines: one lists each page, the other has the guides, all calls of world with
// their docs, and the examples with code from tested files.
func TestTextsForMachines(t *testing.T) {
	b, err := built()
	require.NoError(t, err)
	list, full := string(b.files["llms.txt"]), string(b.files["llms-full.txt"])
	for _, p := range b.pages {
		assert.Contains(t, list, "]("+p.Name+")")
	}
	assert.LessOrEqual(t, len(full), maxFull+1000)
	for _, source := range first[:11] {
		assert.Contains(t, full, "\n==== "+source+"\n", source)
	}
	assert.Contains(t, full, "func SpawnN(")
	assert.NotContains(t, full, "<dfn")
	programs, err := b.Examples()
	require.NoError(t, err)
	for _, e := range programs {
		assert.Contains(t, full, strings.TrimSpace(e.Source), e.Name)
	}
	t.Logf("%d bytes", len(full))
}

// What other machines printed is read; a folder without it, or with another text, is refused.
func TestDigestsThatMachinesLeft(t *testing.T) {
	dir := t.TempDir()
	_, err := readLeft(dir)
	require.ErrorContains(t, err, "has no .txt files; give --digests a folder")
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	printed := func(machine, digest string) string {
		return "10000 objects, 100000 ticks, on " + machine + "\n  10000 of 100000 ticks, 1.7 s\n" +
			"digest " + digest + " after 100000 ticks, in 13.5 s\nthe same as golden\n"
	}
	put("b.txt", printed("js/wasm", "4f4b415a5cc218dd"))
	put("a.txt", printed("linux/arm64", "0123456789abcdef"))
	all, err := readLeft(dir)
	require.NoError(t, err)
	assert.Equal(t,
		[][2]string{{"js/wasm", "4f4b415a5cc218dd"}, {"linux/arm64", "0123456789abcdef"}}, all)
	b := book{Left: all}
	assert.Equal(t, "js/wasm=4f4b415a5cc218dd linux/arm64=0123456789abcdef", b.Same())
	assert.Empty(t, (&book{}).Same())
	assert.Regexp(t, `^[0-9a-f]{16}$`, (&book{tree: os.DirFS("../..")}).Golden())
	put("c.txt", "10000 objects, 100000 ticks, on js/wasm\n  10000 of 100000 ticks, 1.7 s\n")
	_, err = readLeft(dir)
	require.ErrorContains(t, err, "c.txt is not what go run ./cmd/same prints")
}

func TestWritingASite(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "new", "site")
	require.NoError(t, os.CopyFS(root, small()))
	said := 0
	s := site{root: root, dir: dir, say: func(string, ...any) { said++ }}
	require.NoError(t, s.write(t.Context(), false))
	assert.FileExists(t, filepath.Join(dir, "index.html"))
	assert.FileExists(t, filepath.Join(dir, "pkg", "layout.html"))
	assert.Positive(t, said)
}

func TestFoldersOfOthersAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.html")
	require.NoError(t, os.WriteFile(mine, nil, 0o600))
	s := site{root: "../..", dir: dir, say: func(string, ...any) {}}
	require.ErrorContains(t, s.write(t.Context(), false), "mine.html")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}
