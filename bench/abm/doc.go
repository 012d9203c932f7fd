// Command abm measures the models of JuliaDynamics/ABMFrameworksComparison in flatecs, in Ark and
// in plain Go: a run of each size with each seed, creation included, in turn.
//
//	seed 1: Schelling small, flatecs ─▶ Ark ─▶ plain ─▶ Schelling large, flatecs ─▶ …
//	seed 2: …                                    medians of all seeds, and of their ratios
//
// The models of flatecs are those of cmd/scene/abm. Those of Ark follow the comparison's programs
// for Ark.jl line by line, written anew in Go for github.com/mlange-42/ark, whose world they make
// anew for each run, as there. Of ForestFire, which the comparison had in 2023, there is none for
// Ark.jl; it follows the one for Agents.jl.
//
// The programs in plain Go keep agents in slices of structs, and follow the declarations.
//
// With a class path of MASON's jar and the comparison's compiled programs for it, which are not
// here, those run too, 100 steps for each seed in one process. Their Schelling is left out: its
// agents never move on the grid.
//
// Times are kept in a file after each seed, and go on from it with --resume.
//
//	go run ./bench/abm --seeds 100
//	go run ./bench/abm --resume --out DIR     the rest, and a chart, DIR/models.svg
//	go run ./bench/abm --mason mason.22.jar:WolfSheep/Mason:Flocking/Mason
package main
