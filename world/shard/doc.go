// Package shard runs one world on several machines.
package shard
