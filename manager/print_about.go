package manager

// What parts hold, by their names, in the order in which they lie.
var (
	aboutWorld = map[string]string{
		"tick":            "the number of the step that is under way",
		"kinds per block": "a bit per kind, 64 to a word: does any of these 64 objects have it",
		"settled": "a bit per object of a slab: all rows that its recipe keeps are on it, or " +
			"wait for it",
		"kinds per 8 objects": "the same of 8 objects; in a world of more than 64 kinds",
	}

	aboutObjects = map[string]string{
		"counters": "High: indexes in slabs or used, up to the highest · Used: ever alive, up to " +
			"the highest · Live: alive · Free, Last: first and last of the free list · Fresh, " +
			"End: where the never used ones begin and end · InOrder: in which order indexes are " +
			"used again · Retired: indexes whose generations are used up",
		"generations": "how often the index was handed out; of a dead one, the generation that " +
			"is next",
		"next": "of an index on the free list: the next one; of a live loose object: the recipe " +
			"for which it counts",
		"alive":  "a bit per object",
		"owners": "the recipe whose slab they are; 0: loose, created one by one",
		"room":   "a bit per 64 objects: some of them are free",
		"recipes": "Lowest: the first word of room that may have a bit · Loose: live objects " +
			"outside of slabs · Slabs: indexes in slabs",
		"groups": "Some: a bit per block: some object is alive · Full: all 64 are",
	}

	aboutKinds = map[string]string{
		"counters": "High: rows ever used or kept · Free: row disposed last · Search: where kept " +
			"rows are searched · Reserved: rows ever kept · Loose: rows on no object · Mounted: " +
			"on an object · Suspended: that keep the values of one · Shape: low half of the tick " +
			"of the last change of structure · Changed: tick of the last change of a value",
		"bases": "row minus object, for the objects in lockstep",
		"objects": "the object that the row is on; or suspended, with its object; or in use on " +
			"no object; or free, with the row disposed before it; or 0, where it is on the " +
			"object that it is kept for, or not used and kept for one, or was never used",
		"links":   "for a free row: the row disposed after it",
		"changed": "tick at which one of these rows was last written, or mounted",
		"mounted": "a bit per row: it is on an object",
		"homes":   "for rows that are kept for objects: object minus row, plus 1",
		"blocks": "Present: has the component · Odd: has a row, which is in the page · " +
			"Suspended: does not have the component but keeps a suspended row; of a dead object: " +
			"dormant, its row of a slab waits for the next spawn · Base: row = " +
			"object + base, modulo 2³², for those with a row that are not odd · Page: where " +
			"the rows of the odd ones are",
		"pages of 4":  "rows of objects out of lockstep, of a block with up to 4, in their order",
		"pages of 16": "the same, of a block with up to 16",
		"pages of 64": "the same, of a block with more, by their places",
		"spare pages": "of 64, of 4, of 16 rows: High: pages ever used · Free: first unused page",
		"groups": "Any: some object of the block is present or suspended · Whole: all are " +
			"present or dormant, in lockstep, and in one line with the whole block before",
		"keys":  "Used: slots that are not 0",
		"slots": "rows by the hashes of their keys",
	}

	aboutWatchers = map[string]string{
		"record":      "Once: was it called",
		"generations": "of each member",
		"former":      "the generation of each object that left",
		"blocks": "Members: matched at the last look · Touched: changed since · Gone: did not " +
			"match at some time since · Left, Entered: as the last look found",
		"touched":  "a bit per block: some are touched",
		"reported": "a bit per block: some left or entered",
		"count":    "Members: how many there are",
	}
)

// fewer is what there is a page of each size for.
const fewer = "64 objects or row, whichever are fewer"

// About tells in a line what the part holds.
func (p *Part) About() string {
	switch {
	case p.Field != nil:
		return p.Field.Shape()
	case p.Kind != nil:
		return aboutKinds[p.Name]
	case p.Owner == "world":
		return aboutWorld[p.Name]
	case p.Owner == "game objects":
		return aboutObjects[p.Name]
	}
	return aboutWatchers[p.Name]
}

// Per tells what the part has a unit for: "object", "64 rows"; "" for the world.
func (p *Part) Per() string {
	return [...]string{
		perPart: "", perPool: "recipe", perPoolGroup: "recipe and 4,096 objects", perSlot: "slot",
		perObject: "object", perEight: "8 objects",
		perBlock: "64 objects", perGroup: "4,096 objects", perRow: "row",
		per64Rows: "64 rows",
		perSize:   "size", perPage: fewer, perPage4: fewer, perPage16: fewer,
	}[p.per]
}
