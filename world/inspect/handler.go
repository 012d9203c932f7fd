package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/flatecs/flatecs/world"
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
	mux.HandleFunc(root+"/api/picture", i.servePicture)
	mux.HandleFunc(root+"/api/client", i.serveClient)
	mux.HandleFunc(root+"/api/resources", i.answer((*Inspector).resources))
	mux.HandleFunc(root+"/api/tree", i.answer((*Inspector).tree))
	mux.HandleFunc(root+"/api/diff", serveJSON(i.diff))
	mux.HandleFunc(root+"/api/chart", serveJSON(i.chart))
	mux.HandleFunc(root+"/api/why", serveJSON(i.why))
	mux.HandleFunc(root+"/api/column", i.serveColumn)
	mux.HandleFunc(root+"/api/events", i.serveEvents)
	mux.HandleFunc(root+"/metrics", i.serveMetrics)
	mux.HandleFunc(editPath, serveJSON(i.edit))
	mux.HandleFunc(timePath, i.answer((*Inspector).time))
	mux.HandleFunc("POST "+timePath, serveJSON(i.setTime))
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
	return serveJSON(func(_ http.ResponseWriter, r *http.Request) (any, error) {
		var body encoded
		q := r.URL.Query()
		err := i.lookAt(r.Context(), q.Get("at"), func(v *view) error {
			found, err := f(i, v, q)
			if err == nil {
				body, err = json.Marshal(found)
			}
			return err
		})
		return body, err
	})
}

// encoded is JSON: what reads the world is written while the frame is held.
type encoded []byte

// serveJSON returns a handler that answers with what f returns, as JSON.
func serveJSON(f func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := f(w, r)
		body, done := found.(encoded)
		if !done && err == nil {
			body, err = json.Marshal(found)
		}
		if err != nil {
			refuseWith(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // a reader that is gone is no error of ours
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
