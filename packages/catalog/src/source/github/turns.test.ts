import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Turns } from './turns.ts';

const never = new AbortController().signal;

describe('Turns', () => {
  it('runs waiting work in order and never at the same time', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const work = async (name: string) => {
      using _turn = await turns.take(never);
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
    };
    await Promise.all([work('one'), work('two'), work('three')]);
    assert.deepEqual(seen, ['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
  });

  it('drops an aborted wait and then gives the turn to the next caller', async () => {
    const turns = new Turns();
    const stopped = new AbortController();
    const first = await turns.take(never);
    const second = turns.take(stopped.signal);
    const third = turns.take(never);
    stopped.abort(new Error('stopped'));
    await assert.rejects(second, /stopped/);
    let reached = false;
    const watched = third.then((turn) => {
      reached = true;
      return turn;
    });
    await Promise.resolve();
    assert.equal(reached, false);
    first[Symbol.dispose]();
    (await watched)[Symbol.dispose]();
    assert.equal(reached, true);
  });

  it('rejects a caller whose signal is already aborted', async () => {
    await assert.rejects(new Turns().take(AbortSignal.abort(new Error('stopped'))), /stopped/);
  });
});
