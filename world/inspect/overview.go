package inspect

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// A millis is a time in milliseconds, to the tenth of a microsecond.
type millis float64

func inMillis(d time.Duration) millis { return millis(d) / millis(time.Millisecond) }

// MarshalJSON keeps four digits after the point.
func (m millis) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(m), 'f', 4, 64), nil
}

type overview struct {
	Title     string  `json:"title"`
	Frame     uint64  `json:"frame"`
	Tick      uint64  `json:"tick"`
	AgeMs     millis  `json:"ageMs"`
	Still     bool    `json:"still"`
	FPS       float64 `json:"fps"`
	Objects   amount  `json:"objects"`
	Bytes     volume  `json:"bytes"`
	Kinds     used    `json:"kinds"`
	Watchers  int     `json:"watchers"`
	Refused   refused `json:"refused"`
	Names     bool    `json:"names"`
	Inspector upkeep  `json:"inspector"`
}

type amount struct {
	Alive    int `json:"alive"`
	Peak     int `json:"peak"`
	Capacity int `json:"capacity"`
}

type volume struct {
	Allocated int `json:"allocated"`
	Used      int `json:"used"`

	Idle bool `json:"idle,omitempty"` // nearly nothing of much room was ever used
}

// much is how many bytes of addresses are worth a word where nearly none were used.
const much = 4 << 20

type refused struct {
	Commands uint64 `json:"commands"`
	Objects  uint64 `json:"objects"`
}

type used struct {
	Used  int `json:"used"`
	Total int `json:"total"`
}

type upkeep struct {
	Rate    int    `json:"rate"`
	CopyMs  millis `json:"copyMs"`
	Skipped uint64 `json:"skipped"`
}

// overview answers with the world at a glance.
func (i *Inspector) overview(v *view, _ url.Values) (any, error) {
	v.know()
	now := i.options.Clock()
	still := i.still(now)
	o := overview{
		Title: i.options.Title, Frame: v.number, Tick: v.tick,
		AgeMs: inMillis(max(now-v.at, 0)), Still: still,
		Bytes:    volume{Allocated: len(world.Bytes(v.state)), Used: v.usedBytes()},
		Watchers: len(tool.WatcherUses(v.state)),
		Objects: amount{
			world.Len(v.state), tool.MaxUID(v.state), tool.Capacity(v.state),
		},
		Inspector: upkeep{
			i.options.Rate, inMillis(time.Duration(i.copied.Load())), i.skipped.Load(),
		},
	}
	o.Bytes.Idle = o.Bytes.Allocated > much && o.Bytes.Used < o.Bytes.Allocated/100
	for n := range v.kinds {
		if k := &v.kinds[n]; k.inUse() {
			o.Kinds.Used++
		}
	}
	commands, full := i.refusals.now()
	o.Refused = refused{commands, full[objectsKind]}
	_, o.Names = v.names[world.NameKind.String()]
	o.Kinds.Total = len(v.kinds)
	if !still {
		o.FPS = i.times.perSecond()
	}
	return o, nil
}

// usedBytes returns how many bytes of the world were ever used.
func (v *view) usedBytes() (n int) {
	for _, p := range tool.Parts(v.state) {
		n += len(tool.Used(v.state, &p))
	}
	return n
}

// perSecond returns how many frames there were a second, over the last ones.
func (t *times) perSecond() float64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	r := &t.rings
	var sum time.Duration
	n := uint64(0)
	for n < r.kept() && sum < time.Second {
		n++
		sum += r.frames[(r.count-n)%uint64(len(r.frames))]
	}
	if sum <= 0 {
		return 0
	}
	return math.Round(10*float64(n)/sum.Seconds()) / 10
}

type timesView struct {
	Count    uint64    `json:"count"`
	Window   int       `json:"window"`
	Interval timesOf   `json:"interval"`
	Work     timesOf   `json:"work"`
	Jobs     []jobView `json:"jobs"`
}

func (v *timesView) counted() uint64 { return v.Count }

type timesOf struct {
	LastMs  millis   `json:"lastMs"`
	MeanMs  millis   `json:"meanMs"`
	P50Ms   millis   `json:"p50Ms"`
	P95Ms   millis   `json:"p95Ms"`
	P99Ms   millis   `json:"p99Ms"`
	MaxMs   millis   `json:"maxMs"`
	History []millis `json:"historyMs"`
}

type jobView struct {
	Name    string `json:"name"`
	Runs    int    `json:"runs"`
	TotalMs millis `json:"totalMs"`
	timesOf
}

// timesSince answers with the times of frames and jobs; the histories begin after the frame since.
func (i *Inspector) timesSince(_ *view, q url.Values) (any, error) {
	since, err := strconv.ParseUint(q.Get("since"), 10, 64)
	if q.Get("since") != "" && err != nil {
		return nil, badRequest("since is %q; give a count of frames", q.Get("since"))
	}
	return i.times.since(since), nil
}

func (t *times) since(first uint64) *timesView {
	r, jobs := t.copyOf()
	v := &timesView{
		Count: r.count, Window: len(r.frames), Jobs: []jobView{},
		Interval: r.of(r.frames, first), Work: r.of(r.work, first),
	}
	for n, j := range jobs {
		if n < len(r.jobs) {
			v.Jobs = append(v.Jobs,
				jobView{j.Name, j.Runs, inMillis(j.Total), r.of(r.jobs[n], first)})
		}
	}
	return v
}

// of sums one ring up.
func (r *rings) of(from ring, first uint64) (t timesOf) {
	t.History = []millis{}
	for _, d := range r.after(nil, from, first) {
		t.History = append(t.History, inMillis(d))
	}
	all := r.after(nil, from, 0)
	if len(all) == 0 {
		return t
	}
	t.LastMs = inMillis(all[len(all)-1])
	var sum time.Duration
	for _, d := range all {
		sum += d
	}
	t.MeanMs = inMillis(sum) / millis(len(all))
	slices.Sort(all)
	at := func(share float64) millis { return inMillis(all[int(share*float64(len(all)-1))]) }
	t.P50Ms, t.P95Ms, t.P99Ms, t.MaxMs = at(.50), at(.95), at(.99), at(1)
	return t
}

type watcherView struct {
	Number  int    `json:"number"`
	Rules   string `json:"rules"`
	Members int    `json:"members"`
	Left    int    `json:"left"`
	Entered int    `json:"entered"`
}

// watchers answers with the groups that the world watches.
func (*Inspector) watchers(v *view, _ url.Values) (any, error) {
	list := []watcherView{}
	for n, w := range tool.WatcherUses(v.state) {
		list = append(list, watcherView{n, w.Rules, w.Members, w.Left, w.Entered})
	}
	return map[string]any{"frame": v.number, "watchers": list}, nil
}

// A ring holds the last times of something, one per frame.
type ring []time.Duration

// times are how long the last frames and their jobs took.
type times struct {
	mutex sync.Mutex
	last  time.Duration // when the frame before ended
	begun bool
	rings rings
	jobs  []schedule.JobTime // at the end of the frame before
	now   []schedule.JobTime
}

// rings are times of the same frames: that of frame n is at n modulo their length.
type rings struct {
	count  uint64 // frames so far
	frames ring   // from the end of a frame to that of the next
	work   ring   // of them, what jobs took
	jobs   []ring
}

// note adds a frame that has ended now.
func (t *times) note(now time.Duration, s *schedule.Schedule, pipeline string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if s != nil {
		t.now = s.AppendTimes(t.now[:0], pipeline)
	}
	if !sameJobs(t.now, t.jobs) {
		t.jobs = slices.Clone(t.now)
		t.rings.jobs = nil
		for range t.jobs {
			t.rings.jobs = append(t.rings.jobs, make(ring, len(t.rings.frames)))
		}
	}
	if t.begun {
		t.add(now - t.last)
	}
	t.last, t.begun = now, true
	t.jobs, t.now = t.now, t.jobs
}

func sameJobs(a, b []schedule.JobTime) bool {
	return slices.EqualFunc(a, b, func(x, y schedule.JobTime) bool { return x.Name == y.Name })
}

// add notes what a frame took.
func (t *times) add(took time.Duration) {
	r := &t.rings
	at := r.count % uint64(len(r.frames))
	r.frames[at], r.work[at] = took, 0
	for n := range t.now {
		spent := t.now[n].Total - t.jobs[n].Total
		r.jobs[n][at] = spent
		r.work[at] += spent
	}
	r.count++
}

// after appends the times of the frames from number first on, the oldest first.
func (r *rings) after(dst []time.Duration, from ring, first uint64) []time.Duration {
	for n := max(first, r.count-r.kept()); n < r.count; n++ {
		dst = append(dst, from[n%uint64(len(from))])
	}
	return dst
}

// kept returns how many frames the rings hold.
func (r *rings) kept() uint64 { return min(r.count, uint64(len(r.frames))) }

// copyOf returns the times so far, in memory of its own.
func (t *times) copyOf() (r rings, jobs []schedule.JobTime) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	r = rings{t.rings.count, slices.Clone(t.rings.frames), slices.Clone(t.rings.work), nil}
	for _, j := range t.rings.jobs {
		r.jobs = append(r.jobs, slices.Clone(j))
	}
	return r, slices.Clone(t.jobs)
}
