//go:build !ecsdebug

package manager

// Loops trust derived words: counts, high-water marks, masks, heads of lists. Builds with -tags
// ecsdebug compare these words, now and then, with the data from which they are derived.

func checkRows(*Rows) {}

func checkNext(*Manager) {}

func checkCounts(*Rows) {}

func checkPresent(*Manager) {}

func checkBlock(*Blocks, uint32) {}

func checkFree(*Manager) {}

func checkListed(*Manager, uint32) {}

func checkUnused(*Rows, uint32, uint32) {}

func checkLast(*Manager) {}

func checkPage(*Blocks, *blockRecord) {}

func checkSpare(*Blocks) {}

func checkChanged(*Manager) {}

func (*Match) checkGroup(int) {}

func (*Match) checkBlock(uint32) {}

func checkKinds(*Arena, uint32) {}

func checkUsed(*Arena, *Part) {}

func (*Watcher) checkGroup(int) {}

func (*Watcher) checkMembers() {}
