// Package model simulates a run on many shards: the waiting times of each shard, tick by tick, from
// measured times of steps and messages. It is for numbers of shards that one machine cannot run.
//
//	r := model.Run(model.Options{Columns: 100, Ticks: 100, Step: 5 * time.Millisecond, …})
//	fmt.Println(r.PerSecond)
//
// Each shard steps, sends a message for each neighbour to the streams, and waits until its own
// messages are stored and the messages of its neighbours have arrived. A stream stores one message
// after the other. There is no barrier: the distance of two regions limits how many ticks their
// shards may be apart.
//
// [Run] of [Options] returns a [Result].
package model

import (
	"container/heap"
	"math/rand/v2"
	"time"
)

// Options describe a run.
type Options struct {
	Columns, Rows int           // of regions; with one row they are strips
	Ticks         int           // to simulate
	Streams       int           // the messages are distributed among them by receiver; 0: 1
	Step          time.Duration // mean time of a shard's step
	Spread        float64       // of steps: uniform from 1 - Spread to 1 + Spread times Step
	Hot           float64       // factor of the first shard's Step; 0: 1
	Store         time.Duration // time to store a message
	Transfer      time.Duration // time of a message over the network, in both directions
	Seed          uint64
}

// A Result describes a simulated run.
type Result struct {
	Messages  int           // per tick, of all shards
	PerSecond float64       // ticks
	Tick      time.Duration // 1 / PerSecond
	Busy      float64       // fraction of time that the busiest stream is storing
	Ahead     int           // most ticks between the first and the last shard
}

// Run simulates a run. Equal options give equal results.
func Run(o Options) Result {
	m := newModel(o)
	for i := range m.shards {
		m.begin(i, 0)
	}
	for m.queue.Len() > 0 {
		m.handle(heap.Pop(&m.queue).(event))
	}
	return m.result()
}

// A model is the state of the simulation.
type model struct {
	o       Options
	random  *rand.Rand
	shards  []state
	streams []time.Duration // time at which each is free
	busy    []time.Duration // total time of storing, per stream
	queue   events
	ahead   int
	end     time.Duration
}

// A state is the state of a shard.
type state struct {
	neighbours []int
	tick       int         // current tick
	stepped    bool        // its messages were sent
	own        int         // own messages of this tick that are not stored yet
	come       map[int]int // messages received, per tick
}

// An event is an event of a shard.
type event struct {
	at     time.Duration
	kind   int
	shard  int
	tick   int
	to     int // receiver of a message
	number int // order of creation
}

const (
	stepped = iota // its step is complete
	asked          // its own message has arrived at a stream
	stored         // its own message is stored
	came           // a neighbour's message has arrived
)

func newModel(o Options) *model {
	o.Rows, o.Streams = max(o.Rows, 1), max(o.Streams, 1)
	m := &model{
		o: o, random: rand.New(rand.NewPCG(o.Seed, 0)), shards: make([]state, o.Columns*o.Rows),
		streams: make([]time.Duration, o.Streams), busy: make([]time.Duration, o.Streams),
	}
	for i := range m.shards {
		m.shards[i] = state{neighbours: m.neighbours(i), come: map[int]int{}}
	}
	return m
}

// neighbours lists the regions that touch a region, including corners.
func (m *model) neighbours(i int) (list []int) {
	x, y := i%m.o.Columns, i/m.o.Columns
	for ny := max(y-1, 0); ny <= min(y+1, m.o.Rows-1); ny++ {
		for nx := max(x-1, 0); nx <= min(x+1, m.o.Columns-1); nx++ {
			if n := ny*m.o.Columns + nx; n != i {
				list = append(list, n)
			}
		}
	}
	return list
}

// begin starts the step of a shard.
func (m *model) begin(i int, at time.Duration) {
	took := float64(m.o.Step) * (1 + m.o.Spread*(2*m.random.Float64()-1))
	if i == 0 && m.o.Hot > 0 {
		took *= m.o.Hot
	}
	m.push(event{at: at + time.Duration(took), kind: stepped, shard: i, tick: m.shards[i].tick})
}

func (m *model) push(e event) { heap.Push(&m.queue, e) }

func (m *model) handle(e event) {
	s := &m.shards[e.shard]
	switch e.kind {
	case stepped:
		s.stepped, s.own = true, len(s.neighbours)
		for _, to := range s.neighbours {
			m.push(event{
				at: e.at + m.o.Transfer/2, kind: asked, shard: e.shard, tick: e.tick, to: to,
			})
		}
	case asked:
		m.store(e)
	case stored:
		s.own--
	case came:
		s.come[e.tick]++
	}
	m.finish(e.shard, e.at)
}

// store stores a message in the receiver's stream.
func (m *model) store(e event) {
	n := e.to % m.o.Streams
	done := max(m.streams[n], e.at) + m.o.Store
	m.streams[n] = done
	m.busy[n] += m.o.Store
	m.push(event{at: done + m.o.Transfer/2, kind: stored, shard: e.shard, tick: e.tick})
	m.push(event{at: done + m.o.Transfer/2, kind: came, shard: e.to, tick: e.tick})
}

// finish starts the next tick of a shard if it waits for nothing.
func (m *model) finish(i int, at time.Duration) {
	s := &m.shards[i]
	if !s.stepped || s.own > 0 || s.come[s.tick] < len(s.neighbours) {
		return
	}
	delete(s.come, s.tick)
	s.tick++
	s.stepped = false
	m.end = max(m.end, at)
	for j := range m.shards {
		m.ahead = max(m.ahead, s.tick-m.shards[j].tick)
	}
	if s.tick < m.o.Ticks {
		m.begin(i, at)
	}
}

func (m *model) result() Result {
	r := Result{Ahead: m.ahead, Tick: m.end / time.Duration(m.o.Ticks)}
	for i := range m.shards {
		r.Messages += len(m.shards[i].neighbours)
	}
	r.PerSecond = float64(m.o.Ticks) / m.end.Seconds()
	for _, b := range m.busy {
		r.Busy = max(r.Busy, b.Seconds()/m.end.Seconds())
	}
	return r
}

// events is a heap, the earliest event first; simultaneous events are ordered by creation.
type events struct {
	list []event
	made int
}

func (e *events) Len() int { return len(e.list) }

func (e *events) Less(i, j int) bool {
	a, b := &e.list[i], &e.list[j]
	return a.at < b.at || a.at == b.at && a.number < b.number
}

func (e *events) Swap(i, j int) { e.list[i], e.list[j] = e.list[j], e.list[i] }

// Push adds an event; it implements heap.Interface.
func (e *events) Push(x any) {
	next := x.(event)
	next.number = e.made
	e.made++
	e.list = append(e.list, next)
}

// Pop removes the last event; it implements heap.Interface.
func (e *events) Pop() any {
	last := e.list[len(e.list)-1]
	e.list = e.list[:len(e.list)-1]
	return last
}
