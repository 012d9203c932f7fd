package deflate

import "slices"

// newCode returns the code that is shortest for how often each symbol is used, of at most limit
// bits. It has at least two symbols, as some readers want it to, the first ones where fewer are
// used.
//
// Larmore and Hirschberg, A fast algorithm for optimal length-limited Huffman codes, 1990: the
// coins of each width are the symbols, and the pairs of coins of half the width.
func newCode(counts []uint32, limit int) code {
	const most = 2 * symbols
	leaves := sorted(counts)
	var isLeaf [15][most]bool
	var coins, pairs [most]uint32
	n := merge(coins[:], isLeaf[0][:], leaves, nil)
	for level := 1; level < limit; level++ {
		half := n / 2
		for i := range half {
			pairs[i] = coins[2*i] + coins[2*i+1]
		}
		n = merge(coins[:], isLeaf[level][:], leaves, pairs[:half])
	}
	c := make(code, len(counts))
	take := 2*len(leaves) - 2
	for level := limit - 1; level >= 0; level-- {
		used := 0
		for _, leaf := range isLeaf[level][:take] {
			if leaf {
				c[leaves[used]%symbolRange]++
				used++
			}
		}
		take = 2 * (take - used)
	}
	return c
}

// symbolRange is more than there are symbols.
const symbolRange = 512

// sorted returns the symbols that are used, as count × symbolRange + symbol, in order.
func sorted(counts []uint32) []uint32 {
	list := make([]uint32, 0, len(counts))
	for symbol, n := range counts {
		if n > 0 {
			list = append(list, n*symbolRange+uint32(symbol))
		}
	}
	for symbol := uint32(0); len(list) < 2; symbol++ {
		if counts[symbol] == 0 {
			list = append(list, symbolRange+symbol)
		}
	}
	slices.Sort(list)
	return list
}

// merge writes the weights of leaves and pairs in order, and which are leaves. It returns how many
// they are.
func merge(dst []uint32, isLeaf []bool, leaves, pairs []uint32) int {
	n := len(leaves) + len(pairs)
	for i := range n {
		leaf := len(pairs) == 0 || len(leaves) > 0 && leaves[0]/symbolRange <= pairs[0]
		isLeaf[i] = leaf
		if leaf {
			dst[i], leaves = leaves[0]/symbolRange, leaves[1:]
		} else {
			dst[i], pairs = pairs[0], pairs[1:]
		}
	}
	return n
}
