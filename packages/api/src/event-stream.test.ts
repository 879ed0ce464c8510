import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readEventStream, type ServerSentEvent } from './event-stream.ts';

async function read(text: string, size = text.length): Promise<{ events: ServerSentEvent[]; retries: number[] }> {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let i = 0; i < bytes.length; i += size) pieces.push(bytes.slice(i, i + size));
  const body = new Blob(pieces).stream();
  const cut = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const events: ServerSentEvent[] = [];
  const retries: number[] = [];
  for await (const event of readEventStream(size === text.length ? body : cut, { onRetry: (ms) => retries.push(ms) })) {
    events.push(event);
  }
  return { events, retries };
}

const STREAM =
  'retry: 2000\n\n:\n\nid: 1\nevent: app\ndata: {"ü":1}\n\ndata:a\ndata: b\n\nid: 2\ndata\n\nevent: x\n\nid: 3\ndata: cut';
const EVENTS = [
  { id: '1', event: 'app', data: '{"ü":1}' },
  { id: '1', event: 'message', data: 'a\nb' },
  { id: '2', event: 'message', data: '' },
];

it('readEventStream returns the same events for every chunk size', async () => {
  for (const size of [STREAM.length, 1, 2, 3, 7]) {
    const { events, retries } = await read(STREAM, size);
    assert.deepEqual(events, EVENTS, `pieces of ${size}`);
    assert.deepEqual(retries, [2_000]);
  }
});

it('readEventStream accepts CRLF, CR and LF as line breaks', async () => {
  for (const end of ['\r\n', '\r', '\n']) {
    for (const size of [1, 5]) assert.deepEqual((await read(STREAM.replaceAll('\n', end), size)).events, EVENTS);
  }
});
