import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client, Task } from '@davit/api';
import { untilEnded } from './until-ended.ts';

const SOON_MS = 1;

/**
 * Returns a client whose instance keeps a request open until it is aborted. The task has ended at the third request.
 */
function instance(requests: string[]): Client {
  const getTask: Client['getTask'] = ({ query, signal } = { params: { task: '7' } }) => {
    requests.push(query?.wait === 'true' ? 'held' : 'read');
    const status = requests.filter((one) => one === 'held').length < 3 ? 'running' : 'succeeded';
    if (query?.wait !== 'true' || status === 'succeeded') return Promise.resolve({ id: 7, status } as Task);
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  return { getTask } as Client;
}

test('untilEnded keeps waiting for a task beyond the maximum request time', async () => {
  const requests: string[] = [];
  const task = await untilEnded(instance(requests), 7, new AbortController().signal, SOON_MS);
  assert.deepEqual([task.status, requests], ['succeeded', ['held', 'read', 'held', 'read', 'held']]);
});

test('untilEnded sends no further request after an abort', async () => {
  const requests: string[] = [];
  const left = new AbortController();
  const waiting = untilEnded(instance(requests), 7, left.signal);
  left.abort(new Error('left'));
  await assert.rejects(waiting, /left/);
  assert.deepEqual(requests, ['held']);
});
