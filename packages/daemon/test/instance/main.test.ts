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
import { BUNDLE } from '../../src/bundle.mjs';

const MAIN = fileURLToPath(new URL('../../src/main.mjs', import.meta.url));
/** The same program without the bundle. */
const SOURCES = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Module that reports the loaded modules at the end: files and built-in modules. */
const LOADED = `
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const files = [];
  registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
  process.on('exit', () => writeSync(1, JSON.stringify({ files, builtins: process.moduleLoadList })));
`;
const REPORT_LOADED = ['--import', `data:text/javascript,${encodeURIComponent(LOADED)}`];

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

function spawnOn(dataDir: string, program = [MAIN]) {
  const flags = ['--engine', 'memory', '--listen', '127.0.0.1:0', '--http-port', '0', '--data-dir', dataDir];
  return spawn(process.execPath, [...program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * Starts the instance of a folder, waits until it is ready, and stops it.
 * @returns its standard output
 */
async function startAndStop(dataDir: string, program?: string[]): Promise<string> {
  const child = spawnOn(dataDir, program);
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

it('the daemon creates its data directory with access for the owner only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-main-'));
  try {
    const dataDir = join(folder, 'data');
    await startAndStop(dataDir);
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Returns the modules that the start of an instance loads. */
async function loadedBy(main: string): Promise<{ files: string[]; builtins: string[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'davit-main-'));
  try {
    return JSON.parse(await startAndStop(dataDir, [...REPORT_LOADED, main]));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

it('the start of the daemon does not load rarely needed packages', async () => {
  const { files } = await loadedBy(SOURCES);

  const early = files.filter((url) => LAZY.some((name) => url.includes(`/node_modules/${name}/`)));
  assert.deepEqual(early, [], 'import these where they are used: each instance would pay for them all the time');
});

it('the start of the daemon loads the bundle without sources or type stripping', async () => {
  const { files, builtins } = await loadedBy(MAIN);

  assert.deepEqual(
    files.filter((url) => url.endsWith('.ts') || url.includes('/node_modules/')),
    [],
    'setup must have built the bundle from the present sources',
  );
  assert.ok(files.includes(BUNDLE.href), files.join('\n'));
  assert.deepEqual(
    builtins.filter((name) => name.includes('amaro')),
    [],
  );
});

it('the daemon starts in safe mode with the reason if the database lacks tables, and ends on SIGTERM', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'davit-main-'));
  try {
    await startAndStop(dataDir);
    {
      using db = new DatabaseSync(join(dataDir, 'davit.db'));
      db.exec('ALTER TABLE routes RENAME TO lost');
    }
    const child = spawnOn(dataDir);
    const ended = once(child, 'exit');
    const output = text(child.stdout);
    const lines: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      lines.push(line);
      if (line.includes('davit instance restore-state')) break;
    }
    child.kill('SIGTERM');
    const said = lines.slice(lines.findIndex((line) => line.startsWith('✗')));
    assert.match(said[0] ?? '', /^✗ Davit runs in safe mode at http:/);
    assert.match(said[1] ?? '', /^ {2}The database \S+davit\.db does not have the tables /);
    assert.doesNotMatch(lines.join(), /no such table/);
    assert.deepEqual(await ended, [0, null]);
    assert.match(await output, /safe mode/);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
