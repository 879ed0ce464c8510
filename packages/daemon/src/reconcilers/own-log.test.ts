import assert from 'node:assert/strict';
import { appendFile, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { InstanceSettings } from '@davit/api';
import { ownLogTask } from './own-log.ts';

const MIB = 1024 * 1024;
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'davit-log-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Runs one pass with a limit of one MiB. */
async function pass(): Promise<void> {
  const facts = { dataDir } as Parameters<typeof ownLogTask>[0]['facts'];
  const settings = () => InstanceSettings.parse({ logs: { daemon_bytes: MIB } });
  await ownLogTask({ facts, settings }).run(new AbortController().signal);
}

test('the log task keeps a log below the limit and accepts a missing log', async () => {
  await pass();
  await appendFile(join(dataDir, 'davit.log'), 'a line\n');

  await pass();

  assert.deepEqual(await readdir(dataDir), ['davit.log']);
  assert.equal(await readFile(join(dataDir, 'davit.log'), 'utf8'), 'a line\n');
});

test('the log task rotates a large log and keeps the open file writable', async () => {
  const file = join(dataDir, 'davit.log');
  await using writer = await open(file, 'a');
  for (const letter of ['a', 'b']) {
    await writer.write(letter.repeat(MIB + 1));
    await pass();
  }
  await writer.write('after\n');

  assert.equal(await readFile(file, 'utf8'), 'after\n');
  assert.equal((await readFile(`${file}.1`, 'utf8')).replaceAll('b', ''), '');
  assert.equal((await stat(`${file}.1`)).size, MIB + 1);
  assert.deepEqual((await readdir(dataDir)).sort(), ['davit.log', 'davit.log.1']);
});
