package inspect

import (
	"fmt"
	"net/http"
	"time"

	"github.com/flatecs/flatecs/world/internal/program"
)

const (
	usualHunt = 5 // seconds
	mostHunt  = 30
)

// A hunter is a channel of capacity one, for one hunt at a time.
type hunter chan struct{}

// hunt answers with the result of the program's hunt.
func (h hunter) hunt(o *Options) func(http.ResponseWriter, *http.Request) (any, error) {
	return func(_ http.ResponseWriter, r *http.Request) (any, error) {
		if o.Hunt == nil {
			return nil, notFound("this program does not hunt; set Options.Hunt")
		}
		seconds, err := number(r.URL.Query(), "seconds", usualHunt, mostHunt)
		if err != nil {
			return nil, err
		}
		select {
		case h <- struct{}{}:
			defer func() { <-h }()
		default:
			return nil, busy("another hunt is running; ask again after it")
		}
		found, property := "", r.URL.Query().Get("property")
		c := program.Caught("inspect", func() {
			found, err = o.Hunt(property, time.Duration(seconds)*time.Second)
		})
		switch {
		case c != nil:
			return nil, fmt.Errorf("the hunt panicked: %s", goString(c.Value))
		case err != nil:
			return nil, badRequest("%v", err)
		}
		return map[string]string{"found": found}, nil
	}
}
