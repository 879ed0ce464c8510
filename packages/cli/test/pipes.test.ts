/** What a process does when nobody reads what it writes, as `davit … | head` makes of it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** @returns its exit code */
async function unread(words: string[]): Promise<number> {
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  child.stderr.destroy();
  const [code] = await once(child, 'exit');
  return code;
}

test('output that nobody reads ends a command without a fault', async () => {
  assert.equal(await unread(['completion', 'bash']), 0);
});

test('notes and errors that nobody reads change nothing about how a command ends', async () => {
  assert.equal(await unread(['nope']), 2);
});
