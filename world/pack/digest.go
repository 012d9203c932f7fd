package pack

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A digester digests objects.
type digester struct {
	from    selection
	ids     []world.GameObject
	sums    []uint64 // per object of a group
	scratch []byte
}

// digest returns the sum of the digests of the chosen objects.
func (d *digester) digest() (sum uint64, err error) {
	for i := range d.from.groups.Len() {
		d.sums = zeros(d.sums, d.from.groups.Objects(i))
		for n := range d.from.kinds {
			k := &d.from.kinds[n]
			if has := d.from.groups.Has(i, k.number); has || d.from.groups.Keeps(i, k.number) {
				if err := d.digestKind(i, k, has); err != nil {
					return 0, err
				}
			}
		}
		for _, x := range d.sums {
			sum += mix(x)
		}
	}
	return sum, nil
}

// mix returns a hash of x whose sums do not cancel: the finalizer of SplitMix64, of x and a
// constant.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// digestKind adds the components of a kind to the sums of the objects of a group.
func (d *digester) digestKind(i int, k *kind, has bool) error {
	seed := xxh3.HashStringSeed(k.spec.Name, uint64(k.sort)<<1)
	if !has {
		seed++
	}
	if k.sort == withoutData {
		for n := range d.sums {
			d.sums[n] += mix(seed)
		}
		return nil
	}
	c := d.from.groups.Components(i, k.number)
	switch k.sort {
	case withName:
		d.digestNames(&c, seed)
	case withValue:
		return d.digestValues(k, &c, seed)
	default:
		for _, f := range k.spec.Fields {
			d.digestColumn(&c, f, xxh3.HashStringSeed(f.Name, seed))
		}
		for n := range d.sums {
			d.sums[n] += mix(seed)
		}
	}
	return nil
}

func (d *digester) digestColumn(c *tool.Components, f *layout.FieldSpec, seed uint64) {
	if f.List != nil {
		d.digestLists(c, f, seed)
		return
	}
	d.scratch = c.AppendColumn(d.scratch[:0], f.Index)
	for n := range d.sums {
		value := d.scratch[n*f.Stride:][:f.Stride]
		d.digestReferences(f, value)
		d.sums[n] += xxh3.HashSeed(value, seed)
	}
}

func (d *digester) digestNames(c *tool.Components, seed uint64) {
	const size = systems.MaxName + 1
	d.scratch = c.AppendColumn(d.scratch[:0], 0)
	for n := range d.sums {
		text := d.scratch[n*size:][:size]
		d.sums[n] += xxh3.HashSeed(text[1:][:min(int(text[0]), systems.MaxName)], seed)
	}
}

func (d *digester) digestValues(k *kind, c *tool.Components, seed uint64) (err error) {
	for n, row := range c.Rows() {
		if d.scratch, err = k.codec.Append(d.scratch[:0], c.Values(), int(row)); err != nil {
			return fmt.Errorf("pack: %w", err)
		}
		d.sums[n] += xxh3.HashSeed(d.scratch, seed)
	}
	return nil
}

// digestLists adds the lists of a field to the sums of the objects of a group.
func (d *digester) digestLists(c *tool.Components, f *layout.FieldSpec, seed uint64) {
	e := f.List.Element
	for n := range d.sums {
		d.scratch = append(d.scratch[:0], c.List(n, f.Index)...)
		for at := 0; at < len(d.scratch); at += e.Stride {
			d.digestReferences(e, d.scratch[at:])
		}
		d.sums[n] += xxh3.HashSeed(d.scratch, seed)
	}
}

// digestReferences replaces the references in a value by their digests.
func (d *digester) digestReferences(f *layout.FieldSpec, value []byte) {
	for _, ref := range f.Refs {
		id := world.GameObject(little.Uint64(value[ref:]))
		digest := globalOf(d.from.state, id)
		if digest == 0 && world.Alive(d.from.state, id) {
			digest = inside // stands for some packed object
		}
		little.PutUint64(value[ref:], digest)
	}
}
