module github.com/flatecs/flatecs/bench

go 1.26

require (
	github.com/flatecs/flatecs v0.0.0
	github.com/flatecs/flatecs/cmd v0.0.0
)

require golang.org/x/sys v0.47.0 // indirect

replace (
	github.com/flatecs/flatecs => ../
	github.com/flatecs/flatecs/cmd => ../cmd
)
