// Package abm contains the models of JuliaDynamics/ABMFrameworksComparison, as declared there:
// Schelling's segregation, wolves and sheep, a flock of birds, and a forest fire. Each is a struct
// of parameters with the functions that a lab.Sweep needs: counts, set-up, step and reporters.
//
//	parameters ──▶ Counts, Setup ──▶ resource in the world ──▶ Step, Step, Step …
//
// The whole state of a model is in the world's bytes: agents are objects of one kind each, and the
// squares of a space are objects of another kind, in the order of rows. Steps read no clock, and
// use only + − × ÷ √.
//
// Models: [Schelling], [WolfSheep], [Flocking], [ForestFire]; each in two declared sizes, small and
// large. Each model has a file; common code, checks of parameters and reporters have files of their
// own.
//
// The models do not use the cells of package space: agents act in turn, in random order, and see
// earlier changes of the same step, while cells are a copy from the beginning of the step. Linked
// lists of agents lie in columns; birds are sorted by patch in each step, a patch being as wide as
// a bird sees. Grass stores the tick when it regrows, which is compared when a sheep arrives.
package abm
