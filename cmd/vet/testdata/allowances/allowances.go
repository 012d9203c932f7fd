package allowances

/* want `there is no check "clock"; write //flatecs:allow check reason` */ //flatecs:allow clock for the page
/* want `there is no check ""; write` */ //flatecs:allow
/* want `reason is missing; write //flatecs:allow dropped reason` */ //flatecs:allow dropped

//flatecs:allow dropped it is the last one
//flatecs:allowed dropped
// flatecs:allow clock is prose
