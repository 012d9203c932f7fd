// Search, and the buttons that copy code, run programs and show scenes. Pages can be read without.
"use strict";

const root = document.documentElement.dataset.root;
const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => document.querySelectorAll(selector);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

const query = $("#query"), found = $("#found"), menu = $("#menu");
menu.scrollTop = ($("#menu [aria-current]")?.offsetTop ?? 0) - menu.clientHeight / 2;
$("#search").hidden = false;
query.oninput = query.onfocus = search;
document.onkeydown = (event) => {
	const { key, target } = event;
	if (key === "/" && !target.matches("input")) {
		event.preventDefault();
		query.focus();
		query.select();
	}
	if (key === "Enter" && target === query) $("#found a")?.click();
	if (key === "Escape") found.hidden = true;
};
document.onclick = ({ target }) => {
	found.hidden ||= !target.closest("#search") || target.closest("#found a");
};

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

async function search() {
	try {
		index ??= fetch(root + "search.json").then((answer) => answer.json())
			.then((pages) => pages.flatMap(({ p, u, s }) => s.map((part) => ({ p, u, ...part }))));
		const entries = await index;
		const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
		const fits = entries.map((entry) => [entry, words.map((word) => worth(entry, word))])
			.filter(([, worths]) => !worths.includes(0))
			.map(([entry, worths]) => [entry, worths.reduce((a, b) => a + b, 0)])
			.sort(([, a], [, b]) => b - a);
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
function link({ p: Page, u: URL, i: ID, t: Title, x: Text }, word) {
	const from = Math.max(0, Text.toLowerCase().indexOf(word) - 50);
	const a = make("a", { href: `${root}${URL}#${ID}` });
	a.append(make("strong", { textContent: Title }),
		make("small", { textContent: `${Page}: ${Text.slice(from, from + 150)}` }));
	return a;
}

if (navigator.clipboard) for (const block of $$("main pre:has(code)")) {
	const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
	button.onclick = async () => {
		await navigator.clipboard.writeText(block.querySelector("code").textContent);
		button.textContent = "Copied";
	};
	block.append(button);
}

const mostText = 100_000; // letters of what a program prints

for (const box of $$(".run")) { // a program that runs in a worker
	const [button, out] = box.children, title = button.textContent;
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
		out.textContent = "";
		button.textContent = "Stop";
		box.dataset.state = "running";
		worker = new Worker(root + "program.js");
		worker.onerror = ({ message }) =>
			end(message ?? "Serve this folder: pages opened as files run nothing.", "failed");
		worker.onmessage = ({ data: { text, ended, failed } }) => {
			out.append(text ?? "");
			if (failed || ended) end(failed ?? `(ended with ${ended})`, "failed");
			else if (ended === 0) end("", "ended");
			else if (out.textContent.length > mostText) end("\n(too much to show)", "failed");
		};
		const program = new URL(box.dataset.program, location.href).href;
		const args = (box.dataset.args ?? "").split(" ").filter(Boolean);
		worker.postMessage({ script: new URL("wasm_exec.js", program).href, program, args });
	};
}

for (const box of $$(".scene")) { // a scene in a frame above its picture, one at a time
	const button = box.querySelector("button"), { title } = button;
	button.hidden = false;
	button.onclick = ({ isTrusted }) => {
		const here = box.querySelector("iframe");
		$$(".scene iframe").forEach((frame) => frame.remove());
		$$(".scene button").forEach((other) => { other.textContent = other.title; });
		if (here) return;
		const frame = make("iframe", { title, src: box.dataset.scene });
		frame.onload = () => isTrusted && frame.focus();
		box.prepend(frame);
		button.textContent = "Stop";
	};
}
const still = matchMedia("(prefers-reduced-motion: reduce), (max-width: 48rem)").matches;
if (!still && !navigator.connection?.saveData) $("[data-auto] button")?.click();
