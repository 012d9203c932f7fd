package manager

import (
	"fmt"
	"math/bits"
)

// verify checks what the watcher remembers against the world: a change that it was not told of
// shows as a member that does not match, or as an object that does and is no member, nor touched.
func (r *Watcher) verify() error {
	var members int
	for k := range (r.Objects.Count.High + 63) / 64 {
		b, now := &r.blocks[k], r.watch.Block(k)
		members += bits.OnesCount64(b.Members)
		still, missed := b.Members&^b.Gone, now&^b.Members&^b.Touched
		touched, reported := r.touched[k>>6]>>(k&63)&1 != 0, r.reported[k>>6]>>(k&63)&1 != 0
		switch {
		case b.Gone&^(b.Members&b.Touched) != 0:
			return fmt.Errorf("block %d: %x are gone that are no touched members", k, b.Gone)
		case still&^now != 0:
			return fmt.Errorf("block %d: members %x do not match", k, still&^now)
		case missed != 0:
			return fmt.Errorf("block %d: %x match, and are not touched", k, missed)
		case touched != (b.Touched != 0):
			return fmt.Errorf("block %d: its group says otherwise of touched objects", k)
		case reported != (b.Left|b.Entered != 0):
			return fmt.Errorf("block %d: its group says otherwise of the last look", k)
		}
		for x := still; x != 0; x &= x - 1 {
			i := k<<6 + uint32(bits.TrailingZeros64(x))
			if g := r.generations[i]; g != r.Objects.Generations[i] {
				return fmt.Errorf("object %d is remembered in generation %d", i, g)
			}
		}
	}
	if members != r.Count() {
		return fmt.Errorf("%d members are counted as %d", members, r.Count())
	}
	return nil
}
