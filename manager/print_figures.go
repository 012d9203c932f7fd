package manager

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// figuresOf returns the figures of a record, by the names of its fields.
func figuresOf[T any](tell map[string]telling) (figures []figure) {
	record := reflect.TypeFor[T]()
	for f := range record.Fields() {
		name := cmp.Or(f.Tag.Get("name"), f.Name)
		one := figure{name: name, at: int(f.Offset), size: int(f.Type.Size()), tell: tell[name]}
		if one.name == "_" {
			one.name = "unused"
		}
		figures = append(figures, one)
	}
	return figures
}

// text returns the figure's value in a unit in words.
func (f *figure) text(unit []byte, u int) string {
	var b [8]byte
	copy(b[:], unit[f.at:f.at+f.size])
	v := binary.LittleEndian.Uint64(b[:])
	if f.tell == nil {
		return fmt.Sprint(v)
	}
	return f.tell(v, u)
}

// sheet returns what p is made of.
func (a *Arena) sheet(p *Part) sheet {
	switch {
	case p.Field != nil:
		return a.columnSheet(p)
	case p.Kind != nil:
		return a.kindSheet(p)
	case p.Owner == "world":
		return a.worldSheet(p)
	case p.Owner == "game objects":
		return a.objectSheet(p)
	}
	return watcherSheet(p)
}

// plain returns the sheet of a part whose units are one figure each.
func plain(unit int, tell telling) sheet {
	return sheet{unit: unit, figures: []figure{{size: unit, tell: tell}}}
}

// ofBits returns the sheet of records of sets: those figures whose names are given, or all.
func ofBits(unit int, figures []figure, names ...string) sheet {
	for i := range figures {
		if f := &figures[i]; len(names) == 0 || slices.Contains(names, f.name) {
			f.tell, f.bits = inWord, true
		}
	}
	return sheet{unit: unit, figures: figures}
}

func (a *Arena) worldSheet(p *Part) sheet {
	switch p.Name {
	case "tick":
		return plain(8, nil)
	case "settled":
		return ofBits(8, []figure{{size: 8}})
	}
	s := plain(8, func(v uint64, u int) string { // kinds per block
		var names []string
		for x := v; x != 0; x &= x - 1 {
			name, i := "no kind", u%a.Words<<6+bits.TrailingZeros64(x)
			if i < len(a.Managers) {
				name = layout.Quoted(a.Managers[i].Kind.Name)
			}
			names = append(names, name)
		}
		return "{" + strings.Join(names, ", ") + "}"
	})
	switch {
	case p.per == perEight:
		s.one = func(u int) string {
			return "objects " + strings.Trim(span(u/a.Words<<3, u/a.Words<<3+7), "[]")
		}
	case a.Words > 1:
		s.one = func(u int) string { return fmt.Sprint("block ", u/a.Words) }
	}
	return s
}

func (a *Arena) objectSheet(p *Part) sheet {
	switch p.Name {
	case "counters":
		return sheet{unit: p.Unit, figures: figuresOf[gameobject.Counters](map[string]telling{
			"Free": nth("index"), "Last": nth("index"),
		})}
	case "generations":
		s := plain(4, func(v uint64, u int) string {
			if u>>6 < len(a.Objects.Words()) && a.Objects.Words()[u>>6]>>(u&63)&1 != 0 {
				return fmt.Sprint(v)
			}
			return fmt.Sprintf("%d, of the next", v)
		})
		s.apart = true
		return s
	case "next":
		s := plain(4, func(v uint64, u int) string {
			if u>>6 < len(a.Objects.Words()) && a.Objects.Words()[u>>6]>>(u&63)&1 != 0 {
				if v == 0 {
					return "counts for no recipe"
				}
				return fmt.Sprint("counts for recipe ", v-1)
			}
			return nth("index")(v, u)
		})
		s.apart = true
		return s
	case "alive":
		return ofBits(8, []figure{{size: 8}})
	case "owners":
		return plain(2, func(v uint64, _ int) string {
			if v == 0 {
				return "loose"
			}
			return fmt.Sprint("recipe ", v-1)
		})
	case "room":
		words := max(len(a.Objects.Room)/max(a.sizes.Pools, 1), 1)
		s := plain(8, func(v uint64, u int) string { return setText(v, u%words<<6) })
		s.one = func(u int) string { return fmt.Sprint("recipe ", u/words) }
		return s
	}
	if p.Name == "groups" {
		return ofBits(p.Unit, figuresOf[gameobject.Group](nil))
	}
	return sheet{unit: p.Unit, figures: figuresOf[gameobject.Pool](nil)} // recipes
}

// kindSheet is sheet for the region of a kind, columns aside.
func (a *Arena) kindSheet(p *Part) sheet {
	m := &a.Managers[p.Place]
	row := nth("row")
	switch p.Name {
	case "counters":
		return sheet{unit: p.Unit, figures: figuresOf[counters](map[string]telling{"Free": row})}
	case "bases":
		return plain(4, signed)
	case "objects":
		s := plain(4, m.objectText)
		s.apart = true
		return s
	case "links":
		return plain(4, row)
	case "changed":
		return plain(8, func(v uint64, _ int) string { return fmt.Sprint("tick ", v) })
	case "homes":
		return plain(4, func(v uint64, row int) string {
			if v == 0 {
				return "none"
			}
			return signed(v-1, row)
		})
	case "mounted":
		return ofBits(8, []figure{{size: 8}})
	case "blocks":
		figures := figuresOf[Block](map[string]telling{
			"Base": signed, "Page": m.pageText,
		})
		return ofBits(p.Unit, figures, "Present", "Odd", "Suspended")
	case "pages of 4":
		return m.pageSheet(ofFour)
	case "pages of 16":
		return m.pageSheet(of16)
	case "pages of 64":
		return m.pageSheet(ofPlaces)
	case "groups":
		return ofBits(p.Unit, figuresOf[Group](nil))
	case "keys":
		return sheet{unit: p.Unit, figures: figuresOf[keyCounters](nil)}
	case "slots":
		return plain(4, row)
	}
	return sheet{unit: p.Unit, figures: figuresOf[pageCounters](map[string]telling{
		"Free": nth("page"),
	}), one: func(u int) string { return fmt.Sprint("of ", rowsOfPage[u], " rows") }}
}

func watcherSheet(p *Part) sheet {
	switch p.Name {
	case "record":
		return sheet{unit: p.Unit, figures: figuresOf[watchRecord](nil)}
	case "blocks":
		return ofBits(p.Unit, figuresOf[watchBlock](nil))
	case "touched", "reported":
		return ofBits(8, []figure{{size: 8}})
	case "count":
		return sheet{unit: p.Unit, figures: figuresOf[watchCount](nil)}
	}
	return plain(4, nil) // generations
}

// columnSheet is sheet for a column: a unit is a row.
func (a *Arena) columnSheet(p *Part) sheet {
	m := &a.Managers[p.Place]
	return sheet{unit: p.Unit, one: func(u int) string {
		use, object := m.Use(layout.Row(u))
		if use == RowMounted {
			return fmt.Sprint("object ", object)
		}
		return use.String()
	}}
}

// pageSheet is sheet for the pages of a size, entry by entry.
func (m *Manager) pageSheet(size uint32) sheet {
	owners, rows := map[uint32]uint32{}, rowsOfPage[size] // block of each page
	for k := range min((m.Objects.Count.High+63)/64, uint32(len(m.Blocks))) {
		if b := &m.Blocks[k]; b.Odd != 0 && b.Page&sizeMask == size {
			owners[b.Page>>sizeBits] = k
		}
	}
	s := plain(4, func(v uint64, u int) string {
		k, owned := owners[uint32(u/rows)]
		if !owned && u%rows == 0 {
			return nth("page")(v, u)
		}
		if owned {
			if i, ok := m.entry(&m.Blocks[k], u%rows); ok {
				return fmt.Sprintf("row %d of object %d", v, k<<6+i)
			}
		}
		return fmt.Sprintf("%d, left over", v)
	})
	s.apart = true
	return s
}

// pageText tells what Page is of a block.
func (m *Manager) pageText(v uint64, k int) string {
	if v == 0 && m.Blocks[k].Odd == 0 {
		return "none"
	}
	return pageName(uint32(v))
}

// entry returns which odd object of a block has the n-th entry of its page, if any.
func (m *Manager) entry(b *Block, n int) (i uint32, ok bool) {
	if b.Page&sizeMask == ofPlaces {
		return uint32(n), b.Odd>>n&1 != 0
	}
	x := b.Odd
	for ; n > 0; n-- {
		x &= x - 1
	}
	return uint32(bits.TrailingZeros64(x)), x != 0
}

// objectText tells what objects holds for a row.
func (m *Manager) objectText(v uint64, row int) string {
	o := uint32(v)
	switch {
	case m.isMounted(uint32(row)):
		return fmt.Sprint("object ", m.Owner(uint32(row)))
	case o == unmounted:
		return "loose"
	case o&^(suspended-1) == suspended:
		return fmt.Sprint("suspended, of object ", o-suspended)
	case o&free != 0:
		return "free; before it " + nth("row")(uint64(o-free), row)
	case o == 0:
		return "kept for a slab, or never used"
	}
	return fmt.Sprintf("%d, of no row in use", o)
}

// nth tells the number of something plus 1, where 0 is none.
func nth(what string) telling {
	return func(v uint64, _ int) string {
		if v == 0 {
			return "none"
		}
		return fmt.Sprint(what, " ", v-1)
	}
}

func signed(v uint64, _ int) string { return fmt.Sprint(int32(uint32(v))) }

// inWord tells a figure of bits by the numbers that they stand for, 64 to a word.
func inWord(v uint64, u int) string { return setText(v, u<<6) }

// setText returns the bits of x as numbers from first on: "{0-2 5}".
func setText(x uint64, first int) string {
	var all []string
	var s, n uint32
	for x != 0 {
		s, n, x = nextRun(x)
		if from := first + int(s); n == 1 {
			all = append(all, fmt.Sprint(from))
		} else {
			all = append(all, fmt.Sprintf("%d-%d", from, from+int(n)-1))
		}
	}
	return "{" + strings.Join(all, " ") + "}"
}
