package replica

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// An occasion is an event of the last ticks, stored once for all clients.
type occasion struct {
	about world.GameObject
	next  uint32 // place, plus one, of an earlier event of this tick about the same index
	which uint8  // of Schema.messages
}

// An eventLog stores the events of the last ticks: a ring of occasions; count is the number ever
// added. It has room for the events that the world keeps, and grows if more are sent in a tick:
// events that a client does not see must not displace events that it sees.
type eventLog struct {
	messages []*message
	keepers  []*systems.EventKeeper // per message: gets the events that the world is about to lose
	taken    []uint64               // per message: the number of the next event
	missed   int                    // events that the world lost before that
	ring     []occasion
	bytes    []byte // maxSize per occasion
	stride   int
	count    uint64
	first    uint64          // number of the first event of this tick
	before   [repeats]uint64 // of earlier ticks: the first events that a client may still need
	heads    []uint32
}

// maxEvents is the most occasions that are kept.
const maxEvents = 1 << 16

func newEventLog(s world.State, c *Schema, indexes int) *eventLog {
	n := &eventLog{messages: c.messages, taken: make([]uint64, len(c.messages))}
	room := 0
	for i, m := range c.messages {
		_, n.taken[i] = systems.EventsFrom(s, m.events, 0)
		n.stride = max(n.stride, m.Size)
		room += tool.Cap(s, systems.EventKind(m.events))
		n.keepers = append(n.keepers, &systems.EventKeeper{
			Keep: func(number uint64, e world.EventBatch) { n.keep(i, number, e) },
		})
		systems.KeepEvents(s, m.events, n.keepers[i])
	}
	if room > 0 {
		n.grow(room * (repeats + 1))
		n.heads = make([]uint32, indexes)
	}
	return n
}

// grow makes room for room occasions.
func (n *eventLog) grow(room int) {
	old := *n
	n.ring, n.bytes = make([]occasion, room), make([]byte, room*n.stride)
	for k := old.count - min(old.count, uint64(len(old.ring))); k < old.count; k++ {
		was, value := old.at(k)
		o, dst := n.at(k)
		*o = *was
		copy(dst, value)
	}
}

// keep stores event number of a type, unless it is stored already.
func (n *eventLog) keep(i int, number uint64, e world.EventBatch) {
	if number < n.taken[i] {
		return
	}
	n.missed += int(number - n.taken[i])
	n.taken[i] = number + 1
	n.add(n.messages[i], e, 0)
}

// at returns the place of an occasion, and its bytes.
func (n *eventLog) at(number uint64) (*occasion, []byte) {
	i := int(number % uint64(len(n.ring)))
	return &n.ring[i], n.bytes[i*n.stride:][:n.stride]
}

// collect stores the events since the last call. A world that went back has no new events.
func (n *eventLog) collect(s world.State) {
	for i, m := range n.messages {
		systems.KeepEvents(s, m.events, n.keepers[i]) // s may be another, larger world
		got, next := systems.EventsFrom(s, m.events, n.taken[i])
		n.missed += int(next-min(n.taken[i], next)) - got.Len()
		n.taken[i] = next
		for _, b := range got.Batches() {
			for k := range b.Len() {
				n.add(m, b, k)
			}
		}
	}
}

// add stores event k of a batch.
func (n *eventLog) add(m *message, b world.EventBatch, k int) {
	if n.count-n.before[0] >= uint64(len(n.ring)) {
		if 2*len(n.ring) > maxEvents {
			n.missed++
			return
		}
		n.grow(2 * len(n.ring))
	}
	o, dst := n.at(n.count)
	*o = occasion{which: m.number}
	for _, f := range m.Fields {
		value := systems.EventBytes(b, f)[k*f.Stride:][:f.Stride]
		dst = dst[copy(dst, value):]
		if f == m.To {
			o.about = world.GameObject(le.Uint64(value))
		}
	}
	if i := o.about.Index(); o.about != world.Nobody && uint(i) < uint(len(n.heads)) {
		o.next = n.heads[i]
		n.count++
		n.heads[i] = uint32(n.count - n.first)
	}
}

// endTick ends the tick: no index has current events any more.
func (n *eventLog) endTick() {
	for k := n.first; k < n.count; k++ {
		o, _ := n.at(k)
		n.heads[o.about.Index()] = 0
	}
	copy(n.before[:], n.before[1:])
	n.before[repeats-1], n.first = n.first, n.count
}
