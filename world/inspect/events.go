package inspect

import (
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
	tell  func(*Inspector, *view, url.Values) (any, error)
}

// serveEvents tells of the world as it runs, by server-sent events: those that the parameter topics
// names, overview and times when it names none.
func (i *Inspector) serveEvents(w http.ResponseWriter, r *http.Request) {
	topics, err := i.topics(r.URL.Query().Get("topics"))
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
	since := r.URL.Query().Get("since")
	for ctx.Err() == nil {
		text, count, err := i.tell(ctx, topics, since)
		if err != nil {
			return
		}
		since = count
		if _, err := w.Write(text); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		i.pause(ctx, eventEvery)
	}
}

// topics returns those of a list of names.
func (i *Inspector) topics(names string) (list []topic, err error) {
	all := []topic{
		{"overview", eventEvery, 0, (*Inspector).overview},
		{"times", eventEvery, 0, (*Inspector).timesSince},
		{"kinds", slowEvery, 0, (*Inspector).kinds},
		{"watchers", slowEvery, 0, (*Inspector).watchers},
	}
	if names == "" {
		return all[:2], nil
	}
	for name := range strings.SplitSeq(names, ",") {
		n := slices.IndexFunc(all, func(t topic) bool { return t.name == name })
		if n < 0 {
			return nil, badRequest("there is no topic %q; there are overview, times, kinds, "+
				"watchers", name)
		}
		list = append(list, all[n])
	}
	return list, nil
}

// tell returns the events of the topics that are due, and the count of frames that they tell of.
func (i *Inspector) tell(
	ctx context.Context, topics []topic, since string,
) (text []byte, count string, err error) {
	count = since
	now := i.options.Clock()
	err = i.look(ctx, func(v *view) error {
		for n := range topics {
			t := &topics[n]
			if now < t.next {
				continue
			}
			t.next = now + t.every - eventEvery/4
			found, err := t.tell(i, v, url.Values{"since": {since}})
			if err != nil {
				return err
			}
			if times, ok := found.(*timesView); ok {
				count = itoa(times.Count)
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
	return text, count, err
}

// pause waits for a time, or for the end of ctx.
func (*Inspector) pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}
