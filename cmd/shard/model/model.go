// Package model computes how a simulation on many shards goes: what each shard waits for, tick by
// tick, with the times that were measured for steps and messages. It is for numbers of shards that
// one machine cannot run.
//
//	r := model.Run(model.Options{Columns: 100, Ticks: 100, Step: 5 * time.Millisecond, …})
//	fmt.Println(r.PerSecond)
//
// Each shard steps, hands a message for each neighbour to the streams, and waits until its own are
// stored and those of its neighbours have come. A stream stores one message after the other. There
// is no barrier: a shard may be as many ticks ahead of another one as there are regions between
// them.
//
// [Run] of [Options] returns a [Result].
package model

import (
	"container/heap"
	"math/rand/v2"
	"time"
)

// Options are what a simulation consists of.
type Options struct {
	Columns, Rows int           // of regions; with one row they are strips
	Ticks         int           // to compute
	Streams       int           // that the messages are spread over by their receivers; 0: 1
	Step          time.Duration // of a shard, on average
	Spread        float64       // of steps: each takes from 1 - Spread to 1 + Spread of Step
	Hot           float64       // how often the first shard's Step is as long; 0: 1
	Store         time.Duration // of a message in its stream
	Transfer      time.Duration // of a message over the network, there and back
	Seed          uint64
}

// A Result says how a simulation goes.
type Result struct {
	Messages  int           // of all shards per tick
	PerSecond float64       // ticks
	Tick      time.Duration // 1 / PerSecond
	Busy      float64       // part of the time in which the busiest stream stores
	Ahead     int           // ticks that the first shard was before the last, at most
}

// Run computes a simulation. Equal options have equal results.
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

// A model is a simulation at a moment.
type model struct {
	o       Options
	random  *rand.Rand
	shards  []state
	streams []time.Duration // when each is free
	busy    []time.Duration // how long each has stored
	queue   events
	ahead   int
	end     time.Duration
}

// A state is that of a shard.
type state struct {
	neighbours []int
	tick       int         // that it works on
	stepped    bool        // its messages are on their way
	own        int         // messages of this tick that are not stored
	come       map[int]int // messages that have come, by tick
}

// An event is something that happens to a shard.
type event struct {
	at     time.Duration
	kind   int
	shard  int
	tick   int
	to     int // of a message: who gets it
	number int // of the event
}

const (
	stepped = iota // its step is done
	asked          // a message of its own is at a stream
	stored         // a message of its own is stored
	came           // one of a neighbour has come
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

// neighbours lists the regions that touch one, also in a corner.
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

// begin begins the step of a shard.
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

// store lets the stream of a receiver store a message.
func (m *model) store(e event) {
	n := e.to % m.o.Streams
	done := max(m.streams[n], e.at) + m.o.Store
	m.streams[n] = done
	m.busy[n] += m.o.Store
	m.push(event{at: done + m.o.Transfer/2, kind: stored, shard: e.shard, tick: e.tick})
	m.push(event{at: done + m.o.Transfer/2, kind: came, shard: e.to, tick: e.tick})
}

// finish begins the next tick of a shard that has all it waits for.
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

// Events are a heap, the earliest first; of several at one moment, the one that was made first.
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

// Push adds an event; it is for package heap.
func (e *events) Push(x any) {
	next := x.(event)
	next.number = e.made
	e.made++
	e.list = append(e.list, next)
}

// Pop removes the last event; it is for package heap.
func (e *events) Pop() any {
	last := e.list[len(e.list)-1]
	e.list = e.list[:len(e.list)-1]
	return last
}
