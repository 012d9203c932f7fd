//go:build browser

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/source"
	"github.com/flatecs/flatecs/cmd/web/browse"
)

func TestMain(m *testing.M) { os.Exit(browse.Main(m)) }

// served is the site with all that runs in it, on a plain file server and below a path.
type served struct {
	url string

	mu   sync.Mutex
	lost []string // what was asked for in vain
}

func (s *served) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.NotFound(w, r)
	if !strings.HasSuffix(r.URL.Path, "/favicon.ico") {
		s.mu.Lock()
		s.lost = append(s.lost, r.URL.Path)
		s.mu.Unlock()
	}
}

func serveSite(t *testing.T) *served {
	t.Helper()
	dir := t.TempDir()
	s := site{root: "../..", dir: dir, say: t.Logf}
	require.NoError(t, s.write(t.Context(), true))
	all := &served{}
	mux := http.NewServeMux()
	mux.Handle("/some/where/", http.StripPrefix("/some/where/", http.FileServer(http.Dir(dir))))
	mux.Handle("/", all)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	all.url = server.URL + "/some/where/"
	return all
}

// watching remembers what a page asks of other servers, and what its policy forbids.
const watching = `
globalThis.forbidden = [];
document.addEventListener("securitypolicyviolation", (e) => forbidden.push(e.violatedDirective + " " + e.blockedURI));
globalThis.elsewhere = () => performance.getEntriesByType("resource").map((e) => e.name)
	.filter((name) => !name.startsWith(location.origin));
`

func press(t *testing.T, b browse.Tab, keys string) {
	t.Helper()
	require.NoError(t, chromedp.Do(b.Ctx, chromedp.KeyEvent(keys)))
}

func fine(t *testing.T, b browse.Tab) {
	t.Helper()
	assert.Empty(t, browse.Value[[]string](b, "forbidden"))
	assert.Empty(t, browse.Value[[]string](b, "elsewhere()"))
}

func TestSiteInTheBrowser(t *testing.T) {
	s := serveSite(t)
	t.Run("search by keys", func(t *testing.T) { s.search(t) })
	t.Run("front", func(t *testing.T) { s.front(t) })
	t.Run("examples", func(t *testing.T) { s.examples(t) })
	t.Run("the same bytes", func(t *testing.T) { s.same(t) })
	t.Run("a scene", func(t *testing.T) { s.scene(t) })
	t.Run("light and dark", func(t *testing.T) { s.themes(t) })
	t.Run("phone", func(t *testing.T) { s.phone(t) })
	t.Run("without scripts", func(t *testing.T) { s.plain(t) })
	assert.Empty(t, s.lost, "asked for in vain")
}

// search finds a function by keys alone, from a page in a folder, and goes there.
func (s *served) search(t *testing.T) {
	t.Helper()
	b := browse.Open(t, s.url+"pkg/world/save.html", watching, 1280, 900)
	s.ask(b, "world.Spawn")
	b.Until(`document.querySelector("#found a strong")?.textContent === "world.Spawn"`)
	b.Shot("site-search")
	press(t, b, "\r")
	b.Until(`location.pathname.endsWith("/pkg/world.html") && location.hash === "#Spawn"`)
	b.Until(`document.querySelector("#Spawn")`)
	s.ask(b, "qqqq")
	b.Until(`document.querySelector("#found").textContent.startsWith("Nothing found")`)
	fine(t, b)
}

// front runs a scene without starting it, takes no keys, and copies code.
func (s *served) front(t *testing.T) {
	t.Helper()
	b := browse.Open(t, s.url, watching+
		"navigator.clipboard.writeText = async (text) => { globalThis.copied = text; };", 1280, 900)
	b.Until(`document.querySelector("iframe")?.contentWindow.flatecs?.now?.steps > 5`)
	b.Shot("site-front")
	assert.Equal(t, "BODY", browse.Value[string](b, `document.activeElement.tagName`))
	assert.Equal(t, 3, browse.Value[int](b, `document.querySelectorAll(".cards section").length`))
	browse.Value[bool](b, `document.querySelector("main pre .copy").click(), true`)
	b.Until(`globalThis.copied?.startsWith("go run ./cmd/heroes ")`)
	assert.False(t, browse.Value[bool](b, `copied.includes("Copy")`))
	fine(t, b)
}

// ask presses the key for a search, and types. A real key that was taken
// types nothing; this one does.
func (s *served) ask(b browse.Tab, words string) {
	b.T.Helper()
	b.Until(`!document.getElementById("search").hidden`) // the page's script has begun
	press(b.T, b, "/")
	b.Until(`document.activeElement.id === "query"`)
	browse.Value[string](b, `document.activeElement.value = ""`)
	press(b.T, b, words)
}

// examples print in the page what they print elsewhere.
func (s *served) examples(t *testing.T) {
	t.Helper()
	b := browse.Open(t, s.url+"examples.html", watching, 1280, 900)
	programs, err := newBook(os.DirFS("../..")).Examples()
	require.NoError(t, err)
	for _, program := range programs {
		if !program.Ends {
			continue
		}
		name := program.Name
		want, err := exec.Command("go", "run", source.Module+"/cmd/examples/"+name).Output()
		require.NoError(t, err)
		box := `document.querySelector("[data-program='programs/` + name + `.wasm']")`
		browse.Value[bool](b, box+`.querySelector("button").click(), true`)
		b.Until(`["ended", "failed"].includes(` + box + `.dataset.state)`)
		assert.Equal(t, string(want), browse.Value[string](b, box+`.querySelector("pre").textContent`), name)
	}
	browse.Value[bool](b, `document.querySelector("#hello").scrollIntoView(), true`)
	b.Shot("site-example")
	fine(t, b)

	b = browse.Open(t, s.url, watching, 1280, 900)
	browse.Value[bool](b, `document.querySelector(".run button").click(), true`)
	b.Until(`document.querySelector(".run").dataset.state === "ended"`)
	assert.Equal(t, "1000 balloons at height 150\n",
		browse.Value[string](b, `document.querySelector(".run pre").textContent`))
	browse.Value[bool](b, `document.querySelector(".run").scrollIntoView({ block: "center" }), true`)
	b.Shot("site-balloons")
	fine(t, b)
}

// digestLine is what cmd/same prints in the end.
var digestLine = regexp.MustCompile(`digest ([0-9a-f]{16}) after`)

// same steps in the page, for fewer ticks, what this machine steps, and finds a bit that differs; a
// digest of another machine that is another fails.
func (s *served) same(t *testing.T) {
	t.Helper()
	native, err := exec.Command("go", "run", sameProgram, "-ticks=1000").Output()
	require.NoError(t, err)
	digest := string(digestLine.FindSubmatch(native)[1])
	b := browse.Open(t, s.url+"same.html", watching, 1280, 900)
	run := func(box, args, state string) string {
		box = `document.querySelectorAll(".run")[` + box + `]`
		browse.Value[bool](b, box+`.dataset.args = "`+args+`", true`)
		browse.Value[bool](b, box+`.querySelector("button").click(), true`)
		b.Until(box + `.dataset.state === "` + state + `"`)
		return browse.Value[string](b, box+`.querySelector("pre").textContent`)
	}
	out := run("0", "-ticks=1000 linux/amd64="+digest, "ended")
	assert.Contains(t, out, "digest "+digest+" after 1000 ticks")
	assert.Contains(t, out, "the same as linux/amd64\nthe same as the tree's golden digest\n")
	assert.Regexp(t, `found in .*: object \S+, speed\.[XY], first after tick \d+: `,
		run("1", "-ticks=1000 -flip", "ended"))
	b.Shot("site-same")
	fine(t, b)
	assert.Contains(t, run("0", "-ticks=1000 linux/amd64=0123456789abcdef", "failed"),
		"linux/amd64 has 0123456789abcdef, and this machine "+digest)
}

// scene runs one in the page, after a press of enter.
func (s *served) scene(t *testing.T) {
	t.Helper()
	b := browse.Open(t, s.url+"scenes.html", watching, 1280, 900)
	browse.Value[bool](b, `document.querySelector("#cubes ~ .scene button").focus(), true`)
	press(t, b, "\r")
	frame := `document.querySelector("iframe")?.contentWindow`
	b.Until(frame + `.flatecs?.now?.steps > 5`)
	assert.Equal(t, "cubes", browse.Value[string](b, `new URL(`+frame+`.location).searchParams.get("scene")`))
	b.Shot("site-scene")
	browse.Value[bool](b, `document.querySelector("#flappy ~ .scene button").click(), true`)
	b.Until(`document.querySelectorAll("iframe").length === 1`)
	b.Until(frame + `.flatecs?.now?.steps >= 0`)
	fine(t, b)
}

// themes are the system's.
func (s *served) themes(t *testing.T) {
	t.Helper()
	paper := `getComputedStyle(document.body).backgroundColor`
	for _, want := range [][2]string{{"light", "rgb(255, 255, 255)"}, {"dark", "rgb(13, 19, 33)"}} {
		b := browse.Open(t, s.url+"guide.html", watching, 1280, 900)
		_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: want[0]}},
		})
		require.NoError(t, err)
		assert.Equal(t, want[1], browse.Value[string](b, paper))
		b.Shot("site-" + want[0])
		fine(t, b)
	}
}

// phone shows every page without a way to slide it sideways.
func (s *served) phone(t *testing.T) {
	t.Helper()
	for _, page := range []string{
		"", "readme.html", "guide.html", "performance.html", "coming-from.html",
		"pkg/world.html", "scenes.html", "same.html", "examples.html", "format.html",
	} {
		b := browse.Open(t, s.url+page, watching, 390, 740, chromedp.EmulateMobile, chromedp.EmulateTouch)
		wide := browse.Value[int](b, `document.documentElement.scrollWidth`)
		assert.LessOrEqual(t, wide, 390, page)
		assert.Zero(t, browse.Value[int](b, `[...document.querySelectorAll("main > pre")].filter((pre) => {
			const { whiteSpace, overflowX } = getComputedStyle(pre);
			return whiteSpace !== "pre" || overflowX !== "auto";
		}).length`), "%s: code scrolls, and is not wrapped", page)
		assert.Zero(t, browse.Value[int](b, `[...document.querySelectorAll("main :is(button, .scene a)")]
			.filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect())
			.filter((r, i, all) => all.some((s, k) => k !== i && r.left < s.right + 4 &&
				s.left < r.right + 4 && r.top < s.bottom + 4 && s.top < r.bottom + 4)).length`),
			"%s: controls have gaps", page)
		b.Shot("site-phone-" + strings.NewReplacer("/", "-", ".html", "").Replace(page))
		fine(t, b)
	}
	b := browse.Open(t, s.url, watching, 390, 740, chromedp.EmulateMobile, chromedp.EmulateTouch)
	assert.False(t, browse.Value[bool](b, `document.querySelector("#menu").checkVisibility()`))
	browse.Value[bool](b, `document.querySelector("#menu-button").click(), true`)
	assert.True(t, browse.Value[bool](b, `document.querySelector("#menu").checkVisibility()`))
	b.Shot("site-phone-menu")
}

// plain is the page without scripts: the text and the menu, and no buttons that run programs.
func (s *served) plain(t *testing.T) {
	t.Helper()
	b := browse.Open(t, "about:blank", "", 360, 740)
	_, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(b.Ctx, chromedp.Navigate(s.url+"examples.html")))
	b.Shot("site-plain")
	_, err = chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{})
	require.NoError(t, err)
	assert.True(t, browse.Value[bool](b, `document.querySelector("#menu-button").checkVisibility()`))
	assert.False(t, browse.Value[bool](b, `document.querySelector(".run button").checkVisibility()`))
}
