// Package harness lets contenders take turns at the same work, and keeps what it took as CSV.
//
//	Subject ─▶ Case × size ─▶ a process per contender: prepare, then turns, round by round
//	                          │ all come to the same Result, or the run ends
//	                          ▼
//	        least and median of all rounds; medians of the ratios within each round ─▶ FILE.csv
//
// A [Subject] has cases; each [Case] makes [Work] for a contender and a size. A contender works in
// a process of its own, so that none pays for another's heap. Where the system tells it, time is
// that of the thread that works. Ratios are taken within a round because a machine that is busy now
// and then disturbs those least.
//
// Subjects: [Subject], [Case], [Work], [Known]. Measuring: [Measure], [Pace], [Play], [Turn].
// Results: [Result], [Row], [ReadRows], [WriteRows], [Replace], [Number]. Clocks and memory:
// [ThreadTime], [ProcessTime], [Resident]. Statistics: [Median].
package harness
