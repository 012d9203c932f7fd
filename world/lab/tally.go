package lab

import "fmt"

// A tally collects the outcomes of a plan's runs, and writes their rows in order.
type tally struct {
	plan    *plan
	dst     Sink
	journal *journal // nil: none
	done    []*outcome
	next    int // the first run whose rows are not written yet
	failed  []Failure
	cells   []Value // of the last row
}

// pending returns for each run whether it is done.
func (t *tally) pending() []bool {
	done := make([]bool, len(t.done))
	for i := range done {
		done[i] = t.has(i)
	}
	return done
}

// has reports whether a run is done: its rows are written, or wait for an earlier run.
func (t *tally) has(run int) bool { return run < t.next || t.done[run] != nil }

// made returns the number of the part's finished runs.
func (t *tally) made() (n int) {
	n = -t.plan.share.others
	for i := range t.done {
		if t.has(i) {
			n++
		}
	}
	return n
}

// add adds an outcome to the journal, and then to the table.
func (t *tally) add(o outcome) error {
	if t.journal != nil && o.fault == nil {
		if err := t.journal.add(&o); err != nil {
			return err
		}
	}
	t.done[o.run] = &o
	if err := t.write(); err != nil {
		return err
	}
	if t.plan.progress != nil {
		t.plan.progress(t.made(), t.plan.shared())
	}
	return nil
}

// write writes the rows of all runs before the first missing one.
func (t *tally) write() error {
	for ; t.next < len(t.done) && t.done[t.next] != nil; t.next++ {
		o := t.done[t.next]
		if err := t.rows(o); err != nil {
			return unwritten(err)
		}
		if o.fault != nil {
			t.failed = append(t.failed, Failure{Run: o.run, Err: fmt.Errorf(
				"lab: %s failed at step %d: %w", t.plan.name(o.run), o.end, o.fault)})
		}
		t.done[t.next] = nil // frees the outcome
	}
	return nil
}

// rows writes the rows of a run.
func (t *tally) rows(o *outcome) error {
	columns := t.plan.reported()
	for i, step := range o.steps {
		t.begin(o, step)
		for j, x := range o.numbers[i*columns:][:columns] {
			t.cells = append(t.cells, cellOf(x, t.plan.hashed[j]))
		}
		t.cells = append(t.cells, Value{})
		if err := t.dst.Row(t.cells); err != nil {
			return err
		}
	}
	if o.fault == nil {
		return nil
	}
	t.begin(o, o.end)
	for range columns {
		t.cells = append(t.cells, Value{})
	}
	t.cells = append(t.cells, textValue(o.fault.Error()))
	return t.dst.Row(t.cells)
}

// begin sets the first cells of a row.
func (t *tally) begin(o *outcome, step int) {
	seeds := t.plan.seeds
	t.cells = t.cells[:0]
	t.cells = append(t.cells, t.plan.sets[o.run/len(seeds)]...)
	t.cells = append(t.cells, uintValue(seeds[o.run%len(seeds)]), intValue(int64(step)))
}
