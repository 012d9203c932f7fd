package main

import "testing"

// BenchmarkContests is a run of each model with another seed each time, in each program.
func BenchmarkContests(b *testing.B) {
	for _, c := range contests {
		for name, run := range map[string]func(uint64) []float64{
			"flatecs": c.flatecs, "ark": c.ark, "plain": c.plain,
		} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				for seed := uint64(1); b.Loop(); seed++ {
					run(seed)
				}
			})
		}
	}
}
