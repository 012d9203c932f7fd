// Light and dark, the menu on phones, search, and the buttons that run programs. Pages can be read
// without it.
"use strict";

const page = document.documentElement;
const $ = (selector) => document.querySelector(selector);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

page.classList.add("script");
page.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
try { // before anything is drawn
	page.dataset.theme = localStorage.getItem("flatecs-theme") ?? page.dataset.theme;
} catch { /* nothing is kept here */ }

document.addEventListener("DOMContentLoaded", () => {
	const other = () => page.dataset.theme === "dark" ? "light" : "dark";
	const theme = Object.assign($("#theme"), { hidden: false, textContent: other() });
	theme.onclick = () => {
		page.dataset.theme = other();
		theme.textContent = other();
		try { localStorage.setItem("flatecs-theme", page.dataset.theme); } catch { /* this page only */ }
	};

	const menu = $("#menu");
	$("#menu-button").onclick = ({ target }) => {
		target.setAttribute("aria-expanded", menu.classList.toggle("open"));
		scrollTo(0, 0);
	};
	menu.scrollTop = ($("#menu [aria-current]")?.offsetTop ?? 0) - menu.clientHeight / 2;

	$("#search").hidden = false;
	$("#query").oninput = $("#query").onfocus = search;
	document.addEventListener("keydown", searchByKeys);
	document.addEventListener("click", (event) => {
		$("#found").hidden ||= !event.target.closest("#search") || event.target.closest("#found a");
	});

	document.querySelectorAll(".run").forEach(runnable);
	document.querySelectorAll(".scene").forEach(showable);
	if (navigator.clipboard) document.querySelectorAll("main pre:has(code)").forEach(copyable);
	const still = matchMedia("(prefers-reduced-motion: reduce), (max-width: 48rem)").matches;
	if (!still && !navigator.connection?.saveData) $("[data-auto] button")?.click();
});

let index; // is loaded when somebody searches

// worth says how well an entry of the index fits a word in small letters; 0 is not at all.
function worth(entry, word) {
	const [title, text, on] = [entry.t, entry.x, entry.p].map((s) => s.toLowerCase());
	const begins = (s) => /^$|[^a-z0-9]/.test(s.charAt(s.indexOf(word) - 1));
	if (title === word || title.endsWith("." + word)) return 60;
	if (title.includes(word)) return begins(title) ? 30 : 12;
	if (text.includes(word)) return begins(text) ? 5 : 2;
	return on.includes(word) ? 1 : 0;
}

// typos counts the letters that are wrong, missing, too many or swapped in a word: 9 is too many.
function typos(word, right) {
	let before = [], last = Array.from({ length: right.length + 1 }, (_, i) => i);
	for (let i = 1; i <= word.length; i++) {
		const next = [i];
		for (let j = 1; j <= right.length; j++) {
			next[j] = Math.min(last[j] + 1, next[j - 1] + 1, last[j - 1] + (word[i - 1] !== right[j - 1]));
			if (i > 1 && j > 1 && word[i - 1] === right[j - 2] && word[i - 2] === right[j - 1])
				next[j] = Math.min(next[j], before[j - 2] + 1);
		}
		[before, last] = [last, next];
	}
	return last[right.length] <= (word.length > 7 ? 2 : word.length > 3 ? 1 : 0) ? last[right.length] : 9;
}

// almost says how well an entry's title fits a word with typos, or the beginning of one.
function almost(entry, word) {
	return 9 - Math.min(9, ...entry.t.toLowerCase().split(/[^a-z0-9]+/).flatMap((right) =>
		[typos(word, right), typos(word, right.slice(0, word.length)) + .5]));
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

async function search() {
	const found = $("#found");
	try {
		index ??= fetch(page.dataset.root + "search.json").then((answer) => answer.json())
			.then((pages) => pages.flatMap(({ p, u, s }) => s.map(({ i, t, x }) => (
				{ p, u: `${u}#${i}`, t, x }))));
		const entries = await index;
		const words = $("#query").value.toLowerCase().split(/\s+/).filter(Boolean);
		const fitting = (how) => entries.map((entry) => [entry, words.map((word) => how(entry, word))])
			.filter(([, worths]) => !worths.some((n) => n <= 0))
			.sort(([, a], [, b]) => sum(b) - sum(a));
		const exact = fitting(worth);
		const fits = exact.length ? exact : fitting((...of) => worth(...of) || almost(...of));
		found.replaceChildren(...fits.slice(0, 20).map(([entry]) => link(entry, words[0])));
		if (fits.length === 0) found.textContent = "Nothing found. Try fewer letters.";
		found.hidden = words.length === 0;
	} catch (error) {
		index = undefined;
		found.hidden = false;
		found.textContent = `The index could not be loaded: ${error.message}`;
	}
}

// link shows an entry with the part of its text around a word.
function link({ p: Page, t: Title, u: URL, x: Text }, word) {
	const from = Math.max(0, Text.toLowerCase().indexOf(word) - 50);
	const a = make("a", { href: page.dataset.root + URL });
	a.append(make("strong", { textContent: Title }),
		make("small", { textContent: `${Page}: ${Text.slice(from, from + 150)}` }));
	return a;
}

function searchByKeys(event) {
	const query = $("#query"), typing = event.target.matches("input, textarea, select");
	if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
		event.preventDefault();
		query.focus();
		query.select();
	}
	if (!event.target.closest("#search")) return;
	const stops = [query, ...document.querySelectorAll("#found a")];
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (step) {
		event.preventDefault();
		stops[stops.indexOf(document.activeElement) + step]?.focus();
	}
	if (event.key === "Enter" && event.target === query) stops[1]?.click();
	if (event.key === "Escape") {
		query.focus();
		$("#found").hidden = true;
	}
}

// copyable gives a block of code a button that copies it.
function copyable(block) {
	const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
	button.setAttribute("aria-label", "Copy the code");
	button.onclick = async () => {
		await navigator.clipboard.writeText(block.querySelector("code").textContent);
		button.textContent = "Copied";
		setTimeout(() => button.textContent = "Copy", 2000);
	};
	block.append(button);
}

const mostText = 100_000; // letters of what a program prints

// runnable lets a box run its program in a worker.
function runnable(box) {
	const button = box.querySelector("button"), out = box.querySelector("pre");
	const title = button.textContent;
	let worker;
	const end = (words, state) => {
		worker.terminate();
		worker = undefined;
		button.textContent = title;
		out.append(words);
		box.dataset.state = state;
	};
	button.hidden = false;
	button.onclick = () => {
		if (worker) return end("\n(stopped)", "ended");
		out.hidden = false;
		out.textContent = "loading …";
		button.textContent = "Stop";
		box.dataset.state = "loading";
		worker = new Worker(page.dataset.root + "program.js");
		worker.onerror = ({ message }) =>
			end(`\n${message ?? "Serve this folder: pages opened as files run nothing."}`, "failed");
		worker.onmessage = ({ data }) => {
			if (box.dataset.state === "loading") out.textContent = "";
			box.dataset.state = "running";
			out.append(data.text ?? "");
			if (data.failed) end("\n" + data.failed, "failed");
			else if (data.ended) end(`\n(ended with ${data.ended})`, "failed");
			else if (data.ended === 0) end("", "ended");
			else if (out.textContent.length > mostText) end("\n(too much to show)", "failed");
		};
		const program = new URL(box.dataset.program, location.href).href;
		worker.postMessage({ script: new URL("wasm_exec.js", program).href, program });
	};
}

// showable lets a box show its scene in a frame above its picture, one at a time.
function showable(box) {
	const button = box.querySelector("button"), title = button.textContent;
	button.hidden = false;
	button.onclick = ({ isTrusted }) => {
		const shown = $(".scene iframe"), here = box.contains(shown);
		if (shown) {
			const other = shown.parentNode.querySelector("button");
			other.textContent = other.dataset.title;
			shown.remove();
		}
		if (here) return;
		const frame = make("iframe", { title, src: box.dataset.scene });
		frame.onload = () => isTrusted && frame.focus();
		box.prepend(frame);
		button.dataset.title = title;
		button.textContent = "Stop";
	};
}
