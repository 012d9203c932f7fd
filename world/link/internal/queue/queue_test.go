package queue_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/world/link/internal/queue"
)

// A queue does what a list of datagrams does that drops its first ones.
func TestQueueAgainstAList(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		size := 1 + r.IntN(60)
		q := queue.New(size)
		var list [][]byte
		used := 0
		for range 200 {
			if r.IntN(2) == 0 {
				d := bytes.Repeat([]byte{byte(r.IntN(256))}, r.IntN(30))
				lost := 0
				if len(d)+2 > size {
					lost = 1
				} else {
					for ; used+len(d)+2 > size; lost++ {
						used -= len(list[0]) + 2
						list = list[1:]
					}
					list, used = append(list, d), used+len(d)+2
				}
				assert.Equal(t, lost, q.Put(d))
				continue
			}
			d, ok := q.Take(nil)
			assert.Equal(t, len(list) > 0, ok)
			if ok {
				assert.Equal(t, list[0], append([]byte{}, d...))
				used -= len(d) + 2
				list = list[1:]
			}
		}
	}
}

func TestAllocsQueue(t *testing.T) {
	q, d, out := queue.New(100), make([]byte, 30), make([]byte, 0, 30)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		q.Put(d)
		q.Take(out)
	}))
}
