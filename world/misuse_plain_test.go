//go:build !ecsdebug

package world_test

const debugging = false
