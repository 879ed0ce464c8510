import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { localFilesBeside } from './local-files.ts';

let above: string;
let folder: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'davit-local-'));
  folder = join(above, 'stack');
  mkdirSync(folder);
});
afterEach(() => rmSync(above, { recursive: true, force: true }));

const write = (path: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};

/** Returns the files for the mounts of a service. */
const read = (...volumes: string[]) =>
  localFilesBeside(folder, JSON.stringify({ services: { web: { image: 'a', env_file: 'web.env', volumes } } }));

describe('localFilesBeside', () => {
  test('reads files, and folders with settings but not with data', async () => {
    write('web.env', 'A=1');
    write('nginx.conf', 'listen 80;');
    write('rules/deep/a.yml', 'é');
    write('data/secret', 'x');
    write('other', 'x');
    assert.deepEqual(await read('./nginx.conf:/x', './rules:/etc/rules', './data:/data'), {
      'web.env': 'A=1',
      'nginx.conf': 'listen 80;',
      'rules/deep/a.yml': 'é',
    });
  });

  test('leaves out paths that do not exist or that lead out of the folder', async () => {
    writeFileSync(join(above, 'outside'), 'x');
    symlinkSync('../outside', join(folder, 'link'));
    mkdirSync(join(folder, 'rules'));
    symlinkSync('../../outside', join(folder, 'rules/link'));
    assert.deepEqual(await read('./link:/etc/a', '../outside:/etc/b', './rules:/etc/rules', './none:/etc/n'), {});
  });

  test('leaves out a folder if one of its files is large or no text, or if it has more than 64 files', async () => {
    write('large/a', 'x'.repeat(60_001));
    write('binary/a', new Uint8Array([0xff, 0xfe]));
    write('binary/b', 'text');
    write('nul', 'a\0b');
    for (let number = 0; number < 65; number++) write(`many/${number}`, 'x');
    assert.deepEqual(await read('./large:/etc/l', './binary:/etc/b', './nul:/etc/nul', './many:/etc/m'), {});
  });

  test('reads at most 256 files in total', async () => {
    const folders = ['a', 'b', 'c', 'd', 'e'];
    for (const name of folders) for (let number = 0; number < 60; number++) write(`${name}/${number}`, 'x');
    const paths = Object.keys(await read(...folders.map((name) => `./${name}:/etc/${name}`)));
    assert.deepEqual([paths.length, paths.some((path) => path.startsWith('e/'))], [240, false]);
  });

  test('leaves out a folder with a named pipe, which no program writes to', { timeout: 10_000 }, async () => {
    write('rules/a.yml', 'a');
    execFileSync('mkfifo', [join(folder, 'rules/pipe'), join(folder, 'web.env')]);
    write('nginx.conf', 'listen 80;');
    assert.deepEqual(await read('./rules:/etc/rules', './nginx.conf:/x'), { 'nginx.conf': 'listen 80;' });
  });

  test('reads at most 128 KiB in total', async () => {
    for (const name of ['a', 'b', 'c']) write(name, 'x'.repeat(50_000));
    assert.deepEqual(Object.keys(await read('./a:/etc/a', './b:/etc/b', './c:/etc/c')), ['a', 'b']);
  });
});
