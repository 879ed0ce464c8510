import assert from 'node:assert/strict';
import test from 'node:test';
import { allOperations } from './index.ts';

const creating = allOperations.filter(({ responses }) => 201 in responses);

test('every create operation has a matching GET operation and a Location header', () => {
  for (const { id, path, responses } of creating) {
    const reads = allOperations.some(
      ({ method, path: of }) => method === 'GET' && of.replace(/\/\{\w+\}$/, '') === path,
    );
    assert.ok(reads, `${id} has no GET of one thing below ${path}: declare one, and answer its address`);
    assert.ok(
      'Location' in ((responses as Record<number, { headers?: object }>)[201]?.headers ?? {}),
      `${id}: Location`,
    );
  }
});

test('every operation with a deploy or detach flag names the flag in askedBy', () => {
  for (const { id, query, responses } of allOperations) {
    const flag = ['deploy', 'detach'].find((name) => Object.hasOwn(query?.shape ?? {}, name));
    const [requestedBy] = Object.values(responses as Record<number, { askedBy?: string }>).flatMap(
      (one) => one.askedBy ?? [],
    );
    assert.equal(requestedBy, flag, `${id}: set askedBy of its 202`);
  }
});
