import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { engineFlags, writeEngineSettings } from './engine-settings.mjs';

const FLAGS = ['--live-restore=true', '--max-concurrent-downloads=100000'];

test('engineFlags omits settings that the configuration file of the engine contains', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-engine-settings-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'docker', 'daemon.json');
  assert.deepEqual(await engineFlags({ file }), FLAGS);

  await writeEngineSettings(file);

  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { 'max-concurrent-downloads': 100_000 });
  assert.deepEqual(await engineFlags({ file }), FLAGS.slice(0, 1));
});

test('writeEngineSettings keeps an existing configuration file of the user', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-engine-settings-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'daemon.json');
  await writeFile(file, '{ "live-restore": true }');

  await writeEngineSettings(file);

  assert.equal(await readFile(file, 'utf8'), '{ "live-restore": true }');
  assert.deepEqual(await engineFlags({ file }), FLAGS.slice(1));
});
