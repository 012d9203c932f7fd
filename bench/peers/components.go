package peers

import "github.com/akmonengine/volt"

// A component per kind, as types: libraries other than this one tell kinds apart by their Go type.
type (
	position Pair
	speed    Pair
	c1       Pair
	c2       Pair
	c3       Pair
	c4       Pair
	c5       Pair
	c6       Pair
	c7       Pair
	c8       Pair
	c9       Pair
	c10      Pair
	mark     struct{}
)

func addPosition(r *Result, p position) { r.Count, r.Sum = r.Count+1, r.Sum+p.X+2*p.Y }

// Volt numbers components by a method.
func (position) GetComponentId() volt.ComponentId { return 0 }
func (speed) GetComponentId() volt.ComponentId    { return 1 }
func (c1) GetComponentId() volt.ComponentId       { return 2 }
func (c2) GetComponentId() volt.ComponentId       { return 3 }
func (c3) GetComponentId() volt.ComponentId       { return 4 }
func (c4) GetComponentId() volt.ComponentId       { return 5 }
func (c5) GetComponentId() volt.ComponentId       { return 6 }
func (c6) GetComponentId() volt.ComponentId       { return 7 }
func (c7) GetComponentId() volt.ComponentId       { return 8 }
func (c8) GetComponentId() volt.ComponentId       { return 9 }
func (c9) GetComponentId() volt.ComponentId       { return 10 }
func (c10) GetComponentId() volt.ComponentId      { return 11 }
