package render

import (
	"sort"
)

// A Mark is a sprite or a text in a [Queue].
type Mark struct {
	Sprite Sprite // if Text.Text is empty
	Text   Text
	z      int
}

// A Queue stores a frame's sprites and texts, and sorts them for drawing.
type Queue struct {
	marks  []Mark
	sorted bool
}

// Reset empties the queue and keeps its capacity.
func (q *Queue) Reset() { q.marks, q.sorted = q.marks[:0], true }

// Sprite adds a sprite.
func (q *Queue) Sprite(s Sprite) { q.add(Mark{Sprite: s, z: s.Z}) }

// Text adds a text; an empty one draws nothing.
func (q *Queue) Text(t Text) {
	if t.Text != "" {
		q.add(Mark{Text: t, z: t.Z})
	}
}

func (q *Queue) add(m Mark) {
	q.sorted = q.sorted && (len(q.marks) == 0 || q.marks[len(q.marks)-1].z <= m.z)
	q.marks = append(q.marks, m)
}

// Marks returns all marks by ascending Z; equal Z in the order of addition. The slice is valid
// until the next call.
func (q *Queue) Marks() []Mark {
	if !q.sorted {
		sort.Stable((*byZ)(&q.marks))
		q.sorted = true
	}
	return q.marks
}

// byZ sorts marks. Package sort's code exists once, whereas package slices generates code per type,
// which pages would have to load.
type byZ []Mark

func (m *byZ) Len() int           { return len(*m) }
func (m *byZ) Less(i, k int) bool { return (*m)[i].z < (*m)[k].z }
func (m *byZ) Swap(i, k int)      { (*m)[i], (*m)[k] = (*m)[k], (*m)[i] }
