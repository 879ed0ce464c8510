import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogLine } from '../../adapters/engine/logs.ts';
import { OutputTail } from './output.ts';

const line = (text: string): LogLine => ({ at: new Date(0), stream: 'stdout', line: text });

describe('output tail of a command', () => {
  it('keeps the last 64 KiB of output', async () => {
    const tail = new OutputTail();
    const take = tail.from(undefined);

    for (let i = 0; i < 5_000; i++) await take(line(`${i}`.padStart(99, '0')));

    assert.equal(Buffer.byteLength(tail.text()), 64 * 1024);
    assert.ok(tail.text().endsWith(`${'4999'.padStart(99, '0')}\n`));
  });

  it('contains each line once if an attempt repeats earlier lines', async () => {
    const tail = new OutputTail();
    const received: string[] = [];
    const next = ({ line: text }: LogLine) => void received.push(text);
    const first = tail.from(next);
    await first(line('one'));
    await first(line('two'));
    const second = tail.from(next);

    for (const text of ['one', 'two', 'three']) await second(line(text));

    assert.equal(tail.text(), 'one\ntwo\nthree\n');
    assert.deepEqual(received, ['one', 'two', 'three']);
  });
});
