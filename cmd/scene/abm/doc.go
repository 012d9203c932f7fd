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
package abm
