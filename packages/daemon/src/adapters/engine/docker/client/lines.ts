import type { Readable } from 'node:stream';

/** The lines of a stream of text, without their ends. Rejects when the stream breaks off. */
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
