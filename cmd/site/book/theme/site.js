// Search, light and dark, the menu on phones, and the buttons that run programs. Pages can be read
// without it.
"use strict";

const root = document.documentElement.dataset.root;
const $ = (id) => document.getElementById(id);

// Light and dark.

const system = matchMedia("(prefers-color-scheme: dark)");
const dark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
const nameTheme = () => { $("theme").textContent = dark() ? "Light" : "Dark"; };
$("theme").hidden = false;
$("theme").onclick = () => {
	const chosen = dark() ? "light" : "dark";
	document.documentElement.dataset.theme = chosen;
	try { localStorage.setItem("flatecs-theme", chosen); } catch { /* for this page only */ }
	nameTheme();
};
system.addEventListener("change", nameTheme);
nameTheme();

// The menu on phones.

$("menu-button").onclick = () => {
	const open = $("menu").classList.toggle("open");
	$("menu-button").setAttribute("aria-expanded", open);
	if (open) { scrollTo(0, 0); $("menu").querySelector("a").focus(); }
};
const here = $("menu").querySelector("[aria-current]");
if (here && here.offsetTop > $("menu").clientHeight) $("menu").scrollTop = here.offsetTop - 120;

// Search.

let index; // is loaded when somebody searches

async function load() {
	const answer = await fetch(root + "search.json");
	if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
	const all = await answer.json();
	for (const s of all.sections) {
		s.title = s.t.toLowerCase();
		s.words = s.b.toLowerCase();
		s.page = all.pages[s.p].toLowerCase();
	}
	return all;
}

// worth says how well a section fits one word; 0 is not at all.
function worth(s, word) {
	const at = s.title.indexOf(word);
	if (s.title === word || s.title.endsWith("." + word)) return 60;
	if (at === 0 || at > 0 && /[^a-z0-9]/.test(s.title[at - 1])) return 30;
	if (at > 0) return 12;
	const n = s.words.indexOf(word);
	if (n >= 0) return n === 0 || /[^a-z0-9]/.test(s.words[n - 1]) ? 5 : 2;
	return s.page.includes(word) ? 1 : 0;
}

function find(all, text) {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	const found = [];
	for (const s of all.sections) {
		let sum = 0;
		for (const w of words) {
			const v = worth(s, w);
			if (v === 0) { sum = 0; break; }
			sum += v;
		}
		if (sum > 0) found.push({ s, sum });
	}
	return found.sort((a, b) => b.sum - a.sum).map((f) => f.s);
}

// excerpt is a part of a section around a word.
function excerpt(s, word) {
	const at = Math.max(0, s.words.indexOf(word) - 50);
	return (at > 0 ? "… " : "") + s.b.slice(at, at + 150) + (s.b.length > at + 150 ? " …" : "");
}

const most = 20;

function show(all, text) {
	const list = $("found");
	list.replaceChildren();
	list.hidden = text.trim() === "";
	if (list.hidden) return;
	const found = find(all, text);
	const word = text.trim().toLowerCase().split(/\s+/)[0];
	for (const s of found.slice(0, most)) {
		const link = document.createElement("a");
		link.href = root + s.p + (s.a ? "#" + s.a : "");
		const where = document.createElement("small");
		where.className = "where";
		where.textContent = all.pages[s.p];
		const title = document.createElement("strong");
		title.textContent = s.t;
		const about = document.createElement("small");
		about.textContent = excerpt(s, word);
		link.append(where, title, about);
		link.onclick = close;
		list.append(link);
	}
	if (found.length === 0) list.append(Object.assign(document.createElement("p"), { textContent: "Nothing found. Try fewer letters." }));
	$("count").textContent = `${found.length} found`;
}

async function search() {
	try {
		index ??= load();
		show(await index, $("query").value);
	} catch (error) {
		index = undefined;
		$("found").hidden = false;
		$("found").textContent = `The index could not be loaded: ${error.message}`;
	}
}

function close() { $("found").hidden = true; }

$("search").hidden = false;
$("query").oninput = search;
$("query").onfocus = () => { if ($("query").value) search(); };

document.addEventListener("keydown", (e) => {
	const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName);
	if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
		e.preventDefault();
		$("query").focus();
		$("query").select();
	}
	if (!$("search").contains(e.target)) return;
	const links = [...$("found").querySelectorAll("a")];
	const at = links.indexOf(document.activeElement);
	switch (e.key) {
	case "Escape": close(); $("query").focus(); break;
	case "ArrowDown": e.preventDefault(); links[Math.min(at + 1, links.length - 1)]?.focus(); break;
	case "ArrowUp": e.preventDefault(); (at > 0 ? links[at - 1] : $("query")).focus(); break;
	case "Enter": if (e.target === $("query")) links[0]?.click(); break;
	}
});
document.addEventListener("click", (e) => { if (!$("search").contains(e.target)) close(); });

// Programs.

const mostText = 100000; // letters of what a program prints

for (const box of document.querySelectorAll(".run")) {
	const [button, out] = [box.querySelector("button"), box.querySelector("pre")];
	const title = button.textContent;
	let worker;
	const end = (words, bad) => {
		worker?.terminate();
		worker = undefined;
		button.textContent = title;
		if (words) out.append(Object.assign(document.createElement("span"), { className: bad ? "bad" : "", textContent: words }));
		box.dataset.state = bad ? "failed" : "ended";
	};
	button.hidden = false;
	button.onclick = () => {
		if (worker) return end("\n(stopped)");
		out.hidden = false;
		out.textContent = "";
		box.dataset.state = "running";
		button.textContent = "Stop";
		const waiting = Object.assign(document.createElement("span"), { textContent: "loading …" });
		out.append(waiting);
		worker = new Worker(root + "program.js");
		worker.onerror = (e) => end(`\n${e.message ?? "The program could not be started; pages opened as files cannot run any: serve the folder."}`, true);
		worker.onmessage = ({ data }) => {
			waiting.remove();
			if (data.text !== undefined) out.append(data.text);
			if (data.failed) end("\n" + data.failed, true);
			else if (data.ended !== undefined) end(data.ended ? `\n(ended with ${data.ended})` : "", data.ended !== 0);
			else if (out.textContent.length > mostText) end("\n(too much to show)", true);
		};
		const program = new URL(box.dataset.program, location.href).href;
		worker.postMessage({ script: new URL("wasm_exec.js", program).href, program });
	};
}

// Scenes.

for (const box of document.querySelectorAll(".scene")) {
	const button = box.querySelector("button");
	button.hidden = false;
	button.onclick = () => {
		for (const other of document.querySelectorAll(".scene iframe")) other.parentNode.querySelector("button").stop();
		const picture = box.querySelector("img") ?? document.createElement("span");
		box.prepend(picture);
		const frame = document.createElement("iframe");
		const [title, run] = [button.textContent, button.onclick];
		frame.title = title;
		frame.src = box.dataset.scene;
		frame.onload = () => frame.focus();
		picture.replaceWith(frame);
		button.textContent = "Stop";
		button.stop = () => {
			frame.replaceWith(picture);
			button.textContent = title;
			button.onclick = run;
		};
		button.onclick = button.stop;
	};
}
