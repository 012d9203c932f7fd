package inspect

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/onepage"
)

const root = "/debug/ecs"

// Handler returns a handler for the page and its data, under /debug/ecs.
func (i *Inspector) Handler() http.Handler {
	i.made()
	mux := http.NewServeMux()
	mux.HandleFunc(root, i.servePage)
	mux.HandleFunc(root+"/{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, root, http.StatusMovedPermanently)
	})
	mux.HandleFunc(root+"/api/overview", i.answer((*Inspector).overview))
	mux.HandleFunc(root+"/api/times", i.answer((*Inspector).timesSince))
	mux.HandleFunc(root+"/api/kinds", i.answer((*Inspector).kinds))
	mux.HandleFunc(root+"/api/watchers", i.answer((*Inspector).watchers))
	mux.HandleFunc(root+"/api/rows", i.answer((*Inspector).rows))
	mux.HandleFunc(root+"/api/objects", i.answer((*Inspector).objects))
	mux.HandleFunc(root+"/api/object", i.answer((*Inspector).object))
	mux.HandleFunc(root+"/api/plots", i.answer((*Inspector).plots))
	mux.HandleFunc(root+"/api/picture", handle(i.picture))
	mux.HandleFunc(root+"/api/client", handle(i.clientText))
	mux.HandleFunc(root+"/api/resources", i.answer((*Inspector).resources))
	mux.HandleFunc(root+"/api/tree", i.answer((*Inspector).tree))
	mux.HandleFunc(root+"/api/diff", handle(i.diff))
	mux.HandleFunc(root+"/api/chart", handle(i.chart))
	mux.HandleFunc(root+"/api/why", handle(i.why))
	mux.HandleFunc(root+"/api/column", i.serveColumn)
	mux.HandleFunc(root+"/api/events", i.serveEvents)
	mux.HandleFunc(root+"/metrics", i.serveMetrics)
	mux.HandleFunc(editPath, handle(i.edit))
	mux.HandleFunc(timePath, i.answer((*Inspector).time))
	mux.HandleFunc("POST "+timePath, handle(i.setTime))
	mux.HandleFunc(root+"/pprof/{name}", i.serveProfile)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is no such page; the inspector is at "+root)
	})
	return i.guard().Handler(mux)
}

func (i *Inspector) guard() Guard {
	g := Guard{Page: root, Hosts: i.options.Hosts, Remote: i.options.Remote}
	if i.options.Edit {
		g.Posts = append(g.Posts, editPath)
	}
	if i.options.Past != nil {
		g.Posts = append(g.Posts, timePath)
	}
	return g
}

// A refusal is an answer that is an error.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

func badRequest(format string, args ...any) error {
	return &refusal{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &refusal{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

// busy refuses what may be answered later.
func busy(format string, args ...any) error {
	return &refusal{http.StatusServiceUnavailable, fmt.Sprintf(format, args...)}
}

// refuse answers with an error, as JSON.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": text})
}

// answer returns a handler that answers with what f says of a frame, as JSON.
func (i *Inspector) answer(
	f func(*Inspector, *view, url.Values) (any, error),
) http.HandlerFunc {
	return handle(func(_ http.ResponseWriter, r *http.Request) (any, error) {
		var b body
		q := r.URL.Query()
		err := i.lookAt(r.Context(), q.Get("at"), func(v *view) error {
			found, err := f(i, v, q)
			if err == nil {
				b, err = inJSON(found)
			}
			return err
		})
		return b, err
	})
}

// A body is an answer as it is sent: what reads the world is written while the frame is held.
type body struct {
	kind string // of its content
	text []byte
}

func inJSON(found any) (b body, err error) {
	b.kind = "application/json"
	b.text, err = json.Marshal(found)
	return b, err
}

// handle returns a handler that answers with what f returns: a body, or anything as JSON.
func handle(f func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := f(w, r)
		b, done := found.(body)
		if !done && err == nil {
			b, err = inJSON(found)
		}
		if err != nil {
			refuseWith(w, err)
			return
		}
		w.Header().Set("Content-Type", b.kind)
		_, _ = w.Write(b.text) // a reader that is gone is no error of ours
	}
}

func refuseWith(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if r, ok := errors.AsType[*refusal](err); ok {
		status = r.status
	} else if _, ok := errors.AsType[*world.Error](err); ok { // the world refused an edit
		status = http.StatusConflict
	}
	refuse(w, status, err.Error())
}

// number returns a parameter from 0 to most, or usual when it is not given.
func number(q url.Values, name string, usual, most int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, badRequest("%s is %q; give a number from 0 to %d", name, text, most)
	}
	return n, nil
}

//go:embed page
var pageFiles embed.FS

// pageScripts are the page's scripts, in the order in which they run.
var pageScripts = []string{
	"words", "elements", "time", "figures", "tables", "stream", "graph", "kinds", "rows", "objects",
	"plots", "picture", "client", "resources", "view", "look", "compare", "why", "choices",
	"places",
}

// pageSource is the page with its style and its scripts, so that it is one file.
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

// servePage answers with the page. Its own script and style are all that the browser may run.
func (i *Inspector) servePage(w http.ResponseWriter, _ *http.Request) {
	changes := []string{}
	if may := i.may(); may != "" {
		changes = []string{
			`name="token" content=""`, `name="token" content="` + i.token + `"`,
			`name="may" content=""`, `name="may" content="` + may + `"`,
		}
	}
	onepage.Serve(w, pageSource, i.options.Title+" · inspector", changes...)
}
