package inspect

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world"
)

const (
	maxAsks   = 64                    // waiting requests
	askWithin = 2 * time.Second       // a request that waits longer is dropped
	shortWait = 10 * time.Millisecond // wait of a Turn without a step

	tokenHeader = "X-Token"
	maxPosted   = 4096 // bytes of a request
)

// An ask is a function that a request runs on the world's goroutine.
type ask struct {
	do   func(world.State) world.State
	turn bool // only Turn runs it
	done chan struct{}
}

// asks is the queue of requests to the world's goroutine. Requests that change the world need the
// token, which only the page knows.
type asks struct {
	token   string
	mutex   sync.Mutex
	waiting []*ask
	more    chan struct{} // capacity 1
}

func (q *asks) queue(a *ask) bool {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if len(q.waiting) == maxAsks {
		return false
	}
	q.waiting = append(q.waiting, a)
	select {
	case q.more <- struct{}{}:
	default:
	}
	return true
}

// drop removes a request, unless the world's goroutine has started it.
func (q *asks) drop(a *ask) bool {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	at := slices.Index(q.waiting, a)
	if at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	}
	return at >= 0
}

// pick removes and returns the waiting requests. Requests for a Turn stay in the queue unless turn
// is set.
func (q *asks) pick(turn bool) (all []*ask) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(a *ask) bool {
		take := turn || !a.turn
		if take {
			all = append(all, a)
		}
		return take
	})
	return all
}

// wait waits for the next request, at most d.
func (q *asks) wait(d time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	select {
	case <-q.more:
	case <-ctx.Done():
	}
}

// doAll carries out the waiting requests.
func (q *asks) doAll(s world.State, turn bool) world.State {
	all := q.pick(turn)
	defer func() {
		for _, a := range all { // one has panicked
			close(a.done)
		}
	}()
	for len(all) > 0 {
		s = all[0].do(s)
		close(all[0].done)
		all = all[1:]
	}
	return s
}

// inWorld runs a function on the world's goroutine, and waits for it. It returns the error of do,
// or an error if the world did not run it in time.
func (q *asks) inWorld(
	ctx context.Context, turn bool, do func(world.State) (world.State, error),
) (err error) {
	a := &ask{turn: turn, done: make(chan struct{})}
	err = errors.New("the program panicked as it carried out requests")
	a.do = func(s world.State) world.State {
		s, err = do(s)
		return s
	}
	if !q.queue(a) {
		return busy("too many requests wait for the world; wait, too")
	}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	select {
	case <-a.done:
	case <-ctx.Done():
		if q.drop(a) {
			who := map[bool]string{false: "Edit", true: "Turn"}[turn]
			return busy("the world stands still, or its program does not call %s; nothing was "+
				"changed", who)
		}
		<-a.done
	}
	return err
}

// posted decodes the JSON that the page posts. It returns a refusal if the JSON is invalid.
func (q *asks) posted(w http.ResponseWriter, r *http.Request, to any) error {
	switch {
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		return &refusal{http.StatusMethodNotAllowed, "changes of the world need POST"}
	case subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(q.token)) != 1:
		return &refusal{http.StatusForbidden, "the token differs; reload the page"}
	}
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxPosted))
	body.DisallowUnknownFields()
	if err := body.Decode(to); err != nil {
		return badRequest("not a valid request: %v", err)
	}
	return nil
}
