package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	maxStreams = 16
	streamFor  = 30 * time.Second       // then the browser asks again, so that none is left behind
	eventEvery = 250 * time.Millisecond // at most
	slowEvery  = time.Second            // what is large or changes slowly
)

// A topic is what a stream tells of.
type topic struct {
	name  string
	every time.Duration
	next  time.Duration
	since string // count of what was told already
	tell  func(*Inspector, *view, url.Values) (any, error)
}

// serveEvents tells of the world as it runs, by server-sent events: those that the parameter topics
// names, overview and times when it names none. Its parameter since says what of the times is known
// already.
func (i *Inspector) serveEvents(w http.ResponseWriter, r *http.Request) {
	topics, err := i.topicsOf(r.URL.Query())
	if err != nil {
		refuseWith(w, err)
		return
	}
	if i.streams.Add(1) > maxStreams {
		i.streams.Add(-1)
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "too many streams are open; close a page, or poll")
		return
	}
	defer i.streams.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), streamFor)
	defer cancel()
	if _, err := w.Write([]byte("retry: 200\n\n")); err != nil {
		return
	}
	for ctx.Err() == nil {
		text, err := i.tell(ctx, topics)
		if err != nil {
			return
		}
		if _, err := w.Write(text); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		i.pause(ctx, slices.MinFunc(topics, func(a, b topic) int {
			return cmp.Compare(a.every, b.every)
		}).every)
	}
}

// topicsOf returns the topics that a request asks for.
func (i *Inspector) topicsOf(q url.Values) (list []topic, err error) {
	all := []topic{
		{"overview", eventEvery, 0, "", (*Inspector).overview},
		{"times", eventEvery, 0, q.Get("since"), (*Inspector).timesSince},
		{"kinds", slowEvery, 0, "", (*Inspector).kinds},
		{"watchers", slowEvery, 0, "", (*Inspector).watchers},
		{"plots", max(i.every, 20*time.Millisecond), 0, "", (*Inspector).plots},
		{"resources", eventEvery, 0, "", (*Inspector).resources},
		{"time", eventEvery, 0, "", (*Inspector).time},
	}
	if q.Get("topics") == "" {
		return all[:2], nil
	}
	for name := range strings.SplitSeq(q.Get("topics"), ",") {
		n := slices.IndexFunc(all, func(t topic) bool { return t.name == name })
		if n < 0 {
			return nil, badRequest("there is no topic %q; there are overview, times, kinds, "+
				"watchers, plots, resources, time", name)
		}
		list = append(list, all[n])
	}
	return list, nil
}

// tell returns the events of the topics that are due.
func (i *Inspector) tell(ctx context.Context, topics []topic) (text []byte, err error) {
	now := i.options.Clock()
	err = i.look(ctx, func(v *view) error {
		for n := range topics {
			t := &topics[n]
			if now < t.next {
				continue
			}
			t.next = now + t.every - eventEvery/4
			found, err := t.tell(i, v, url.Values{"since": {t.since}})
			if err != nil {
				return err
			}
			if found == nil {
				continue
			}
			if some, ok := found.(interface{ counted() uint64 }); ok {
				t.since = itoa(some.counted())
			}
			body, err := json.Marshal(found)
			if err != nil {
				return err
			}
			text = append(text, "event: "+t.name+"\ndata: "...)
			text = append(append(text, body...), "\n\n"...)
		}
		return nil
	})
	return text, err
}

// pause waits for a time, or for the end of ctx.
func (*Inspector) pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}
