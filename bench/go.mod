module github.com/flatecs/flatecs/bench

go 1.26

require github.com/flatecs/flatecs v0.0.0

replace github.com/flatecs/flatecs => ../
