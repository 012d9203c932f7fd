package inspect

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world/schedule"
)

// A millis is a time in milliseconds, to the tenth of a microsecond.
type millis float64

func inMillis(d time.Duration) millis { return millis(d) / millis(time.Millisecond) }

// MarshalJSON writes four digits after the point.
func (m millis) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(m), 'f', 4, 64), nil
}

func (m millis) seconds() float64 { return float64(m) / 1e3 }

// times records the durations of the last frames and of their jobs.
type times struct {
	mutex  sync.Mutex
	last   time.Duration // end of the previous frame
	begun  bool
	count  uint64             // frames so far
	frames ring               // from the end of a frame to the end of the next
	work   ring               // the part that jobs took
	spent  []ring             // per job
	jobs   []schedule.JobTime // at the end of the previous frame
	now    []schedule.JobTime
}

// A ring contains the last durations: frame n is at n modulo the length.
type ring []time.Duration

// addFrame adds a frame that ends now.
func (t *times) addFrame(now time.Duration, s *schedule.Schedule, pipeline string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if s != nil {
		t.now = s.AppendTimes(t.now[:0], pipeline)
	}
	same := func(x, y schedule.JobTime) bool { return x.Name == y.Name }
	if !slices.EqualFunc(t.now, t.jobs, same) {
		t.jobs, t.spent = slices.Clone(t.now), nil
		for range t.jobs {
			t.spent = append(t.spent, make(ring, len(t.frames)))
		}
	}
	if t.begun {
		t.record(now - t.last)
	}
	t.last, t.begun = now, true
	t.jobs, t.now = t.now, t.jobs
}

// record adds the duration of a frame.
func (t *times) record(took time.Duration) {
	at := t.count % uint64(len(t.frames))
	t.frames[at], t.work[at] = took, 0
	for n := range t.now {
		spent := t.now[n].Total - t.jobs[n].Total
		t.spent[n][at] = spent
		t.work[at] += spent
	}
	t.count++
}

// kept returns the durations in a ring, oldest first.
func (t *times) kept(r ring) (list []time.Duration) {
	for n := t.count - min(t.count, uint64(len(r))); n < t.count; n++ {
		list = append(list, r[n%uint64(len(r))])
	}
	return list
}

// perSecond returns the frame rate over the last frames.
func (t *times) perSecond() float64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var sum time.Duration
	n := 0
	for _, took := range slices.Backward(t.kept(t.frames)) {
		if sum >= time.Second {
			break
		}
		n++
		sum += took
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

// report answers with the times of frames and jobs; the histories begin after the frame since.
func (t *times) report(_ *view, q url.Values) (any, error) {
	since, err := strconv.ParseUint(q.Get("since"), 10, 64)
	if q.Get("since") != "" && err != nil {
		return nil, badRequest("since is %q; give a count of frames", q.Get("since"))
	}
	return t.since(since), nil
}

func (t *times) since(first uint64) *timesView {
	t.mutex.Lock()
	v := &timesView{Count: t.count, Window: len(t.frames), Jobs: []jobView{}}
	frames, work, jobs := t.kept(t.frames), t.kept(t.work), slices.Clone(t.jobs)
	var spent [][]time.Duration
	for _, r := range t.spent {
		spent = append(spent, t.kept(r))
	}
	t.mutex.Unlock()
	known := len(frames) - int(min(v.Count-min(first, v.Count), uint64(len(frames))))
	v.Interval, v.Work = timesAfter(frames, known), timesAfter(work, known)
	for n, j := range jobs {
		v.Jobs = append(v.Jobs,
			jobView{j.Name, j.Runs, inMillis(j.Total), timesAfter(spent[n], known)})
	}
	return v
}

// timesAfter summarizes durations, with a history of those that the client does not know.
func timesAfter(all []time.Duration, known int) (t timesOf) {
	t.History = []millis{}
	for _, d := range all[known:] {
		t.History = append(t.History, inMillis(d))
	}
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
