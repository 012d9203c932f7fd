// Package replica lets many clients see parts of one world.
package replica
