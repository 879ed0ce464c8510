/** Tests that the archive command writes a WAL segment to the disk before the server recycles the segment. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ARCHIVING, WAITING } from './postgres-archiving.ts';

const NAME = '000000010000000000000003';
const command = (ARCHIVING.at(-1) ?? '')
  .replace('archive_command=', '')
  .replaceAll('%p', 'segment')
  .replaceAll('%f', NAME);

test('the archive command syncs a WAL segment before and after the rename', () => {
  const steps = command.split(' && ');

  const at = (step: string) => steps.indexOf(step);
  const moved = at(`mv ${WAITING}/.${NAME} ${WAITING}/${NAME}`);
  assert.ok(moved > 0);
  assert.equal(at(`sync ${WAITING}/.${NAME}`), moved - 1);
  assert.equal(at(`sync ${WAITING} .`), steps.length - 1);
});

test('archiving a WAL segment again replaces a damaged copy', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-archiving-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const archive = () => execFileSync('sh', ['-c', command], { cwd: folder });
  writeFileSync(join(folder, 'segment'), 'the whole segment');
  archive();
  writeFileSync(join(folder, WAITING, NAME), '');

  archive();

  assert.equal(readFileSync(join(folder, WAITING, NAME), 'utf8'), 'the whole segment');
});
