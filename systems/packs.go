package systems

import (
	"maps"
	"sync"
)

// packs are the hashes of the packs that were made of a world and refer to others of its objects by
// their ids: beside the world's bytes, and only they may find these objects again. It is the newest
// that are known, at least packsKnown of them.
type packs struct {
	lock         sync.Mutex // Pack only reads
	newer, older map[uint64]struct{}
}

const packsKnown = 1 << 15

// NotePack notes the hash of a pack that was made of the world and has ids of it, for package
// world/pack.
func (a Arena) NotePack(hash uint64) { a.state.look().root().packs.note(hash) }

// MadePack reports whether a pack with a hash was noted by [Arena.NotePack], in this world or in
// one that it is a copy of, and not too long ago.
func (a Arena) MadePack(hash uint64) bool { return a.state.look().root().packs.has(hash) }

func (p *packs) note(hash uint64) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if len(p.newer) >= packsKnown {
		p.newer, p.older = p.older, p.newer
		clear(p.newer)
	}
	if p.newer == nil {
		p.newer = make(map[uint64]struct{})
	}
	p.newer[hash] = struct{}{}
}

func (p *packs) has(hash uint64) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	_, newer := p.newer[hash]
	_, older := p.older[hash]
	return newer || older
}

// copyFrom makes p like another.
func (p *packs) copyFrom(from *packs) {
	from.lock.Lock()
	defer from.lock.Unlock()
	p.newer, p.older = maps.Clone(from.newer), maps.Clone(from.older)
}

// forget is for a world that becomes another one.
func (p *packs) forget() { p.newer, p.older = nil, nil }
