// A worker that runs one Go program and sends what it prints. Its first message is
// { script, program }: the addresses of wasm_exec.js and of the program.
"use strict";

const decoder = new TextDecoder();

onmessage = async ({ data: { script, program } }) => {
	try {
		importScripts(script);
		Object.assign(globalThis.fs, files());
		const go = new Go();
		go.exit = (code) => postMessage({ ended: code });
		const answer = await fetch(program);
		if (!answer.ok) throw new Error(`${program}: ${answer.status}`);
		const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), go.importObject);
		await go.run(instance);
		postMessage({ ended: 0 });
	} catch (error) {
		postMessage({ failed: String(error) });
	}
};

// files returns the functions of Node's fs that Go calls, for files in memory.
function files() {
	const all = new Map([["/tmp", null]]); // folders have no bytes
	const open = new Map(); // by descriptor
	let next = 100;
	const code = (name) => Object.assign(new Error(name), { code: name });
	const answering = (f) => (...args) => {
		const done = args.pop();
		let value;
		try { value = f(...args); } catch (error) { return done(error); }
		done(null, value);
	};
	const stat = (path) => {
		if (!all.has(path)) throw code("ENOENT");
		const bytes = all.get(path);
		return {
			dev: 0, ino: 0, mode: bytes ? 0o100600 : 0o40700, nlink: 1, uid: 0, gid: 0, rdev: 0,
			size: bytes?.length ?? 0, blksize: 4096, blocks: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0,
			isDirectory: () => !bytes,
		};
	};
	const remove = (path) => { if (!all.delete(path)) throw code("ENOENT"); };
	const write = (fd, buffer, offset, length, position) => {
		const from = buffer.subarray(offset, offset + length);
		if (fd <= 2) {
			postMessage({ text: decoder.decode(from, { stream: true }) });
			return length;
		}
		const file = open.get(fd);
		const at = position ?? file.at;
		const old = all.get(file.path);
		const bytes = new Uint8Array(Math.max(old.length, at + length));
		bytes.set(old);
		bytes.set(from, at);
		all.set(file.path, bytes);
		if (position === null) file.at += length;
		return length;
	};
	return {
		constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536 },
		open: answering((path, flags) => {
			if (all.has(path) && flags & 64 && flags & 128) throw code("EEXIST");
			if (!all.has(path) && !(flags & 64)) throw code("ENOENT");
			if (!all.has(path) || flags & 512) all.set(path, new Uint8Array());
			open.set(++next, { path, at: 0 });
			return next;
		}),
		close: answering((fd) => { open.delete(fd); }),
		write: answering(write),
		writeSync: (fd, buffer) => write(fd, buffer, 0, buffer.length, null),
		read: answering((fd, buffer, offset, length, position) => {
			const file = open.get(fd);
			if (!file) return 0; // nobody types
			const at = position ?? file.at;
			const part = (all.get(file.path) ?? new Uint8Array()).subarray(at, at + length);
			buffer.set(part, offset);
			if (position === null) file.at += part.length;
			return part.length;
		}),
		stat: answering(stat), lstat: answering(stat),
		fstat: answering((fd) => stat(open.get(fd)?.path ?? "/tmp")),
		mkdir: answering((path) => {
			if (all.has(path)) throw code("EEXIST");
			all.set(path, null);
		}),
		readdir: answering((path) => [...all.keys()].filter((p) => p.startsWith(path + "/"))
			.map((p) => p.slice(path.length + 1)).filter((p) => !p.includes("/"))),
		rename: answering((from, to) => {
			const bytes = all.get(from);
			remove(from);
			all.set(to, bytes);
		}),
		truncate: answering((path, n) => { all.set(path, all.get(path).slice(0, n)); }),
		ftruncate: answering((fd, n) => {
			const bytes = new Uint8Array(n);
			bytes.set(all.get(open.get(fd).path).subarray(0, n));
			all.set(open.get(fd).path, bytes);
		}),
		unlink: answering(remove), rmdir: answering(remove),
		fsync: answering(() => {}), chmod: answering(() => {}), fchmod: answering(() => {}),
		utimes: answering(() => {}),
	};
}
