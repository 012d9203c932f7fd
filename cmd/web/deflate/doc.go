// Package deflate packs files with gzip as small as that format allows in a few seconds, for files
// that are packed once and sent often. Whoever reads gzip reads them: RFC 1951 and RFC 1952.
//
//	content      cut into stretches of 2 MB
//	matches      of each place: the nearest earlier place that begins with the same 3 bytes, the
//	             nearest with the same 4, and so on up to 258
//	tokens       bytes and matches: the cheapest way through a stretch, by what each costs
//	blocks       neighbours of the tokens that are smaller with codes of their own
//	codes        of each block: the shortest of at most 15 bits
//
// What a token costs follows from the codes, and the codes from the tokens that are taken, so that
// both are computed in turns. The same content gives the same bytes on every machine.
//
// To use: [Gzip].
package deflate
