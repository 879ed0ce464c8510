import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('main.mjs', import.meta.url));

it('makes its data directory for its owner alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-main-'));
  const dataDir = join(folder, 'data');
  const flags = ['--engine', 'memory', '--listen', '127.0.0.1:0', '--http-port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  try {
    const lines: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      lines.push(line);
      if (line.startsWith('The API is at')) break;
    }
    assert.match(lines.at(-1) ?? '', /^The API is at/, lines.join('\n'));
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  } finally {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
});
