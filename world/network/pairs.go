package network

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/world"
)

// Ring returns the pairs of n nodes in a ring, where each node is linked to the next near nodes. It
// panics unless 2·near < n ≤ 2²⁴ and there are at most 2²⁸ pairs.
func Ring(n, near int) []Pair {
	if near < 0 || n > 0 && near > (n-1)/2 {
		panic(fmt.Sprintf("network: a ring of %d nodes, each linked to the next %d; give more "+
			"than twice as many nodes", n, near))
	}
	checkSize(n, near)
	pairs := make([]Pair, 0, n*near)
	for i := range n {
		for d := 1; d <= near; d++ {
			pairs = append(pairs, Pair{i, (i + d) % n})
		}
	}
	return pairs
}

// Random returns each pair of n nodes with probability p; From is the lower index (P. Erdős and A.
// Rényi, 1959; E. N. Gilbert, 1959). It draws once per pair. It panics if n is negative or above
// 2²⁴, or p is not between 0 and 1.
func Random(n int, p float64, r *world.Stream) []Pair {
	checkRandom("Random", n, p)
	var pairs []Pair
	for i := range n {
		for j := i + 1; j < n; j++ {
			if r.Float64() < p {
				pairs = append(pairs, Pair{i, j})
			}
		}
	}
	return pairs
}

// SmallWorld returns a [Ring] in which the second node of each pair is replaced, with probability
// p, by a random node that is not linked to the first one (D. J. Watts and S. H. Strogatz,
// Collective dynamics of small-world networks, 1998). It panics like Ring and [Random].
func SmallWorld(n, near int, p float64, r *world.Stream) []Pair {
	checkRandom("SmallWorld", n, p)
	pairs := Ring(n, near)
	linked := map[Pair]bool{} // in both directions
	for _, l := range pairs {
		linked[l], linked[Pair{l.To, l.From}] = true, true
	}
	degree := make([]int, n)
	for i := range degree {
		degree[i] = 2 * near
	}
	for i, l := range pairs {
		if r.Float64() >= p || degree[l.From] == n-1 {
			continue
		}
		to := r.IntN(n)
		for to == l.From || linked[Pair{l.From, to}] {
			to = r.IntN(n)
		}
		delete(linked, l)
		delete(linked, Pair{l.To, l.From})
		pairs[i].To = to
		linked[pairs[i]], linked[Pair{to, l.From}] = true, true
		degree[l.To]--
		degree[to]++
	}
	return pairs
}

// Preferential returns the pairs of a network that grows node by node: each new node is linked to
// the given number of others, chosen with a probability proportional to the links they already
// have. The first links+1 nodes are all linked to each other (A.-L. Barabási and R. Albert,
// Emergence of scaling in random networks, 1999). It panics unless 1 ≤ links < n, n ≤ 2²⁴, and
// there are at most 2²⁸ pairs.
func Preferential(n, links int, r *world.Stream) []Pair {
	if links < 1 || n <= links {
		panic(fmt.Sprintf("network: %d nodes, each linked to %d others; give 1 or more, and more "+
			"nodes than that", n, links))
	}
	checkSize(n, links)
	var pairs []Pair
	var ends []int // of all links: each node occurs once per link
	link := func(from, to int) {
		pairs, ends = append(pairs, Pair{from, to}), append(ends, from, to)
	}
	for i := range links + 1 {
		for j := range i {
			link(i, j)
		}
	}
	for i := links + 1; i < n; i++ {
		before, first := len(ends), len(pairs)
		for len(pairs)-first < links {
			to := ends[r.IntN(before)]
			if !slices.ContainsFunc(pairs[first:], func(p Pair) bool { return p.To == to }) {
				link(i, to)
			}
		}
	}
	return pairs
}

func checkRandom(name string, n int, p float64) {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Sprintf("network: %s with probability %v; give 0 to 1", name, p))
	}
	checkSize(n, 1)
}

const (
	maxNodes = 1 << 24
	maxPairs = 1 << 28 // 4 GB of memory
)

// checkSize panics if a network of n nodes, each with so many links, would be too large.
func checkSize(n, links int) {
	if n < 0 || n > maxNodes || links > maxPairs/max(n, 1) {
		panic(fmt.Sprintf("network: %d nodes with %d links each; give 0 to %d nodes, and at most "+
			"%d links in all", n, links, maxNodes, maxPairs))
	}
}
