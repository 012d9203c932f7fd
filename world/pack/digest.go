package pack

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// DigestObjects is [Packer.DigestObjects] for objects without Go values.
func DigestObjects(s world.State, q world.Query) (uint64, error) {
	var p Packer
	return p.DigestObjects(s, q)
}

// DigestObjects returns a digest of the objects that match a query, with all their components. It
// does not depend on ids, rows, the order of objects and the order of kinds. A reference counts by
// the global id of its target; all targets without one count alike, and a dead target counts as
// nobody. The sum of the digests of several sets of objects, modulo 2⁶⁴, is the digest of all of
// them. The error wraps [world.ErrWalking], [tool.ErrUnapplied] or [ErrCodec], or is that of a
// codec.
func (p *Packer) DigestObjects(s world.State, q world.Query) (sum uint64, err error) {
	if err := tool.Settled(s); err != nil {
		return 0, err
	}
	p.checked().made = p.made[:0]
	for id := range q.Objects(s) {
		p.made = append(p.made, id)
	}
	if err := p.groups.Sort(s, p.made); err != nil {
		return 0, err
	}
	if err := p.listKinds(s); err != nil {
		return 0, err
	}
	p.state = s
	defer p.letGo()
	for i := range p.groups.Len() {
		p.sums = zeros(p.sums, p.groups.Objects(i))
		for n := range p.kinds {
			k := &p.kinds[n]
			if has := p.groups.Has(i, k.number); has || p.groups.Keeps(i, k.number) {
				if err := p.digestKind(i, k, has); err != nil {
					return 0, err
				}
			}
		}
		for _, x := range p.sums {
			sum += mix(x)
		}
	}
	return sum, nil
}

// mix returns a number that does not add up: the finalizer of SplitMix64, of x and a constant.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// digestKind adds the components of a kind to the sums of the objects of a group.
func (p *Packer) digestKind(i int, k *kind, has bool) error {
	seed := xxh3.HashStringSeed(k.spec.Name, uint64(k.sort)<<1)
	if !has {
		seed++
	}
	if k.sort == withoutData {
		for n := range p.sums {
			p.sums[n] += mix(seed)
		}
		return nil
	}
	c := p.groups.Components(i, k.number)
	switch k.sort {
	case withName:
		p.digestNames(&c, seed)
	case withValue:
		return p.digestValues(k, &c, seed)
	default:
		for _, f := range k.spec.Fields {
			p.digestColumn(&c, f, xxh3.HashStringSeed(f.Name, seed))
		}
		for n := range p.sums {
			p.sums[n] += mix(seed)
		}
	}
	return nil
}

func (p *Packer) digestColumn(c *tool.Components, f *layout.FieldSpec, seed uint64) {
	if f.List != nil {
		p.digestLists(c, f, seed)
		return
	}
	p.scratch = c.AppendColumn(p.scratch[:0], f.Index)
	for n := range p.sums {
		value := p.scratch[n*f.Stride:][:f.Stride]
		p.digestReferences(f, value)
		p.sums[n] += xxh3.HashSeed(value, seed)
	}
}

func (p *Packer) digestNames(c *tool.Components, seed uint64) {
	const size = systems.MaxName + 1
	p.scratch = c.AppendColumn(p.scratch[:0], 0)
	for n := range p.sums {
		text := p.scratch[n*size:][:size]
		p.sums[n] += xxh3.HashSeed(text[1:][:min(int(text[0]), systems.MaxName)], seed)
	}
}

func (p *Packer) digestValues(k *kind, c *tool.Components, seed uint64) (err error) {
	for n, row := range c.Rows() {
		if p.scratch, err = k.codec.Append(p.scratch[:0], c.Values(), int(row)); err != nil {
			return fmt.Errorf("pack: %w", err)
		}
		p.sums[n] += xxh3.HashSeed(p.scratch, seed)
	}
	return nil
}
