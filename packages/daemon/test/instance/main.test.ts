import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.mjs', import.meta.url));

/**
 * Module that reports the loaded modules at the end: files, the number of sources that Node itself searched for, and
 * built-in modules.
 */
const LOADED = `
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const files = [];
  let searches = 0;
  registerHooks({
    load: (url, context, next) => (files.push(url), next(url, context)),
    resolve(name, context, next) {
      if (context.parentURL?.endsWith('.ts') && name.startsWith('.') && name.endsWith('.ts')) searches += 1;
      return next(name, context);
    },
  });
  process.on('exit', () => writeSync(1, JSON.stringify({ files, searches, builtins: process.moduleLoadList })));
`;

/** Packages that only some instances need, or that are needed rarely. The packages are loaded at their first use. */
const LAZY = [
  '@asteasolutions/zod-to-openapi',
  'acme-client',
  '@modelcontextprotocol/server',
  'jose',
  '@peculiar/x509',
  'prom-client',
  'ws',
  '@scalar/api-reference',
  '@aws-sdk',
  '@smithy',
];

function spawnOn(dataDir: string, nodeFlags: string[] = []) {
  const flags = ['--engine', 'memory', '--listen', '127.0.0.1:0', '--http-port', '0', '--data-dir', dataDir];
  return spawn(process.execPath, [...nodeFlags, MAIN, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * Starts the instance of a folder, waits until it is ready, and stops it.
 * @returns its standard output
 */
async function startAndStop(dataDir: string, nodeFlags: string[] = []): Promise<string> {
  const child = spawnOn(dataDir, nodeFlags);
  const exited = once(child, 'exit');
  const written = text(child.stdout);
  try {
    const lines: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      lines.push(line);
      if (line.startsWith('The API is at')) break;
    }
    assert.match(lines.at(-1) ?? '', /^The API is at/, lines.join('\n'));
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
  return written;
}

it('makes its data directory for its owner alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-main-'));
  try {
    const dataDir = join(folder, 'data');
    await startAndStop(dataDir);
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('brings what only some need when it is needed, and strips no types from the second start on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'davit-main-'));
  try {
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(LOADED)}`];
    await startAndStop(dataDir, flags);
    const { files, searches, builtins } = JSON.parse(await startAndStop(dataDir, flags)) as {
      files: string[];
      searches: number;
      builtins: string[];
    };

    const early = files.filter((url) => LAZY.some((name) => url.includes(`/node_modules/${name}/`)));
    assert.deepEqual(early, [], 'import these where they are used: each instance would pay for them all the time');
    assert.deepEqual(
      builtins.filter((name) => name.includes('amaro')),
      [],
      'types are stripped before the compile cache is open',
    );
    const languages = files.filter((url) => /\/zod\/.*\/locales\//.test(url));
    assert.equal(languages.length, 1, languages.join('\n'));
    assert.equal(searches, 0, 'find-modules.mjs has to be in use before the first source is');
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('ends when it cannot be brought up, with the reason', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'davit-main-'));
  try {
    await startAndStop(dataDir);
    using db = new DatabaseSync(join(dataDir, 'davit.db'));
    db.exec('ALTER TABLE routes RENAME TO lost');
    const child = spawnOn(dataDir);
    const [written, [code]] = await Promise.all([text(child.stderr), once(child, 'exit'), text(child.stdout)]);
    assert.match(written, /^✗ The database \S+davit\.db does not have the tables .* Restore a copy/m);
    assert.doesNotMatch(written, /no such table/);
    assert.equal(code, 1);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
