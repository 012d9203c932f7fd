package why_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	age    = layout.NewComponent[uint32]("age")
	colour = layout.NewField[uint8]("colour", 9)
	shade  = layout.NewField[uint8]("shade")
	paint  = layout.NewKind("paint", colour, shade)
	gold   = layout.NewComponent[int32]("gold")
	noble  = layout.NewMark("noble")
	dice   = layout.NewField[uint8]("dice")
	table  = world.NewResource("table", dice)

	growing = world.NewQuery(world.Write(age))
	drying  = world.NewQuery(world.Write(colour), world.Read(shade), world.With(noble))
	fields  = []layout.AnyField{age, colour, gold}
)

// A value is one field of one object.
type value struct {
	field *layout.FieldSpec
	id    world.GameObject
}

// A court is a world that a schedule steps, and the model of it: values as Go maps, and a list of
// all that was written to each.
type court struct {
	*testing.T

	s        world.State
	jobs     *schedule.Schedule
	timeline *timeline.Timeline
	mutex    sync.Mutex // of all that follows: jobs run side by side
	random   *rand.Rand
	past     why.Past
	frame    int
	now      map[value][]byte
	writes   map[value][]why.Write
	done     map[string]uint64 // tick of a job whose parts are called one by one
	nobles   map[world.GameObject]bool
	objects  []world.GameObject // that ever were
}

func (c *court) wrote(job string, tick uint64, f layout.AnyField, id world.GameObject, to ...byte) {
	v := value{f.Spec(), id}
	c.writes[v] = append(c.writes[v], why.Write{
		Frame: c.frame, Tick: tick, Job: job, Field: v.field, Object: id,
		Before: c.now[v], After: to,
	})
	if c.now[v] = to; to == nil {
		delete(c.now, v)
	}
}

// first calls then if this is a job's first call in a step that is taken for the first time.
func (c *court) first(job string, s world.State, then func()) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !history.Resimulating(s) && c.done[job] != world.Tick(s) {
		c.done[job] = world.Tick(s)
		then()
	}
}

func (c *court) having(f layout.AnyField) (ids []world.GameObject) {
	for _, id := range c.objects {
		if c.now[value{f.Spec(), id}] != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// grow ages all objects by 0 or 1.
func (c *court) grow(s world.State) world.State {
	n := world.Resource(s, dice) % 2
	for b := range growing.In(s) {
		a := world.Column(b, age)
		for i := range a {
			a[i] += uint32(n)
		}
	}
	c.first("grow", s, func() {
		for _, id := range c.having(age) {
			was := c.now[value{age.Spec(), id}]
			c.wrote("grow", world.Tick(s), age, id, was[0]+n, was[1], was[2], was[3])
		}
	})
	return s
}

// rest writes existing values.
func (c *court) rest(s world.State) world.State {
	for b := range growing.In(s) {
		_ = world.Column(b, age)
	}
	c.first("rest", s, func() {
		for _, id := range c.having(age) {
			c.wrote("rest", world.Tick(s), age, id, c.now[value{age.Spec(), id}]...)
		}
	})
	return s
}

// dry paints nobles.
func (c *court) dry(s world.State) world.State {
	n := world.Resource(s, dice) / 64
	for b := range drying.In(s) {
		p := world.Column(b, colour)
		for i := range p {
			p[i] = n
		}
	}
	c.first("dry", s, func() {
		for _, id := range c.having(colour) {
			if c.nobles[id] {
				c.wrote("dry", world.Tick(s), colour, id, n)
			}
		}
	})
	return s
}

// trade gives gold to an object, possibly none.
func (c *court) trade(s world.State) (world.State, error) {
	n := world.Resource(s, dice)
	have := slices.Collect(world.NewQuery(world.With(gold)).Objects(s))
	if len(have) == 0 {
		return s, nil
	}
	id := have[int(n)%len(have)]
	was := world.Must(world.Get(s, id, gold))
	s = world.Must(world.Set(s, id, gold, was+int32(n%4)))
	if !history.Resimulating(s) && n%4 > 0 {
		m := uint32(was + int32(n%4))
		c.wrote("trade", world.Tick(s), gold, id, byte(m), byte(m>>8), byte(m>>16), byte(m>>24))
	}
	return s, nil
}

// live creates or disposes an object, ennobles it, or takes gold or paint from it.
func (c *court) live(s world.State) (world.State, error) {
	n, first := world.Resource(s, dice), !history.Resimulating(s)
	tick := world.Tick(s)
	all := slices.Collect(world.GameObjects(s))
	if len(all) == 0 || n%8 == 0 {
		s, id, err := world.CreateWith(s, age, paint, gold)
		if err == nil && first {
			c.objects = append(c.objects, id)
			c.wrote("live", tick, age, id, 0, 0, 0, 0)
			c.wrote("live", tick, colour, id, 9)
			c.wrote("live", tick, gold, id, 0, 0, 0, 0)
		}
		return s, nil
	}
	id := all[int(n/8)%len(all)]
	lose := func(f layout.AnyField) {
		if _, had := c.now[value{f.Spec(), id}]; first && had {
			c.wrote("live", tick, f, id)
		}
	}
	switch n % 8 {
	case 1:
		s = world.Must(world.Dispose(s, id))
		for _, f := range fields {
			lose(f)
		}
	case 2:
		if !world.Has(s, id, noble) {
			s = world.Must(world.Add(s, id, noble))
		}
		if first {
			c.nobles[id] = true
		}
	case 3:
		if world.Has(s, id, gold) {
			s = world.Must(world.Remove(s, id, gold))
			lose(gold)
		}
	}
	return s, nil
}

func (c *court) step(s world.State, input []byte) world.State {
	s = world.SetResource(s, dice, input[0])
	return world.Must(c.jobs.Run(s, "day"))
}

// tax takes gold outside of steps. What the step before it wrote stays that of its jobs.
func (c *court) tax() {
	if rich := c.having(gold); len(rich) > 0 && c.frame%7 == 6 {
		c.s = world.Must(world.Set(c.s, rich[0], gold, int32(-c.frame)))
		c.timeline.Changed()
		c.frame-- // after whose step it is
		c.wrote("", world.Tick(c.s), gold, rich[0], byte(-c.frame-1), 255, 255, 255)
		c.frame++
	}
}

func (c *court) day() {
	c.tax()
	input := []byte{byte(c.random.UintN(256))}
	require.NoError(c, c.timeline.Record(c.s, input))
	if v := (value{dice.Spec(), world.Nobody}); !bytes.Equal(c.now[v], input) {
		c.wrote("", world.Tick(c.s), dice, world.Nobody, input[0])
	}
	c.s = c.step(c.s, input)
	c.frame++
}

// open makes a world of a few objects, and a timeline that keeps little of it.
func open(t *testing.T, seed uint64) *court {
	t.Helper()
	c := &court{
		T: t, jobs: schedule.New(2), random: rand.New(rand.NewPCG(seed, 1)),
		now:    map[value][]byte{{dice.Spec(), world.Nobody}: {0}},
		writes: map[value][]why.Write{}, done: map[string]uint64{},
		nobles: map[world.GameObject]bool{},
	}
	t.Cleanup(c.jobs.Close)
	require.NoError(t, c.jobs.Register(schedule.Pipeline{
		Name: "day",
		Groups: []schedule.Group{
			{Name: "all", Elements: []string{"both", "trade", "live", "last"}},
			{Name: "both", Link: schedule.Link(seed % 2), Elements: []string{"ages", "dry"}},
			{Name: "ages", Elements: []string{"grow", "rest"}},
		},
		Jobs: []schedule.Job{
			{Name: "grow", Run: c.grow, Queries: []world.Query{growing}, Local: true, Part: 1},
			{Name: "rest", Run: c.rest, Queries: []world.Query{growing}, Local: true},
			{Name: "dry", Run: c.dry, Queries: []world.Query{drying}, Local: seed%4 > 1},
			{Name: "trade", Do: c.trade},
			{Name: "live", Do: c.live},
			{Name: "last", Do: func(s world.State) (world.State, error) { return s, nil }},
		},
	}))
	c.s = world.Must(world.CreateState(world.Counts{
		GameObjects: 150, Kinds: layout.Kinds(age, paint, gold, noble),
		Resources: []world.ResourceKind{table},
	}))
	for range seed % 2 * 130 { // the others are in another part of the objects
		var id world.GameObject
		c.s, id = world.Must2(world.CreateWith(c.s, age))
		c.objects = append(c.objects, id)
		c.now[value{age.Spec(), id}] = []byte{0, 0, 0, 0}
	}
	c.timeline = world.Must(timeline.New(c.s, timeline.Options{
		Step: c.step, InputBytes: 1, Frames: 1_000, Every: 1 + int(seed%9),
	}))
	t.Cleanup(c.timeline.Close)
	c.past = why.Past{Timeline: c.timeline, Jobs: c.jobs}
	return c
}

// TestWroteAgainstModel asks, after random lives, for the writes of values before random ticks.
func TestWroteAgainstModel(t *testing.T) {
	for seed := range uint64(12) {
		c := open(t, seed)
		for range 60 {
			c.day()
		}
		require.NoError(t, tool.Verify(c.s))
		for range 60 {
			v := value{dice.Spec(), world.Nobody}
			if f := c.random.IntN(4); f < 3 {
				v = value{fields[f].Spec(), c.objects[c.random.IntN(len(c.objects))]}
			}
			before := uint64(why.Now)
			if c.random.IntN(3) > 0 {
				before = c.random.Uint64N(world.Tick(c.s) + 2)
			}
			kept, err := c.timeline.KeptByTick(before - 1)
			if err == nil && kept > 0 { // the step before those that are searched is near
				_ = world.Must(c.timeline.At(kept - 1))
			}
			c.ask(v, before)
		}
	}
}

func (c *court) ask(v value, before uint64) {
	i := len(c.writes[v])
	for i > 0 && c.writes[v][i-1].Tick >= before {
		i--
	}
	got, err := c.past.Wrote(v.id, v.field, before)
	if i == 0 {
		require.ErrorIs(c, err, why.ErrUnwritten, "%v of %v before %d", v.field, v.id, before)
		return
	}
	require.NoError(c, err)
	reads := got.Reads
	require.Equal(c, got.Job != "", got.Source != "")
	got.Reads, got.Source = nil, ""
	require.Equal(c, c.writes[v][i-1], got, "%v before %d", got, before)
	require.Equal(c, slices.Contains([]string{"grow", "rest", "dry"}, got.Job), reads != nil)
}

// TestTheLastStepPanics: the present is the world before it.
func TestTheLastStepPanics(t *testing.T) {
	c := open(t, 0)
	c.timeline = world.Must(timeline.New(c.s, timeline.Options{
		Step: func(s world.State, input []byte) world.State {
			if input[0] == 77 {
				panic("the last one")
			}
			return c.step(s, input)
		}, InputBytes: 1, Frames: 100,
	}))
	defer c.timeline.Close()
	c.past.Timeline = c.timeline
	for range 20 {
		c.day()
	}
	require.NoError(t, c.timeline.Record(c.s, []byte{77}))
	for _, id := range c.objects {
		c.ask(value{gold.Spec(), id}, why.Now)
		c.ask(value{age.Spec(), id}, world.Tick(c.s)+1)
	}
}

// TestAWriteInWords is what people read.
func TestAWriteInWords(t *testing.T) {
	c := open(t, 0)
	c.random = rand.New(rand.NewPCG(7, 7))
	for range 30 {
		c.day()
	}
	w := world.Must(c.past.Wrote(c.having(age)[0], age, why.Now))
	assert.Regexp(t, `^tick \d+, frame 29, job "rest": age of object \w+: \d+ → \d+; reads age$`,
		w.String())
	assert.Regexp(t, `/why_test\.go:\d+$|/why_test\.\(.+\)\.\w+$`, w.Source)
	w.Job, w.Reads, w.Object, w.Before = "", nil, world.Nobody, nil
	assert.Regexp(t, `^tick \d+, frame 29, outside of jobs: age: none → \d+$`, w.String())

	_, err := c.past.Wrote(c.objects[0], age, 1)
	assert.EqualError(t, err, "why: age of object 0: not written in the frames that are kept: "+
		"0 to 29; keep more by timeline.New")
}

var (
	bag     = layout.NewList[uint16]("bag")
	packing = world.NewQuery(world.Write(bag))
)

// packers append to the first's list, write into all lists, and empty the second's.
func packers(first, second *world.GameObject) []schedule.Job {
	return []schedule.Job{
		{Name: "give", Do: func(s world.State) (world.State, error) {
			if n := uint16(world.Resource(s, dice)); n > 0 {
				return list.Append(s, *first, bag, n)
			}
			return s, nil
		}},
		{Name: "polish", Queries: []world.Query{packing}, Run: func(s world.State) world.State {
			more := uint16(100)
			if world.Resource(s, dice) != 0 {
				more = 0
			}
			for b := range packing.In(s) {
				lists := list.Column(b, bag)
				for i := range lists.Len() {
					for k := range lists.At(i) {
						lists.At(i)[k] += more
					}
				}
			}
			return s
		}},
		{Name: "last", Do: func(s world.State) (world.State, error) {
			if world.Resource(s, dice) == 9 {
				return list.Clear(s, *second, bag)
			}
			return s, nil
		}},
	}
}

// TestAWriteOfAnElementIsAWriteOfItsList searches for writes of lists: in place, in walks, by id.
func TestAWriteOfAnElementIsAWriteOfItsList(t *testing.T) {
	jobs := schedule.New(1)
	t.Cleanup(jobs.Close)
	var first, second world.GameObject
	require.NoError(t, jobs.Register(schedule.Pipeline{
		Name:   "day",
		Groups: []schedule.Group{{Name: "all", Elements: []string{"give", "polish", "last"}}},
		Jobs:   packers(&first, &second),
	}))
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 90, Kinds: layout.Kinds(bag), Resources: []world.ResourceKind{table},
	}))
	s, first = world.Must2(world.CreateWith(s, bag))
	s, second = world.Must2(world.CreateWith(s, bag))
	s = world.Must(list.Append(s, second, bag, 7))
	step := func(s world.State, input []byte) world.State {
		return world.Must(jobs.Run(world.SetResource(s, dice, input[0]), "day"))
	}
	past, err := timeline.New(s, timeline.Options{Step: step, InputBytes: 1, Frames: 100, Every: 4})
	require.NoError(t, err)
	t.Cleanup(past.Close)
	bags := [2][]uint16{{}, {7}} // the model
	var want [2][]string
	for frame, input := range []byte{1, 2, 0, 3, 9, 4, 4, 0, 0, 5} {
		require.NoError(t, past.Record(s, []byte{input}))
		s = step(s, []byte{input})
		wrote := func(of int, job string, now ...uint16) {
			want[of] = append(want[of], fmt.Sprintf("frame %d, %s, %v → %v", frame, job, bags[of], now))
			bags[of] = now
		}
		if input != 0 {
			wrote(0, "give", append(slices.Clone(bags[0]), uint16(input))...)
		}
		for of := range bags {
			now := slices.Clone(bags[of])
			for i := range now {
				if input == 0 {
					now[i] += 100
				}
			}
			wrote(of, "polish", now...)
		}
		if input == 9 {
			wrote(1, "last", []uint16{}...)
		}
	}
	p := why.Past{Timeline: past, Jobs: jobs}
	for of, id := range []world.GameObject{first, second} {
		var got []string
		before := uint64(why.Now)
		for range want[of] {
			w := world.Must(p.Wrote(id, bag, before))
			got = append(got, fmt.Sprintf("frame %d, %s, %s → %s", w.Frame, w.Job,
				tool.Text(bag.Spec(), w.Before), tool.Text(bag.Spec(), w.After)))
			before = w.Tick
		}
		slices.Reverse(got)
		assert.Equal(t, want[of], got)
		_, err := p.Wrote(id, bag, before)
		require.ErrorIs(t, err, why.ErrUnwritten)
	}
}

// TestAnEmptyListIsWrittenByItsCreation: and by its end, as the field beside it is.
func TestAnEmptyListIsWrittenByItsCreation(t *testing.T) {
	gold := layout.NewComponent[uint16]("gold")
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 8, Kinds: layout.Kinds(bag, gold),
	}))
	var id world.GameObject
	step := func(s world.State, _ []byte) world.State {
		s = world.Advance(s)
		switch world.Tick(s) {
		case 3:
			s, id = world.Must2(world.CreateWith(s, bag, gold))
		case 5:
			s = world.Must(world.Remove(world.Must(world.Remove(s, id, bag)), id, gold))
		case 7:
			s = world.Must(world.Add(world.Must(world.Add(s, id, bag)), id, gold))
		}
		return s
	}
	past := world.Must(timeline.New(s, timeline.Options{Step: step, Frames: 100, Every: 4}))
	t.Cleanup(past.Close)
	for range 10 {
		require.NoError(t, past.Record(s, nil))
		s = step(s, nil)
	}
	writes := func(f layout.AnyField) (all []string) {
		for before := uint64(why.Now); ; {
			w, err := why.Past{Timeline: past}.Wrote(id, f, before)
			if err != nil {
				require.ErrorIs(t, err, why.ErrUnwritten)
				return all
			}
			before = w.Tick
			all = append(all, fmt.Sprint(w.Tick, w.Before == nil, w.After == nil))
		}
	}
	assert.Equal(t, writes(gold), writes(bag))
	assert.Len(t, writes(bag), 3)
}
