import type { Readable } from 'node:stream';

/** Yields the lines of a text stream without line feeds. Rejects if the stream fails. */
export async function* readLines(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
