package kernel

import (
	"fmt"
	"testing"
)

// The assembly against its twin, as ratios of medians, from the root:
//
//	go test -run=- -bench=Kernels -count=10 ./buffer/kernel > /tmp/kernels.out
//	GOWORK=off go -C cmd/tools tool benchstat -col /by /tmp/kernels.out
func BenchmarkKernels(b *testing.B) {
	for _, s := range subjects {
		s.benchmark(b)
	}
	for _, s := range subjects64 {
		s.benchmark(b)
	}
}

func (s subject[F]) benchmark(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		dst, from := make([]F, s.lanes*n), make([][]F, s.others)
		for i := range from {
			from[i] = make([]F, n)
			for j := range from[i] {
				from[i][j] = F((j*7919 + i*104729) % 20) // which is smaller cannot be guessed
			}
		}
		for _, by := range []struct {
			name string
			call call[F]
		}{{"Go", s.twin}, {"kernel", s.run}} {
			b.Run(fmt.Sprintf("%s/n=%d/by=%s", s.name, n, by.name), func(b *testing.B) {
				for b.Loop() {
					by.call(dst, from, 1, 2)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/component")
			})
		}
	}
}
