package deflate

import "slices"

// cut cuts tokens into blocks: neighbours are joined as long as two are smaller as one, always
// those that save most.
func (m *found) cut(tokens []token) []*block {
	list := m.units(tokens)
	joined := make([]*block, len(list)-1) // each with the next
	for i := range joined {
		joined[i] = join(list[i], list[i+1])
	}
	for {
		best := mostSaved(list, joined)
		if best < 0 {
			return list
		}
		list[best] = joined[best]
		list = slices.Delete(list, best+1, best+2)
		joined = slices.Delete(joined, best, best+1)
		for i := max(best-1, 0); i < min(best+1, len(joined)); i++ {
			joined[i] = join(list[i], list[i+1])
		}
	}
}

// units returns tokens as blocks of equally many, at least one.
func (m *found) units(tokens []token) (list []*block) {
	content := m.content
	for len(tokens) > 0 || len(list) == 0 {
		part := tokens[:min(len(tokens), unit)]
		n := 0
		for _, t := range part {
			n += t.span()
		}
		list = append(list, newBlock(content[:n], part))
		tokens, content = tokens[len(part):], content[n:]
	}
	return list
}

// mostSaved returns which joined blocks save most, or -1 where none saves anything.
func mostSaved(list, joined []*block) int {
	best, most := -1, -1
	for i, j := range joined {
		if saved := list[i].size + list[i+1].size - j.size; saved > most {
			best, most = i, saved
		}
	}
	return best
}

// join returns two blocks as one. Content and tokens of the second lie behind those of the first.
func join(a, b *block) *block {
	j := &block{
		content: a.content[:len(a.content)+len(b.content)],
		tokens:  a.tokens[:len(a.tokens)+len(b.tokens)],
		counts:  a.counts,
	}
	j.counts.add(&b.counts)
	j.size = j.plan().bits
	return j
}
