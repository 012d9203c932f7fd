package file

// nonblock is nothing: a pipe of Windows is opened at once or refused.
const nonblock = 0
