/** Tests a command whose output is closed before the command ends, as in `davit … | head`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/**
 * Runs a command and closes its output immediately.
 * @returns exit code of the command
 */
async function unread(words: string[]): Promise<number> {
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  child.stderr.destroy();
  const [code] = await once(child, 'exit');
  return code;
}

test('a command exits with 0 if its output is closed', async () => {
  assert.equal(await unread(['completion', 'bash']), 0);
});

test('a usage error exits with 2 if its output is closed', async () => {
  assert.equal(await unread(['nope']), 2);
});

test('a command reports a full disk in one line and exits with 1', async () => {
  for (const words of [['completion', 'bash'], ['--help']]) {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    assert.ok(child.stderr);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^error: The output cannot be written \(the disk is full\)\.[^\n]*\n$/);
  }
});
