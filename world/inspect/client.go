package inspect

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// maxClient is the largest number of a client that a page asks for.
const maxClient = 1<<31 - 2

// clientWait is for how long a request waits for a frame that tells of its client.
const clientWait = time.Second

// A client is what one client of the program may see, as the page asks for it.
type client struct {
	number int // plus 1; 0: none was asked for
	text   []byte
}

// askClient has the program tell of the client that a page asks for, and keeps that in a frame.
func (i *Inspector) askClient(f *frame) {
	f.client.number = int(i.client.Load())
	f.client.text = f.client.text[:0]
	if f.client.number > 0 {
		f.client.text = i.options.Client(f.client.text, f.client.number-1)
	}
}

// serveClient answers with what a client may see, as text, as soon as a frame tells of it.
func (i *Inspector) serveClient(w http.ResponseWriter, r *http.Request) {
	text, err := i.clientText(r.Context(), r.URL.Query().Get("number"))
	if err != nil {
		refuseWith(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(text) // a reader that is gone is no error of ours
}

func (i *Inspector) clientText(ctx context.Context, number string) (text []byte, err error) {
	if i.options.Client == nil {
		return nil, notFound("this program shows no clients; set Options.Client")
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n > maxClient {
		return nil, badRequest("number is %q; give that of a client, from 0 on", number)
	}
	i.client.Store(int64(n) + 1)
	ctx, cancel := context.WithTimeout(ctx, clientWait)
	defer cancel()
	for {
		var frame uint64
		told := false
		err = i.look(ctx, func(v *view) error {
			frame, told = v.number, v.client.number == n+1
			if told {
				text = slices.Clone(v.client.text)
			}
			return nil
		})
		switch {
		case err != nil:
			return nil, err
		case told && len(text) == 0:
			return nil, notFound("the program has no client %d", n)
		case told:
			return text, nil
		case ctx.Err() != nil:
			return nil, &refusal{http.StatusServiceUnavailable, fmt.Sprintf("no frame has told "+
				"of client %d so far: the program is paused, or another page asks for another", n)}
		}
		i.frames.await(ctx, frame)
	}
}
