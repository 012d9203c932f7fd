package inspect

import (
	"slices"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world/schedule"
)

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

func newRings(window int) rings {
	return rings{frames: make(ring, window), work: make(ring, window)}
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
