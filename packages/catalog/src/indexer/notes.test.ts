import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Notes } from './notes.ts';

describe('Notes', () => {
  it('writes notes of the same moment as a single group in order', async () => {
    const groups: string[][] = [];
    let group: string[] = [];
    const notes = new Notes((work) => {
      group = [];
      work();
      groups.push(group);
    });
    const note = (text: string) => notes.add(() => void group.push(text));
    await Promise.all([note('a'), note('b'), note('c')]);
    await note('d');
    assert.deepEqual(groups, [['a', 'b', 'c'], ['d']]);
  });

  it('rejects every note of a group that cannot be written', async () => {
    const notes = new Notes(() => {
      throw new Error('disk full');
    });
    const all = await Promise.allSettled([notes.add(() => undefined), notes.add(() => undefined)]);
    assert.deepEqual(
      all.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  });
});
