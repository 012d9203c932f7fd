package file

// nonblock is nothing: what runs a page's programs has no such flag.
const nonblock = 0
