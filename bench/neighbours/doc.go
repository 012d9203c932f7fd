// Command neighbours measures a system that looks at the neighbours of each object, written in
// several ways: 100,000 points on a plane, each of which adds up where the points around it are and
// where they go. All ways must come to the same sum.
//
//	go run ./neighbours                    # in bench
//	go run ./neighbours --rounds 50 --count 20000
//	go run ./neighbours --processes        # two workers, and two processes that share nothing
//	go run ./neighbours --nearest          # the nearest within 30, against a search over Near
//
//	flatecs              cells of package space, built in each frame; in their order, by Around
//	flatecs, 2 workers   the same, in parts
//	flatecs, by object   the same cells, by Near of each object
//	plain columns        slices of structs, with the same cells written by hand, in their order
//	plain, by object     the same, in the order of the points
//	Ark, cells           Ark's components, with those cells by hand, in their order
//	Ark, by object       the same, in the order of the entities
//	map grid             plain columns, with a map from cells to lists of indexes
//	Ark, map             Ark's components, with a map from cells to entities
//
// The ways take turns: a frame of each in every round. Figures are the least times of all rounds,
// by a clock on the wall, and medians of the ratios within each round.
package main
