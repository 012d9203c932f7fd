// Command abm measures the models of JuliaDynamics/ABMFrameworksComparison in flatecs and in Ark:
// a run of each size with each seed, creation included, in turn.
//
//	seed 1: Schelling small, flatecs ─▶ Ark ─▶ Schelling large, flatecs ─▶ Ark ─▶ …
//	seed 2: …                                    medians of all seeds, and of their ratios
//
// The models of flatecs are those of cmd/scene/abm. Those of Ark follow the comparison's programs
// for Ark.jl line by line, written anew in Go for github.com/mlange-42/ark, whose world they make
// anew for each run, as there. Of ForestFire, which the comparison had in 2023, there is none for
// Ark.jl; it follows the one for Agents.jl.
//
//	go run ./bench/abm --seeds 100
package main
