// Package network links objects of a world to each other, such as acquaintances and pipes.
//
//	nodes   0   1   2   3          a link is an object of its own, with three fields:
//	        └─ 0.5 ─────▶ 2        link 4   from 0   to 2   weight 0.5
//	        2 ◀── 1 ──── 3         link 5   from 3   to 2   weight 1
//
// A [Network] declares the kinds of its links. From and to are relations: disposing either end
// disposes the link, and the lists of an object's links are derived from the references, as package
// world/family describes. So links are copied, saved, compared and sent like all other objects, and
// queries walk them.
//
// Links have a direction, which [Network.Neighbours] ignores: for an undirected network, link each
// pair once, and call Neighbours.
//
// Generators return networks as lists of pairs of numbers: [Ring], [Random], [SmallWorld] and
// [Preferential]. They draw from a [world.Stream], and return the same pairs on every machine. No
// pair occurs twice, and no object is linked to itself.
//
// By task: [New], [Network.AddTo] the counts of a world; [Network.Link], [Network.LinkAll] of
// [Pair] values; [Network.Out], [Network.In], [Network.Neighbours].
//
// # Decisions
//
// A link is an object because an object has one reference per kind; so links are disposed with
// their ends, saved, packed and compared without code of their own. The cost is an id and two rows
// per link, and lists that are derived again after links change. Generators return pairs because
// pairs need no world and can be tested and stored alone.
package network
