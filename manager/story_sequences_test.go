package manager

import (
	"math"
	"slices"
	"testing"
)

// deeds are operations on three objects, of which all sequences are carried out.
func (s *story) deeds() (list []func()) {
	for _, id := range slices.Clone(s.ids) {
		for _, do := range []func(){
			func() { s.add(id, two) }, func() { s.drop(id, two) }, func() { s.suspend(id, two) },
			func() { s.add(id, scarce) }, func() { s.mount(id, scarce) },
			func() { s.dropAll(id) }, func() { s.dispose(id) },
		} {
			list = append(list, func() {
				if s.live[id] != nil {
					do()
				}
			})
		}
	}
	return append(
		list, s.create, s.copied, func() { s.spawn(1, true) }, func() { s.loosen(scarce) },
		func() { s.addBlock(two, 0, 5) }, func() { s.dropBlock(two, 0, 3, true) },
		func() { s.disposeBlock(0, s.a.Objects.Words()[0]&6) },
	)
}

// TestEverySequenceOfStories carries out all sequences of a few operations.
func TestEverySequenceOfStories(t *testing.T) {
	length := 3
	if testing.Short() {
		length = 2
	}
	for _, of := range []shape{
		{objects: 70, alive: 3, watched: true}, {objects: 70, alive: 3, byBlock: 1<<0 | 1<<two},
	} {
		s := newStory(t, 1, of)
		blank, deeds := newStory(t, 1, shape{of.objects, 0, of.byBlock, of.more, of.watched}), s.deeds()
		for sequence := range int(math.Pow(float64(len(deeds)), float64(length))) {
			for rest, i := sequence, 0; i < length; i++ {
				deeds[rest%len(deeds)]()
				rest /= len(deeds)
			}
			s.compare()
			s.check()
			s.a.CopyFrom(blank.a, 0)
			s.by.CopyFrom(blank.a, 0)
			s.begin()
		}
		s.close()
		blank.close()
	}
}
