import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LogColumns } from './log-columns.ts';

test('LogColumns repeatedly merges batches into a single batch with all lines', () => {
  const columns = new LogColumns();
  const lines = fc.array(fc.record({ nanos: fc.nat(), stderr: fc.nat(1), text: fc.base64String({ maxLength: 200 }) }));
  fc.assert(
    fc.property(fc.array(lines), (batches) => {
      for (const batch of batches) {
        columns.addAll({
          count: batch.length,
          seconds: Uint32Array.from(batch, (_, n) => n),
          nanos: Uint32Array.from(batch, ({ nanos }) => nanos),
          stderr: Uint8Array.from(batch, ({ stderr }) => stderr),
          text: Buffer.from(batch.map(({ text }) => `${text}\n`).join('')),
        });
      }
      const taken = columns.take();
      const all = batches.flat();
      assert.equal(taken.count, all.length);
      assert.deepEqual(
        [...taken.seconds],
        batches.flatMap((batch) => batch.map((_, n) => n)),
      );
      assert.deepEqual(
        [...taken.nanos],
        all.map(({ nanos }) => nanos),
      );
      assert.deepEqual(
        [...taken.stderr],
        all.map(({ stderr }) => stderr),
      );
      assert.equal(taken.text.toString(), all.map(({ text }) => `${text}\n`).join(''));
    }),
  );
});
