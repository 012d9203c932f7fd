//go:build js && wasm

package main

import (
	"syscall/js"
)

func main() {
	page := js.Global().Get("Object").New()
	a := &app{now: js.Global().Get("Object").New(), clock: newClock()}
	page.Set("now", a.now)
	page.Set("scenes", function(func([]js.Value) any { return scenes() }))
	page.Set("open", function(a.open))
	for name, call := range map[string]func(*stage, []js.Value) any{
		"frame": (*stage).frame, "resize": (*stage).resize,
		"hold": (*stage).hold, "pilot": (*stage).pilot,
		"step": (*stage).step, "seek": (*stage).seek,
		"pause": (*stage).pause, "speed": (*stage).speed, "lines": (*stage).lines,
		"turn": (*stage).turn, "digest": (*stage).digest, "problem": (*stage).problem, "inputs": (*stage).inputs,
	} {
		page.Set(name, function(func(args []js.Value) any {
			if a.stage == nil {
				return nil
			}
			return call(a.stage, args)
		}))
	}
	js.Global().Set("flatecs", page)
	select {} // only the page's calls run from here on
}

func function(f func([]js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) })
}
