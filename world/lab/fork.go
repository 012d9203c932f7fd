package lab

import (
	"fmt"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Fork runs n futures of one state, one after the other in one world, which it restores to p before
// each. It calls live with the world and the number of the future, from 0; live changes and steps
// the world, and returns the last State. The random numbers of future i are seeded by a hash of p's
// random state and i, unless the world has no Counts.Seed. Use a [Sweep] with From for futures on
// several goroutines, in a table.
//
// It stops at the first error, and names the future. It does not change p.
func Fork(
	p *world.Snapshot, n int, live func(s world.State, i int) (world.State, error),
) (err error) {
	if live == nil || n < 0 {
		panic("lab: Fork needs a number of futures and a function that lives one; give it both")
	}
	s, err := world.Clone(p.State())
	if err != nil {
		return err
	}
	defer func() { systems.Discard(s) }()
	first, err := snapshotOf(s)
	if err != nil {
		return err
	}
	defer first.Close()
	for i := range n {
		if s, err = world.Restore(s, first); err != nil {
			return fmt.Errorf("lab: future %d: %w", i, err)
		}
		if s, err = live(reseed(s, uint64(i)), i); err != nil {
			return fmt.Errorf("lab: future %d: %w", i, err)
		}
	}
	return nil
}

// snapshotOf returns a new snapshot of s.
func snapshotOf(s world.State) (*world.Snapshot, error) {
	p, err := world.NewSnapshot(s)
	if err != nil {
		return nil, err
	}
	if err := p.Take(s); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// A Difference describes the first difference between two worlds; see FirstDifference of package
// systems/tool.
type Difference = tool.Difference

// FirstDifference returns the first difference between two nodes of a tree, or of trees of worlds
// with the same counts, if any. It compares live objects, their kinds, their values, and last the
// data that only affect the future.
func FirstDifference(a, b *Node) (d Difference, differ bool, err error) {
	return tool.FirstDifference(a.kept().State(), b.kept().State())
}
