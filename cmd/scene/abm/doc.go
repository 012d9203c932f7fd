// Package abm is the models of JuliaDynamics/ABMFrameworksComparison, by its declarations:
// Schelling's segregation, wolves and sheep, a flock of birds, and a forest fire. Each is a struct
// of parameters with what a lab.Sweep asks for: counts, set-up, step and reporters.
//
//	parameters ──▶ Counts, Setup ──▶ resource in the world ──▶ Step, Step, Step …
//
// All of a model is in the world's bytes: agents are objects of one kind each, and the squares of
// a space objects of another, in order of rows. Steps read no clock, and use + − × ÷ √ alone.
//
// Models: [Schelling], [WolfSheep], [Flocking], [ForestFire]; each small and large, as declared. A
// file has one model; what they have in common, what they refuse and what is reported of them have
// files of their own.
//
// The models do not use the cells of package space: agents act in turn, in a random order, and see
// at once what others did, while cells are a copy from the beginning of the step. Lists from agent
// to agent lie in columns; birds are sorted by patch in each step, a patch being as wide as a bird
// sees. Grass stores the tick when it regrows, which is compared when a sheep comes by.
package abm
