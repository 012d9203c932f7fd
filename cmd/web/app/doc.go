// Command app is what a browser runs: a scene, and its drawing, in the page that package server
// serves. It is compiled for js/wasm. Page and program meet in the object globalThis.flatecs that
// the program makes:
//
//	scenes()                          what there is to play
//	open(element, heap, options)      opens a scene; returns what went wrong, or nothing
//	resize(width, height)             pixels
//	frame(milliseconds)               one frame: steps that are due, then a picture
//	hold(input, bool)                 buttons down and up
//	step(n), step([input, …])         steps at once; with these buttons down, 64 for chance
//	inputs()                          of all steps up to the newest, as text
//	pause(bool), speed(factor), seek(step), pilot(bool), lines(bool)
//	turn(yaw, pitch, zoom)            the camera, on top of where the scene aims it; zoom 0: back
//	digest(), problem()               of the world, as text; of WebGL, as its number
//	now                               what the last frame did
package main
