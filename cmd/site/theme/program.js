// A worker that runs one Go program and sends what it prints. Its first message is
// { script, program, args }: the addresses of wasm_exec.js and of the program, and its arguments.
// It has no files.
"use strict";

onmessage = async ({ data: { script, program, args } }) => {
	try {
		importScripts(script);
		const decoder = new TextDecoder();
		globalThis.fs.writeSync = (descriptor, bytes) => {
			postMessage({ text: decoder.decode(bytes, { stream: true }) });
			return bytes.length;
		};
		const go = new Go();
		go.argv.push(...args);
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
