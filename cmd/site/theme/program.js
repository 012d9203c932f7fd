// A worker that runs one Go program and sends what it prints. Its first message is
// { script, program }: the addresses of wasm_exec.js and of the program.
"use strict";

onmessage = async ({ data: { script, program } }) => {
	try {
		importScripts(script);
		Object.assign(globalThis.fs, files());
		const go = new Go();
		go.exit = (code) => postMessage({ ended: code });
		const answer = await fetch(program);
		if (!answer.ok) throw new Error(`${program}: ${answer.status}`);
		const bytes = await answer.arrayBuffer();
		await go.run((await WebAssembly.instantiate(bytes, go.importObject)).instance);
		postMessage({ ended: 0 });
	} catch (error) {
		postMessage({ failed: String(error) });
	}
};

// files returns those functions of Node's fs that the examples need, for files in memory.
function files() {
	const all = new Map([["/tmp", null]]); // bytes by path; folders have none
	const opened = [{}, {}, {}]; // { path, at } by descriptor; three are not files
	const fail = (code) => { throw Object.assign(new Error(code), { code }); };
	const find = (path) => all.has(path) ? all.get(path) : fail("ENOENT");
	const stat = (path) => {
		const bytes = find(path);
		return {
			dev: 0, ino: 0, mode: bytes ? 0o100600 : 0o40700, nlink: 1, uid: 0, gid: 0, rdev: 0,
			size: bytes?.length ?? 0, blksize: 4096, blocks: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0,
			isDirectory: () => !bytes,
		};
	};
	const remove = (path) => { find(path); all.delete(path); };
	const decoder = new TextDecoder();
	const print = (fd, bytes) => {
		postMessage({ text: decoder.decode(bytes, { stream: true }) });
		return bytes.length;
	};
	const O_CREAT = 64, O_EXCL = 128, O_TRUNC = 512;
	const calls = {
		stat, lstat: stat, unlink: remove, rmdir: remove, fsync() {}, close() {},
		fstat: (fd) => stat(opened[fd].path ?? "/tmp"),
		mkdir: (path) => all.has(path) ? fail("EEXIST") : void all.set(path, null),
		readdir: (path) => [...all.keys()].filter((p) => p.startsWith(path + "/"))
			.map((p) => p.slice(path.length + 1)).filter((p) => !p.includes("/")),
		rename(from, to) {
			all.set(to, find(from));
			all.delete(from);
		},
		open(path, flags) {
			if (!(flags & O_CREAT)) find(path);
			if (all.has(path) && flags & O_CREAT && flags & O_EXCL) fail("EEXIST");
			if (!all.has(path) || flags & O_TRUNC) all.set(path, new Uint8Array());
			return opened.push({ path, at: 0 }) - 1;
		},
		read(fd, buffer, offset, length, position) {
			if (fd < 3) return 0; // nobody types
			const file = opened[fd], at = position ?? file.at;
			const part = find(file.path).subarray(at, at + length);
			buffer.set(part, offset);
			if (position === null) file.at += part.length;
			return part.length;
		},
		write(fd, buffer, offset, length, position) {
			const part = buffer.subarray(offset, offset + length);
			if (fd < 3) return print(fd, part);
			const file = opened[fd], at = position ?? file.at, old = find(file.path);
			const bytes = new Uint8Array(Math.max(old.length, at + length));
			bytes.set(old);
			bytes.set(part, at);
			all.set(file.path, bytes);
			if (position === null) file.at += length;
			return length;
		},
	};
	const answering = (call) => (...args) => {
		const done = args.pop();
		let value;
		try { value = call(...args); } catch (error) { return done(error); }
		done(null, value);
	};
	const answers = Object.entries(calls).map(([name, call]) => [name, answering(call)]);
	return {
		...Object.fromEntries(answers), writeSync: print,
		constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT, O_EXCL, O_TRUNC, O_APPEND: 1024, O_DIRECTORY: 65536 },
	};
}
