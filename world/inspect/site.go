package inspect

import (
	"embed"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/world/inspect/mcp"
	"github.com/flatecs/flatecs/world/internal/onepage"
)

const (
	root     = "/debug/ecs"
	editPath = root + "/api/edit"
	timePath = root + "/api/time"
	mcpPath  = root + "/mcp"
)

// A site answers requests for the page and for its endpoints.
type site struct {
	options   *Options
	past      *past
	metrics   *metrics
	endpoints []endpoint
	columns   columns
	profiles  profiles
}

func newSite(o *Options, p *past, e *edits, m *metrics, t *Trace) *site {
	drawing, clients := newDrawing(o.Model), &clients{frames: p.frames, tell: o.Client}
	p.frames.describe = func(f *frame) {
		f.given = o.Sources.ask()
		clients.describe(f)
	}
	s := &site{options: o, past: p, metrics: m}
	s.columns = columns{p, make(chan struct{}, maxColumns)}
	streams := &streams{frames: p.frames}
	s.endpoints = []endpoint{
		{"overview", eventEvery, m.overview, nil},
		{"times", eventEvery, m.times.report, nil},
		{"kinds", slowEvery, m.kinds, nil},
		{"watchers", slowEvery, (*view).watchers, nil},
		{"plots", max(p.frames.every, plotEvery), drawing.plots, nil},
		{"resources", eventEvery, e.resources, nil},
		{"time", eventEvery, p.time, nil},
		{"rows", 0, (*view).rows, nil},
		{"objects", 0, (*view).objects, nil},
		{"object", 0, (*view).object, nil},
		{"tree", 0, (*view).tree, nil},
		{"picture", 0, drawing.picture, nil},
		{"client", 0, nil, handle(clients.text)},
		{"diff", 0, nil, handle(p.diff)},
		{"chart", 0, nil, handle(p.chart)},
		{"why", 0, nil, handle(p.why)},
		{"trace", 0, nil, handle(t.serve)},
		{"hunt", 0, nil, handle(make(hunter, 1).hunt(o))},
		{"column", 0, nil, s.columns.serve},
		{"events", 0, nil, streams.serve},
		{"edit", 0, nil, handle(e.edit)},
	}
	for _, e := range s.endpoints {
		if e.every > 0 {
			streams.topics, streams.names = append(streams.topics, e), append(streams.names, e.name)
		}
	}
	return s
}

func (s *site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(root, s.servePage)
	mux.Handle(root+"/{$}", http.RedirectHandler(root, http.StatusMovedPermanently))
	for _, e := range s.endpoints {
		serve := e.serve
		if serve == nil {
			serve = s.answer(e.tell)
		}
		mux.HandleFunc(root+"/api/"+e.name, serve)
	}
	mux.HandleFunc("POST "+timePath, handle(s.past.setTime))
	mux.Handle(mcpPath, &mcp.Server{API: mux, Token: s.past.asks.token, May: s.may()})
	mux.HandleFunc(root+"/metrics", s.metrics.serve)
	mux.HandleFunc(root+"/pprof/{name}", s.profiles.serve)
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent) // requested for every page
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is no such page; the inspector is at "+root)
	})
	return s.guard().Handler(mux)
}

func (s *site) guard() Guard {
	g := Guard{Page: root, Hosts: s.options.Hosts, Remote: s.options.Remote}
	g.Posts = []string{mcpPath}
	if s.options.Edit {
		g.Posts = append(g.Posts, editPath)
	}
	if s.options.Past != nil {
		g.Posts = append(g.Posts, timePath)
	}
	return g
}

// answer returns a handler that calls tell with a frame.
func (s *site) answer(tell func(*view, url.Values) (any, error)) http.HandlerFunc {
	return handle(func(_ http.ResponseWriter, r *http.Request) (found any, err error) {
		q := r.URL.Query()
		err = s.past.lookAt(r.Context(), q.Get("at"), func(v *view) (err error) {
			if found, err = tell(v, q); err == nil {
				found, err = inBody(found) // encoded while the frame is held
			}
			return err
		})
		return found, err
	})
}

//go:embed page
var pageFiles embed.FS

// pageScripts are the page's scripts, in the order in which they run.
var pageScripts = []string{
	"words", "elements", "time", "figures", "tables", "stream", "graph", "kinds", "rows", "objects",
	"plots", "picture", "client", "resources", "view", "look", "compare", "why", "choices",
	"places",
}

// pageSource is the page as a single file, including its style and scripts.
var pageSource = func() string {
	read := func(name string) string {
		text, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	var script strings.Builder
	for _, name := range pageScripts {
		script.WriteString("\n" + read(name+".js"))
	}
	return strings.NewReplacer("<style></style>", "<style>\n"+read("page.css")+"</style>",
		"<script></script>", "<script>"+script.String()+"</script>").Replace(read("page.html"))
}()

// may returns the abilities that the program grants to a page or an assistant.
func (s *site) may() (may []string) {
	o := s.options
	for name, is := range map[string]bool{
		"edit": o.Edit, "past": o.Past != nil, "why": o.Why != nil, "hunt": o.Hunt != nil,
		"client": o.Client != nil,
	} {
		if is {
			may = append(may, name)
		}
	}
	slices.Sort(may)
	return may
}

// servePage answers with the page. Browsers may run only its own script and style.
func (s *site) servePage(w http.ResponseWriter, _ *http.Request) {
	var changes []string
	if may := s.may(); may != nil {
		changes = []string{
			`name="token" content=""`, `name="token" content="` + s.past.asks.token + `"`,
			`name="may" content=""`, `name="may" content="` + strings.Join(may, " ") + `"`,
		}
	}
	onepage.Serve(w, pageSource, s.options.Title+" · inspector", changes...)
}
