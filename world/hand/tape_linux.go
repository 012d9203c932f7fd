package hand

import (
	"errors"

	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/save"
)

// offer adds the tape to an offer.
func (t *Tape) offer(o *Offer, options *save.Options) error {
	looped := t.loops
	if !looped {
		if t.rewind(); !t.loops {
			return nil
		}
		t.loops = false
	}
	f, err := mapping.Scratch("flatecs tape")
	if err != nil {
		return err
	}
	err = save.Write(f, t.begin.State(), *options)
	o.Steps, o.Inputs = t.steps, t.inputs[:t.steps*t.size]
	return errors.Join(err, o.add(tapeKey, f))
}
