package hand_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/timeline"
)

// A looked is a world's inspector, with a past, and a page that looks back all the time.
type looked struct {
	page *inspect.Inspector
	past *timeline.Timeline
	asks chan string // what the page was refused; closed when it is gone
	ends chan struct{}
}

// look returns the inspector of a version that has one, or nil, which takes a step in each turn.
func look(version string, s world.State, advance func(world.State) world.State) *looked {
	if !strings.Contains(version, "look") {
		return nil
	}
	step := func(s world.State, _ []byte) world.State { return advance(s) }
	past, err := timeline.New(s, timeline.Options{Step: step, Frames: 1000})
	die("past", err)
	begin := time.Now()
	page, err := inspect.New(s, inspect.Options{
		Clock: func() time.Duration { return time.Since(begin) }, Past: past, Step: step,
	})
	die("inspector", err)
	l := &looked{page, past, make(chan string, 1), make(chan struct{})}
	go l.watch()
	return l
}

// watch looks at the first frame that is kept, and at the newest, in turn.
func (l *looked) watch() {
	defer close(l.asks)
	h := l.page.Handler()
	ask := func(path string) []byte {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/debug/ecs/api/"+path, nil))
		select {
		case <-l.ends: // so does the program
		default:
			if w.Code != http.StatusOK && len(l.asks) == 0 {
				l.asks <- fmt.Sprint(path, ": ", w.Body)
			}
		}
		return w.Body.Bytes()
	}
	for {
		select {
		case <-l.ends:
			return
		default:
		}
		var said struct{ First, Next int }
		if json.Unmarshal(ask("time"), &said) == nil && said.Next > said.First {
			ask(fmt.Sprint("overview?at=", said.First))
			ask(fmt.Sprint("object?id=0&at=", said.Next-1))
		}
	}
}

// turn takes the steps that the page has it take.
func (l *looked) turn(
	s world.State, advance func(world.State) world.State,
) (_ world.State, steps int) {
	if l == nil {
		return advance(s), 1
	}
	s, steps = l.page.Turn(s)
	for range steps {
		l.page.Input(nil)
		die("record", l.past.Record(s, nil))
		s = advance(s)
	}
	die("publish", l.page.Publish(s))
	return s, steps
}

// close ends the page, which was refused nothing.
func (l *looked) close() {
	if l == nil {
		return
	}
	close(l.ends)
	l.page.Close()
	for refused := range l.asks {
		panic(refused)
	}
	l.past.Close()
}
