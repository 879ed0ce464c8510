import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppFiles, MOST_FILES } from './app-file.ts';

it('AppFiles does not compare the paths of too many files', () => {
  const files = (count: number) => Array.from({ length: count }, () => ({ path: '/etc/app', content: '' }));
  const codes = (count: number) => AppFiles.safeParse(files(count)).error?.issues.map(({ code }) => code);
  assert.deepEqual(codes(3), ['custom', 'custom']);
  assert.deepEqual(codes(MOST_FILES + 1), ['too_big']);
});
