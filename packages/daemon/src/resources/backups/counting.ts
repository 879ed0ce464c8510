/** Returns a byte stream unchanged, and calls a function with the total number of bytes after each chunk. */
export async function* counting(
  bytes: AsyncIterable<Uint8Array>,
  on: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of bytes) {
    done += chunk.length;
    on(done);
    yield chunk;
  }
}
