package gif

import (
	"cmp"
	"image/color"
	"slices"
)

// A shade is a colour and its weight.
type shade struct {
	rgb    [3]uint8
	weight int
}

// A box is a set of shades that share a colour of the palette.
type box []shade

// cut divides a box into at most most boxes: repeatedly the heaviest one with two shades, at the
// median of the channel in which its shades differ most.
func cut(all box, most int) []box {
	boxes := []box{all}
	for len(boxes) < most {
		heaviest, weight := -1, 0
		for i, b := range boxes {
			if w := b.weight(); w > weight && len(b) > 1 {
				heaviest, weight = i, w
			}
		}
		if heaviest < 0 {
			break
		}
		b := boxes[heaviest]
		at := b.sortToMedian()
		boxes[heaviest] = b[:at]
		boxes = append(boxes, b[at:])
	}
	return boxes
}

func (b box) weight() (sum int) {
	for _, s := range b {
		sum += s.weight
	}
	return sum
}

// widest returns the channel in which the shades differ most; on ties green comes first.
func (b box) widest() (channel int) {
	most := -1
	for _, c := range []int{1, 0, 2} {
		low, high := 255, 0
		for _, s := range b {
			low, high = min(low, int(s.rgb[c])), max(high, int(s.rgb[c]))
		}
		if high-low > most {
			channel, most = c, high-low
		}
	}
	return channel
}

// sortToMedian sorts the shades, and returns the index that divides them nearest to half of their
// weight. Shades with equal values stay together.
func (b box) sortToMedian() int {
	channel := b.widest()
	slices.SortFunc(b, func(s, t shade) int { return cmp.Compare(s.rgb[channel], t.rgb[channel]) })
	for all, below, end := b.weight(), 0, 0; ; {
		first, upTo := end, below
		for ; end < len(b) && b[end].rgb[channel] == b[first].rgb[channel]; end++ {
			upTo += b[end].weight
		}
		switch {
		case upTo <= all/2:
			below = upTo
		case end == len(b) || below == all/2 || below > all-upTo:
			return first
		default:
			return end
		}
	}
}

// mean returns the colour for the shades.
func (b box) mean() color.RGBA {
	var sum [3]int
	for _, s := range b {
		for i, v := range s.rgb {
			sum[i] += int(v) * s.weight
		}
	}
	n := max(b.weight(), 1)
	for i := range sum {
		sum[i] = sum[i] * 257 / n >> 8
	}
	return color.RGBA{uint8(sum[0]), uint8(sum[1]), uint8(sum[2]), 255}
}
