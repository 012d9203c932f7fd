package shard

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
)

// Ghost marks a shard's copies of objects beyond its border. A copy lasts one tick, has the kinds
// of Options.Seen, and has no global id.
var Ghost = layout.NewMark("ghost")

// anyway makes queries match disabled objects as well.
var anyway = world.Optional(layout.Disabled)

// ghosts matches all ghosts.
var ghosts = world.NewQuery(world.With(Ghost), anyway)

// own matches all objects except ghosts.
var own = world.NewQuery(world.Without(Ghost), anyway)

// A mover is an object at the border.
type mover struct {
	global uint64
	id     world.GameObject
}

// A border is the data for a neighbour.
type border struct {
	shard         int
	leavers, near []mover
	body          []byte
	early         bool // the neighbour is ahead: its messages are in the stream already
}

// A splitter finds the objects that leave a region, and those that other regions see.
type splitter struct {
	o        *Options
	moving   world.Query
	nameless world.Query
	all      pack.Packer
	seen     pack.Packer
	borders  []border // by neighbour, ascending
	families families
	out      []outsider
	near     []mover // leavers that stay visible here
	back     []byte  // the pack of near
	gone     []world.GameObject
	arrived  int
	ids      []world.GameObject
}

func newSplitter(o *Options) *splitter {
	at := world.Read(o.Position)
	sp := &splitter{
		o:        o,
		moving:   world.NewQuery(at, world.Read(pack.Global), world.Without(Ghost), anyway),
		nameless: world.NewQuery(at, world.Without(Ghost, pack.Global), anyway),
		all:      pack.Packer{Codecs: o.Save.Codecs},
		seen:     pack.Packer{Codecs: o.Save.Codecs, Only: []layout.AnyKind{layout.Disabled}},
	}
	if sp.seen.Only = append(sp.seen.Only, o.Seen...); o.Seen == nil {
		sp.seen.Only = append(sp.seen.Only, o.Position)
	}
	for _, n := range o.Partition.Neighbours(o.Shard) {
		sp.borders = append(sp.borders, border{shard: n, early: true})
	}
	slices.SortFunc(sp.borders, func(a, b border) int { return cmp.Compare(a.shard, b.shard) })
	return sp
}

// split removes leavers and ghosts from a world, and creates the bodies of messages.
func (sp *splitter) split(s world.State) (world.State, error) {
	if err := sp.find(s); err != nil {
		return s, err
	}
	var err error
	if sp.back, err = sp.pack(sp.back[:0], &sp.seen, s, sp.near); err != nil {
		return s, err
	}
	sp.gone = sp.gone[:0]
	for i := range sp.borders {
		b := &sp.borders[i]
		b.body = little.AppendUint64(b.body[:0], 0)
		if b.body, err = sp.pack(b.body, &sp.all, s, b.leavers); err != nil {
			return s, err
		}
		little.PutUint64(b.body, uint64(len(b.body)-8))
		if b.body, err = sp.pack(b.body, &sp.seen, s, b.near); err != nil {
			return s, err
		}
		for _, m := range b.leavers {
			sp.gone = append(sp.gone, m.id)
		}
	}
	if s, err = ghosts.DisposeAll(s); err != nil {
		return s, err
	}
	return world.Dispose(s, sp.gone...)
}

// find lists leavers and objects near a border, and checks the rules of both.
func (sp *splitter) find(s world.State) error {
	if id, ok := sp.nameless.First(s); ok {
		return fmt.Errorf("%w: %v; give it one by pack.SetGlobal", ErrGlobal, id)
	}
	if err := sp.families.check(s); err != nil {
		return err
	}
	if err := sp.look(s); err != nil {
		return err
	}
	if err := sp.part(s); err != nil {
		return err
	}
	if len(sp.borders) == 0 {
		return nil
	}
	return sp.families.checkReferences(s)
}

// look lists outsiders and objects near a border.
func (sp *splitter) look(s world.State) error {
	sp.out, sp.near = sp.out[:0], sp.near[:0]
	for i := range sp.borders {
		b := &sp.borders[i]
		b.leavers, b.near = b.leavers[:0], b.near[:0]
	}
	part := &sp.o.Partition
	for b := range sp.moving.In(s) {
		at, globals := world.Column(b, sp.o.Position), pack.Globals(b)
		for i := range at {
			home := part.Of(at[i])
			m := mover{globals[i], b.ID(i)}
			if globals[i] == 0 {
				return fmt.Errorf("%w: %v has number 0; use pack.SetGlobal", ErrGlobal, m.id)
			}
			if home != sp.o.Shard {
				sp.out = append(sp.out, outsider{m, home, at[i]})
			}
			for j := range sp.borders {
				n := &sp.borders[j]
				if n.shard != home && part.Distance(n.shard, at[i]) <= sp.o.Reach.border() {
					n.near = append(n.near, m)
				}
			}
		}
	}
	return nil
}

// leave records that an object is in another region.
func (sp *splitter) leave(o outsider) error {
	i, ok := sp.borderOf(o.home)
	if !ok {
		return fmt.Errorf("%w: %v, global id %d, is at %v, in region %d, which is no neighbour "+
			"of %d; use fewer shards or smaller steps",
			ErrFar, o.id, o.global, o.at, o.home, sp.o.Shard)
	}
	sp.borders[i].leavers = append(sp.borders[i].leavers, o.mover)
	sp.families.leaving[o.id] = o.home
	if sp.sees(o.at) {
		sp.near = append(sp.near, o.mover)
	}
	return sp.checkSeen(o)
}

// pack appends objects to dst, in the order of their global ids.
func (sp *splitter) pack(
	dst []byte, p *pack.Packer, s world.State, movers []mover,
) ([]byte, error) {
	slices.SortFunc(movers, func(a, b mover) int { return cmp.Compare(a.global, b.global) })
	sp.ids = sp.ids[:0]
	for _, m := range movers {
		sp.ids = append(sp.ids, m.id)
	}
	return p.Pack(dst, s, sp.ids...)
}

// arrive creates the objects of messages: leavers first, then ghosts, neighbour by neighbour.
func (sp *splitter) arrive(s world.State, bodies [][]byte) (world.State, error) {
	var err error
	sp.arrived = 0
	for i, body := range bodies {
		if len(body) < 8 || little.Uint64(body) > uint64(len(body)-8) {
			return s, fmt.Errorf("%w: %d bytes from shard %d",
				ErrMessage, len(body), sp.borders[i].shard)
		}
		sp.ids = sp.ids[:0]
		s, sp.ids, err = sp.all.Unpack(sp.ids, s, body[8:][:little.Uint64(body)])
		if err != nil {
			return s, fmt.Errorf("shard: arrivals from shard %d: %w", sp.borders[i].shard, err)
		}
		sp.arrived += len(sp.ids)
	}
	for _, body := range bodies {
		if s, err = sp.createGhosts(s, body[8+little.Uint64(body):]); err != nil {
			return s, err
		}
	}
	return sp.createGhosts(s, sp.back)
}

// createGhosts creates ghosts from a pack.
func (sp *splitter) createGhosts(s world.State, b []byte) (world.State, error) {
	var err error
	sp.ids = sp.ids[:0]
	if s, sp.ids, err = sp.seen.Unpack(sp.ids, s, b); err != nil {
		return s, fmt.Errorf("shard: ghosts: %w", err)
	}
	for _, id := range sp.ids {
		if s, err = world.Add(s, id, Ghost); err != nil {
			return s, fmt.Errorf("shard: ghosts: %w", err)
		}
	}
	return s, nil
}
