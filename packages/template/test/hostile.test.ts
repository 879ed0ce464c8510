import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { oldestNode } from '../../../scripts/testing/packed.ts';
import { CODES } from '../src/codes.ts';
import { BOMBS } from './support/bombs.ts';
import type { Defused } from './support/defuse.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, 'support/defuse.ts');
/** Memory limits of the process. A check that needs much memory or deep recursion for a bomb ends the process. */
const TIGHT = ['--max-old-space-size=96', '--stack-size=300'];
const GIVE_UP_MS = 60_000;

async function assertDefused(runtime: string, script: string): Promise<void> {
  const { stdout } = await run(runtime, [...TIGHT, script], { timeout: GIVE_UP_MS, maxBuffer: 1024 * 1024 });
  const { defused } = JSON.parse(stdout) as { defused: Record<string, Defused> };
  for (const name of Object.keys(BOMBS)) {
    const { code } = defused[name] ?? {};
    assert.ok(code !== undefined && code in CODES, `${name}: ${code}`);
  }
}

test('checkTemplate answers every template bomb with a known code under tight memory limits', async () => {
  await assertDefused(process.execPath, SCRIPT);
});

test('checkTemplate answers every template bomb with a known code in the oldest Node.js', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-bombs-'));
  try {
    const outfile = join(folder, 'defuse.mjs');
    const banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    };
    await build({
      entryPoints: [SCRIPT],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      banner,
    });
    await assertDefused(await oldestNode(), outfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
