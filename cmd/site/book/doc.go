// Package book makes a site of a checkout: the README, the pages of docs/ and the comments of the
// packages become pages of HTML that link to each other, with a menu, an index to search in, and
// programs that run in the page.
//
//	README.md          index.html
//	docs/GUIDE.md      guide.html
//	world/*.go         pkg/world.html
//	cmd/examples/*     examples.html; each program's bytes in programs/
//	(the scenes)       scenes.html, which shows those that others put into scenes/
//
// All links are relative, so the files may lie below any address, and the pages ask nothing of
// other servers. What links to a page, a file or a heading that is not there is an error.
//
//   - all of it: [Write]
//   - what it is made of: [Source], [Program]
//   - what is wrong with links: [DeadLinks]
//
// # Decisions
//
// A generator of sites would want the pages written for it, and knows nothing of packages and
// examples; this one reads them as they are, and refuses a link, a heading or a name that is gone.
// The index for the search is loaded when somebody searches, and is small enough to be looked
// through at each letter.
package book
