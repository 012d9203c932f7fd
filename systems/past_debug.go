//go:build ecsdebug

package systems

import "bytes"

// check panics where the world and what p holds, which were just brought together by copying what
// had changed, differ.
func (p *Snapshot) check(j *job) {
	parts, others := j.Parts(), p.arena.Parts()
	for i := range parts {
		x, y := &parts[i], &others[i]
		if !bytes.Equal(j.Used(x), p.arena.Used(y)) {
			panic("systems: " + x.Owner + "." + x.Name + " was written unnoticed; " +
				"write through batches, or through what Values returns before the next tick")
		}
	}
}
