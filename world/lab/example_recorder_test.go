package lab_test

import (
	"os"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

func ExampleRecorder() {
	o := Outbreak{People: 2000, Contagion: 0.3, Recovery: 0.1, Travel: 0.02}
	counts := o.Counts()
	counts.Seed = 1
	s := world.Must(o.Setup(world.Must(world.CreateState(counts))))
	defer func() { world.Close(s) }()

	table, err := lab.NewRecorder(lab.NewCSV(os.Stdout), 10, findings...)
	for day := 0; day < 30 && err == nil; day++ {
		s = Day(s)
		err = table.Observe(s) // writes each tenth time
	}
	if err == nil {
		err = table.Close() // what is still in the sink's buffer is written
	}
	if err != nil {
		panic(err)
	}
	// Output:
	// tick,ill,spared
	// 11,35,0.9705
	// 21,156,0.8745
	// 31,353,0.6535
}
