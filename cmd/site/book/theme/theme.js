// Sets light or dark before anything is drawn. Without a choice the system's counts.
"use strict";
document.documentElement.classList.add("script");
try {
	const chosen = localStorage.getItem("flatecs-theme");
	if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* nothing is kept here */ }
