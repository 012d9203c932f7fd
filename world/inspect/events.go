package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	maxStreams = 16
	streamFor  = 30 * time.Second       // then the browser reconnects
	eventEvery = 250 * time.Millisecond // at most
	slowEvery  = time.Second            // for topics that are large or change slowly
	plotEvery  = 20 * time.Millisecond  // at most; otherwise with each frame
)

// A topic is one kind of event in a stream.
type topic struct {
	endpoint
	next  time.Duration
	since string // the frame count that was sent last
}

// streams sends events about frames to clients.
type streams struct {
	frames *frames
	topics []endpoint
	names  []string // of the topics
	open   atomic.Int32
}

// serve sends server-sent events while the world runs: the topics in the parameter topics, or
// overview and times by default. The parameter since is the last frame whose times the client
// knows.
func (s *streams) serve(w http.ResponseWriter, r *http.Request) {
	topics, err := s.topicsOf(r.URL.Query())
	if err != nil {
		refuseWith(w, err)
		return
	}
	if s.open.Add(1) > maxStreams {
		s.open.Add(-1)
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "too many streams are open; close a page, or poll")
		return
	}
	defer s.open.Add(-1)
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
		text, err := s.tell(ctx, topics)
		if err != nil {
			return
		}
		if _, err := w.Write(text); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		pause(ctx, slices.MinFunc(topics, func(a, b topic) int {
			return cmp.Compare(a.every, b.every)
		}).every)
	}
}

// topicsOf returns the topics of a request.
func (s *streams) topicsOf(q url.Values) (list []topic, err error) {
	asked := cmp.Or(q.Get("topics"), "overview,times")
	for name := range strings.SplitSeq(asked, ",") {
		n := slices.Index(s.names, name)
		if n < 0 {
			return nil, badRequest("there is no topic %q; there are %s", name,
				strings.Join(s.names, ", "))
		}
		list = append(list, topic{endpoint: s.topics[n]})
		if name == "times" {
			list[len(list)-1].since = q.Get("since")
		}
	}
	return list, nil
}

// tell returns the events of the topics that are due.
func (s *streams) tell(ctx context.Context, topics []topic) (text []byte, err error) {
	now := s.frames.options.Clock()
	err = s.frames.look(ctx, func(v *view) error {
		for n := range topics {
			t := &topics[n]
			if now < t.next {
				continue
			}
			t.next = now + t.every - eventEvery/4
			found, err := t.tell(v, url.Values{"since": {t.since}})
			if err != nil {
				return err
			}
			if found == nil {
				continue
			}
			if some, ok := found.(interface{ counted() uint64 }); ok {
				t.since = strconv.FormatUint(some.counted(), 10)
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

// pause waits for a duration, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-ctx.Done()
}
