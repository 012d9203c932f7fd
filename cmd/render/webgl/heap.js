// Reads the memory of a Go program in place. A view of a memory loses its length when the memory
// grows, and any call from Go may make it grow; so views are looked after here, in the same call
// that uses them.
"use strict";

globalThis.goHeap = (memory) => {
  let floats = new Float32Array(memory.buffer);
  let views = 1;
  const view = () => {
    if (floats.length === 0) {
      floats = new Float32Array(memory.buffer);
      views++;
    }
    return floats;
  };
  return {
    // buffer copies bytes at an address to an offset in the buffer that gl has bound.
    buffer: (gl, target, offset, address, bytes) =>
      gl.bufferSubData(target, offset, view(), address / 4, bytes / 4),

    // matrix sets a uniform to the 16 floats at an address.
    matrix: (gl, location, address) =>
      gl.uniformMatrix4fv(location, false, view(), address / 4, 16),

    // image fills the texture that gl has bound with an image at an address.
    image: (gl, width, height, address) =>
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE,
        new Uint8Array(memory.buffer, address, width * height * 4)),

    // picture shows an image at an address on a 2D canvas.
    picture: (context, width, height, address) =>
      context.putImageData(new ImageData(
        new Uint8ClampedArray(memory.buffer, address, width * height * 4), width, height), 0, 0),

    // views counts how often the memory was looked at anew.
    views: () => views,
  };
};
