import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Lanes } from './lanes.ts';

const NEVER = new Promise<void>(() => undefined);

describe('Lanes', () => {
  it('runs no more tasks at the same time than its width', async () => {
    const lanes = new Lanes(2, new AbortController().signal);
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const begun: number[] = [];
    const work = (at: number) => () => {
      begun.push(at);
      return gates[at]?.promise ?? NEVER;
    };
    await lanes.add(work(0));
    await lanes.add(work(1));
    const third = lanes.add(work(2));
    assert.deepEqual(begun, [0, 1]);
    gates[1]?.resolve();
    await third;
    assert.deepEqual(begun, [0, 1, 2]);
    for (const { resolve } of gates) resolve();
    await lanes.idle();
  });

  it('rejects idle and add with the error of a failed task', async () => {
    const lanes = new Lanes(1, new AbortController().signal);
    await lanes.add(() => Promise.reject(new Error('no room')));
    await assert.rejects(lanes.idle(), /no room/);
    await assert.rejects(
      lanes.add(async () => undefined),
      /no room/,
    );
  });

  it('rejects waiting callers if the signal is aborted, even with hanging work', async () => {
    const stopping = new AbortController();
    const lanes = new Lanes(1, stopping.signal);
    await lanes.add(() => NEVER);
    const waiting = [lanes.add(() => NEVER), lanes.idle()].map((one) => assert.rejects(one, /stopping/));
    stopping.abort(new Error('stopping'));
    await Promise.all(waiting);
  });
});
