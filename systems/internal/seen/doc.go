// Package seen finds what is written through a column that is handed out to be read, under -tags
// ecsdebug: it hashes the column then, and again when the world is next used.
package seen
