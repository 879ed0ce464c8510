import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { environmentOfProcess } from '../process/env.ts';
import { createPrompter } from './prompter.ts';

test('choose escapes control characters in option labels', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const stderr = Object.assign(new PassThrough().setEncoding('utf8'), { isTTY: true, columns: 80, rows: 24 });
  const { signal } = new AbortController();
  const runtime = { stdin, stdout: new PassThrough(), stderr, env: environmentOfProcess({}), cwd: '/', signal };

  const answer = createPrompter(runtime).choose('Which?', [{ value: 'a', label: 'one\u001b]0;title\u0007' }]);
  while (!stderr.readableLength) await new Promise((resolve) => setImmediate(resolve));
  stdin.write('\r');

  assert.equal(await answer, 'a');
  const text: string = stderr.read();
  assert.ok(text.includes('one␛]0;title␇') && !text.includes('\u001b]0'), JSON.stringify(text));
});
