import assert from 'node:assert/strict';
import { it } from 'node:test';
import { byService, summary } from './notes.ts';

const note = (service: string | null, kind: 'carried' | 'changed' | 'left-out') => {
  return { service, kind, key: 'image', message: 'It is there.' };
};

it('groups conversion notes by service and counts the results', () => {
  const notes = [note(null, 'left-out'), note('web', 'carried'), note('web', 'changed'), note('db', 'carried')];
  assert.deepEqual(
    byService(notes).map(({ service, notes: own }) => [service, own.length]),
    [
      [null, 1],
      ['web', 2],
      ['db', 1],
    ],
  );
  assert.equal(summary(notes), '2 settings converted, 1 changed, 1 not supported.');
});
