import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Deployment } from '@davit/api';
import type { InnerAnswer, Question } from '../http/inner.ts';
import { recordAtItsEnd } from './follow.ts';

const RUNNING = { id: 7, app: 'shop/production/web', status: 'running' } as Deployment;

/** Creates a deployment that does not end automatically. */
function createHarness(record: unknown, eventData: object[] = []) {
  const operations: string[] = [];
  const send = async ({ operation }: Question): Promise<InnerAnswer> => {
    operations.push(operation);
    const events = async function* (signal: AbortSignal) {
      for (const data of eventData) yield { event: 'deployment', data };
      if (eventData.length > 0) return;
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    };
    const reply = operation === 'followDeployment' ? { status: 200, events } : { status: 200, body: record };
    return { exchange: {}, reply } as unknown as InnerAnswer;
  };
  return { asked: operations, ask: send };
}

it('recordAtItsEnd returns the current record of a running deployment after the maximum wait', async () => {
  const { asked: operations, ask: send } = createHarness(RUNNING);
  const answer = await recordAtItsEnd(RUNNING, {
    ask: send,
    signal: new AbortController().signal,
    progress: undefined,
    waitMs: 5,
  });
  assert.deepEqual(answer.reply?.body, RUNNING);
  assert.deepEqual(operations, ['followDeployment', 'getDeployment']);
});

it('recordAtItsEnd does not wait for a deployment that has ended', async () => {
  const { asked: operations, ask: send } = createHarness(RUNNING);
  const over = { ...RUNNING, status: 'succeeded' } as Deployment;
  await recordAtItsEnd(over, { ask: send, signal: new AbortController().signal, progress: undefined });
  assert.deepEqual(operations, ['getDeployment']);
});

it('recordAtItsEnd rejects if the caller has disconnected', async () => {
  const { ask: send } = createHarness(RUNNING);
  const left = new AbortController();
  const waiting = recordAtItsEnd(RUNNING, { ask: send, signal: left.signal, progress: undefined });
  left.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
});

it('progress messages contain the error without terminal sequences and with limited length', async () => {
  const error = `\u001b]0;title\u0007no \u001b[31msuch\u202e image ${'x'.repeat(100_000)}`;
  const { ask: send } = createHarness(RUNNING, [{ id: 7, status: 'failed', phase: null, step: null, error }]);
  const said: string[] = [];
  const progress = async (message: string) => void said.push(message);
  await recordAtItsEnd(RUNNING, { ask: send, signal: new AbortController().signal, progress });
  assert.match(said.join(), /^Deployment 7 is failed: no such image x+$/);
  assert.ok(said.join().length < 1_100);
});
