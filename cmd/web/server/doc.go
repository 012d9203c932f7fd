// Package server serves a page on which scenes run in the browser.
//
//	/               the page: index.html, page.css, page.js, icon.svg, all embedded
//	/heap.js        the script of package webgl
//	/app.wasm       the program: command app of this module, compiled for js/wasm
//	/wasm_exec.js   Go's own script that runs it, from the toolchain that compiled it
//	/start.json     what to open first
//
// The program is not part of the repository. [Build] compiles it with the go command, which caches
// it: the first time takes about a minute, later ones a second.
package server
