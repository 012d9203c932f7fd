package allowances

/* want `no check is called "clock"; write //flatecs:allow check reason` */ //flatecs:allow clock for the page
/* want `no check is called ""; write` */ //flatecs:allow
/* want `nothing says why; write //flatecs:allow dropped reason` */ //flatecs:allow dropped

//flatecs:allow dropped it is the last one
//flatecs:allowed dropped
// flatecs:allow clock is prose
