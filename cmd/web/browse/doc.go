// Package browse opens pages in Debian's chromium for tests under the tag browser: it loads a page,
// asks it for values, waits for them, and keeps pictures to be looked at.
//
// Flag -shots is the folder of the pictures. Without chromium, tests fail.
package browse
