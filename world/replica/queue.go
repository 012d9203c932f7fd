package replica

// A pend is an event that may still have to be sent to a client.
type pend struct {
	occasion uint64
	tick     uint32 // tick of the event
	slot     uint16 // of the event's subject
	in       uint32 // sequence numbers, modulo 32, of the datagrams that contained it
	done     bool
	places   []uint16 // slots, plus one, of its references
}

// A queue holds the events that may still have to be sent to a client, by number.
type queue struct {
	ring        []pend
	first, next uint16
}

func newQueue(refs int) queue {
	q := queue{ring: make([]pend, pending)}
	for k := range q.ring {
		q.ring[k].places = make([]uint16, refs)
	}
	return q
}

func (q *queue) at(number uint16) *pend { return &q.ring[number%pending] }

// dropDone drops events that arrived or are too old.
func (q *queue) dropDone(now uint32) {
	for ; q.first != q.next; q.first++ {
		if p := q.at(q.first); !p.done && now-p.tick < repeats {
			return
		}
	}
}

// arrive marks the events of datagrams that arrived.
func (q *queue) arrive(sequences []uint16) {
	for _, sequence := range sequences {
		for k := q.first; k != q.next; k++ {
			if p := q.at(k); p.in>>(sequence%packets)&1 != 0 {
				p.done = true
			}
		}
	}
}
