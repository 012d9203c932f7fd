// Package webgl draws in a browser, with WebGL2, from Go that runs there as wasm.
//
// Positions go from the world's column to the graphics card without a copy in between: the bytes
// lie in the program's memory, the browser sees that memory as an array, and bufferSubData reads
// the column out of it. All instances of a kind are one instanced draw; every single object is one
// draw.
//
//	light     half floats r, g, b, added up: dots that glow
//	measure   64 × 36 places of the light, and from them the exposure that suits it
//	canvas    sky · cubes with depth · the light as an eye would see it · lines · singles ·
//	          sprites and texts by Z
//
// The exposure is measured and kept on the card, so that no frame waits for it.
//
// The package needs [Script] on the page, which makes a function goHeap of a program's memory; the
// canvas is given what that function returns. Everything else is compiled for js/wasm alone.
//
// # Decisions
//
// An upload is a function of JavaScript, because the browser's view of a program's memory ends when
// the memory grows, and any call from Go into JavaScript may make it grow; so the function that
// uses the view looks at it.
package webgl

import _ "embed" // the script

// Script is JavaScript for the page: globalThis.goHeap(memory) reads a Go program's memory in
// place, also after the memory has grown.
//
//go:embed heap.js
var Script []byte
