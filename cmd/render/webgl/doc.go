// Package webgl draws in a browser, with WebGL2, from Go that runs there as wasm.
//
// Positions go from the world's column to the GPU without an intermediate copy: the browser sees
// the program's memory as an array, and bufferSubData reads the column from it. All instances of a
// kind are one instanced draw; every single object is a draw.
//
//	light     half floats r, g, b, added up: dots that glow
//	measure   64 × 36 places of the light, and from them the exposure that suits it
//	canvas    sky · cubes with depth · the light as an eye would see it · lines · singles ·
//	          sprites and texts by Z
//
// The exposure is measured and stored on the GPU, so that no frame waits for it.
//
// The page must load [Script], which defines goHeap, a function of a program's memory; pass its
// result to the canvas. Everything else is compiled only for js/wasm.
//
// # Decisions
//
// Uploads are a JavaScript function, because the browser's view of a program's memory becomes
// invalid when the memory grows, and any call from Go into JavaScript may make it grow; so the
// function that uses the view also refreshes it.
package webgl

import _ "embed" // the script

// Script is JavaScript for the page: globalThis.goHeap(memory) reads a Go program's memory in
// place, even after the memory has grown.
//
//go:embed heap.js
var Script []byte
