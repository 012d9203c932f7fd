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
)

// An endpoint answers a path below /debug/ecs/api, from a frame or by a handler of its own.
type endpoint struct {
	name  string
	every time.Duration // shortest interval in streams; 0: not a topic of streams
	tell  func(*view, url.Values) (any, error)
	serve http.HandlerFunc
}

// A refusal is an error as an answer.
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

// busy returns the refusal of a request that may succeed later.
func busy(format string, args ...any) error {
	return &refusal{http.StatusServiceUnavailable, fmt.Sprintf(format, args...)}
}

// refuse answers with an error as JSON.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": text})
}

// A body is an encoded answer. Answers that read the world are encoded while the frame is held.
type body struct {
	kind string // content type
	text []byte
}

// inBody returns an answer as a body: unchanged if it is a body, otherwise as JSON.
func inBody(found any) (body, error) {
	if b, done := found.(body); done {
		return b, nil
	}
	text, err := json.Marshal(found)
	return body{"application/json", text}, err
}

// handle returns a handler that answers with the result of f: a body, or any value as JSON.
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
		_, _ = w.Write(b.text) // the client may have disconnected
	}
}

func refuseWith(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if r, ok := errors.AsType[*refusal](err); ok {
		status = r.status
	}
	refuse(w, status, err.Error())
}

// number returns a parameter in the range 0 to most, or usual if the parameter is missing.
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

// bounds sets the length of the list, and returns the range that the page shows.
func (p *page) bounds(total int) (first, end int) {
	p.Total, p.Pages = total, total/p.Size
	if total%p.Size != 0 {
		p.Pages++
	}
	first = min(min(p.Page, p.Pages)*p.Size, total) // the minimum avoids an overflow of the product
	return first, min(first+p.Size, total)
}

// onPage yields the entries that the page shows, and sets the length of the list.
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
