import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppFiles, MOST_FILES } from './app-file.ts';

describe('AppFiles', () => {
  it('does not compare the paths of too many files', () => {
    const files = (count: number) => Array.from({ length: count }, () => ({ path: '/etc/app', content: '' }));
    const codes = (count: number) => AppFiles.safeParse(files(count)).error?.issues.map(({ code }) => code);
    assert.deepEqual(codes(3), ['custom', 'custom']);
    assert.deepEqual(codes(MOST_FILES + 1), ['too_big']);
  });

  it('names the folders of too many files, the largest folder first', () => {
    const filesIn = (folder: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ path: `${folder}/${index}`, content: '' }));
    const messages = (files: unknown) => AppFiles.safeParse(files).error?.issues.map(({ message }) => message) ?? [];
    assert.deepEqual(messages([...filesIn('/etc/a', 30), ...filesIn('/etc/b', 34)]), []);
    assert.deepEqual(messages([...filesIn('/etc/a', 30), ...filesIn('/etc/b', 35)]), [
      `must have at most ${MOST_FILES} files in total, but has 65: 35 in /etc/b, 30 in /etc/a`,
    ]);
    const many = [...filesIn('/a', 4), ...filesIn('/b', 60), ...filesIn('/c', 3), ...filesIn('', 5)];
    assert.deepEqual(messages(many), [
      `must have at most ${MOST_FILES} files in total, but has 72: 60 in /b, 5 in /, 4 in /a, 3 in other folders`,
    ]);
  });
});
