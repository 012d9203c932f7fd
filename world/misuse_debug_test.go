//go:build ecsdebug

package world_test

const debugging = true // more misuse panics
