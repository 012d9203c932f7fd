// Command performance measures anew what docs/PERFORMANCE.md says, and writes the page.
//
//	go run ./bench/performance                # every part, one after the other; takes hours
//	go run ./bench/performance --list         # the parts, and their commands
//	go run ./bench/performance --only Walks   # those under this heading
//
// The page keeps its prose. What stands between two marks is what the commands of the block above
// have printed: tables of Markdown as they are, benchmarks of Go as a table of medians. The page is
// written after each part, so that what was measured is kept when the rest is interrupted.
//
//	```sh
//	go test -run '^$' -bench Fused ./systems
//	```
//
//	<!-- figures -->
//
//	…
//
//	<!-- end of figures -->
package main
