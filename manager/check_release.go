//go:build !ecsdebug

package manager

// Loops trust words that follow from others: counts, high-water marks, masks, heads of lists. Under
// -tags ecsdebug these functions compare them, now and then, with what they follow from.

func (*Manager) checkRows() {}

func (*Manager) checkNext() {}

func (*Manager) checkCounts() {}

func (*Manager) checkPresent() {}

func (*Manager) checkBlock(uint32) {}

func (*Manager) checkFree() {}

func (*Manager) checkListed(uint32) {}

func (*Manager) checkUnused(uint32, uint32) {}

func (*Manager) checkLast() {}

func (*Manager) checkPage(*blockRecord) {}

func (*Manager) checkSpare(uint32) {}

func (*Manager) checkChanged() {}

func (*Match) checkGroup(int) {}

func (*Match) checkBlock(uint32) {}

func (*Arena) checkKinds(uint32) {}

func (*Arena) checkUsed(*Part) {}

func (*Watcher) checkGroup(int) {}

func (*Watcher) checkMembers() {}
