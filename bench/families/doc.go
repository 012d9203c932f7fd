// Package families has tests alone: positions of trees derived from parents to children, by this
// library and by Ark in two ways. Benchmarks run them in turn and report the ratio of the least
// times, which says more than times on a busy machine:
//
//	cd bench && go test -run xxx -bench Trees -benchtime 20x ./families
package families
