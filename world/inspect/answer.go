package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/flatecs/flatecs/world"
)

// An endpoint answers below /debug/ecs/api: with what it says of a frame, or by itself.
type endpoint struct {
	name  string
	every time.Duration // at most, in streams; 0: it is no topic of them
	tell  func(*view, url.Values) (any, error)
	serve http.HandlerFunc
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

// A body is an answer as it is sent: what reads the world is written while the frame is held.
type body struct {
	kind string // of its content
	text []byte
}

// inBody returns an answer as a body: as it is, or in JSON.
func inBody(found any) (body, error) {
	if b, done := found.(body); done {
		return b, nil
	}
	text, err := json.Marshal(found)
	return body{"application/json", text}, err
}

// handle returns a handler that answers with what f returns: a body, or anything as JSON.
func handle(f func(http.ResponseWriter, *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := f(w, r)
		var b body
		if err == nil {
			b, err = inBody(found)
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

const (
	usualSize = 50
	maxSize   = 500
	maxPage   = 1 << 30
)

// A page is a part of a list: size entries from page×size on.
type page struct {
	Page  int    `json:"page"`
	Pages int    `json:"pages"`
	Size  int    `json:"size"`
	Total int    `json:"total"`
	Query string `json:"q"`
}

func pageOf(q url.Values) (p page, err error) {
	p.Query = q.Get("q")
	if p.Page, err = number(q, "page", 0, maxPage); err != nil {
		return p, err
	}
	if p.Size, err = number(q, "size", usualSize, maxSize); err != nil {
		return p, err
	}
	if p.Size == 0 {
		return p, badRequest("size is 0; give a number from 1 to %d", maxSize)
	}
	return p, nil
}

// bounds notes the length of the list, and returns which of it the page shows.
func (p *page) bounds(total int) (first, end int) {
	p.Total, p.Pages = total, total/p.Size
	if total%p.Size != 0 {
		p.Pages++
	}
	first = min(min(p.Page, p.Pages)*p.Size, total) // no larger a product than of the last page
	return first, min(first+p.Size, total)
}

// onPage yields which of a list the page shows, and notes the length of the list.
func onPage[T any](p *page, total int, list iter.Seq[T]) iter.Seq[T] {
	first, end := p.bounds(total)
	return func(yield func(T) bool) {
		at := 0
		for x := range list {
			if at >= end || at >= first && !yield(x) {
				return
			}
			at++
		}
	}
}
