package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
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
		if name != lost {
			assert.Contains(t, html, `aria-current="page"`, name)
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
	for _, g := range menu {
		for _, p := range g.pages() {
			if p.template == "" {
				tree[p.Source] = &fstest.MapFile{Data: []byte("# " + p.Source + "\n\n## Determinism\n")}
			}
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
			`readme.html: href="guide.html#loops": there is no such heading`,
		},
		{"a lost heading here", "[g](#loops)", "", `readme.html: href="#loops"`},
		{"a lost picture", "![p](docs/p.png)", "", "README.md: there is no picture docs/p.png"},
		{
			"a picture from elsewhere", "<img src='x' src=\"https://go.dev/x.png\">", "",
			"loaded from elsewhere",
		},
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

// A page that is in docs/ and not in the menu would be found by nobody.
func TestPagesWithoutAPlace(t *testing.T) {
	tree := small()
	tree["docs/NEW.md"] = &fstest.MapFile{Data: []byte("# New\n")}
	require.ErrorContains(t, newBook(tree).make(), "docs/NEW.md has no place in the menu")
}

// Headings are named as GitHub names them.
func TestAnchors(t *testing.T) {
	tree := small()
	tree["README.md"].Data = []byte("# flatecs\n\n## Data, *not* `attached` to objects!\n\n" +
		"## A b_c – d\n\n## Twice\n\n## Twice\n")
	b := newBook(tree)
	require.NoError(t, b.make())
	for _, id := range []string{"data-not-attached-to-objects", "a-b_c--d", "twice", "twice-1"} {
		assert.Contains(t, string(b.files["readme.html"]), `id="`+id+`"`)
	}
}

func TestDeadLinks(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{`<a href="../q.html#here">`, ""},
		{`<a class="x" href="../q.html?a=b">`, ""},
		{`<a href="../scenes/index.html">`, ""},
		{`<link href="../f.css">`, ""},
		{`<a href="q.html">`, "no such file"},
		{`<a href="../q.html#there">`, "no such heading"},
		{`<a href="/q.html">`, "not relative"},
		{`<a href="http://go.dev">`, "loaded from elsewhere"},
		{`<script src="//go.dev/x.js">`, "loaded from elsewhere"},
		{`<div data-program="x.wasm">`, "no such file"},
		{`<a href="javascript:x()">`, "loaded from elsewhere"},
	} {
		b := newBook(nil)
		b.Scenes = []*scene.Scene{{}}
		b.files = map[string][]byte{
			"a/p.html": []byte(test.body), "q.html": []byte(`<h2 class="x" id="here">`), "f.css": {},
		}
		dead := b.deadLinks()
		if test.want == "" {
			assert.Empty(t, dead, test.body)
		} else {
			require.Len(t, dead, 1, test.body)
			assert.Contains(t, dead[0], "a/p.html")
			assert.Contains(t, dead[0], test.want)
		}
	}
}

// Links show titles, and not the names of files.
func TestLinksShowTitles(t *testing.T) {
	tree := small()
	tree["docs/GUIDE.md"].Data = []byte("# The guide\n")
	tree["docs/HOWTO.md"].Data = []byte("# How\n\n## Determinism\n\n[GUIDE.md](GUIDE.md), " +
		"[it](GUIDE.md), [README.md](../README.md), [`GUIDE.md`](GUIDE.md)\n")
	b := newBook(tree)
	require.NoError(t, b.make())
	assert.Contains(t, string(b.files["howto.html"]), `<a href="guide.html">The guide</a>, `+
		`<a href="guide.html">it</a>, <a href="readme.html">README</a>, `+
		`<a href="guide.html"><code>GUIDE.md</code></a>`)
}

// Pages say what they are about where links to them are shown, with a picture.
func TestPreviews(t *testing.T) {
	b, err := built()
	require.NoError(t, err)
	require.NotEmpty(t, b.files["pictures/heroes.png"])
	for name, about := range map[string]string{
		"index.html":     "Save, rewind, fork, replay and restart a whole game world in one call",
		"pkg/world.html": "Package world is",
	} {
		html := string(b.files[name])
		assert.Contains(t, html, `<meta name="description" content="`+about, name)
		assert.Contains(t, html, `<meta property="og:description" content="`+about, name)
	}
	assert.Contains(t, string(b.files["pkg/world.html"]),
		`<meta property="og:image" content="../pictures/heroes.png">`)
	placed := newBook(small())
	placed.url = "https://example.com/x/"
	require.NoError(t, placed.make())
	assert.Contains(t, string(placed.files["guide.html"]),
		`<meta property="og:image" content="https://example.com/x/pictures/heroes.png">`)
	assert.Contains(t, string(placed.files[lost]), `href="https://example.com/x/site.css"`)
}
