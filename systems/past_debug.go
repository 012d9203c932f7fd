//go:build ecsdebug

package systems

import "bytes"

// check panics if the world and p differ after an incremental copy.
func (p *Snapshot) check(j *job) {
	parts := j.Parts()
	for i := range parts {
		x := &parts[i]
		if !bytes.Equal(j.Used(x), p.arena.Used(x)) {
			panic("flatecs: " + x.Owner + "." + x.Name + " was written unnoticed; " +
				"write through batches, or by Set, or through what Edit returns before the " +
				"next tick")
		}
	}
}
