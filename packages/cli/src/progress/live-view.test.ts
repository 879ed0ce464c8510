import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { environmentOfProcess } from '../process/env.ts';
import { LiveView } from './live-view.ts';

const HOSTILE = '\u001b]0;title\u0007\u001b[2J\r\nnext';
const SHOWN = '␛]0;title␇␛[2J␍␊next';

/** Returns the text that a view writes to the terminal. */
async function shown(use: (view: LiveView) => void): Promise<string> {
  const stderr = Object.assign(new PassThrough().setEncoding('utf8'), { isTTY: true, columns: 80, rows: 24 });
  const env = environmentOfProcess({ TERM: 'xterm' });
  const { signal } = new AbortController();
  const runtime = { stdin: new PassThrough(), stdout: new PassThrough(), stderr, env, cwd: '/', signal };
  const globals = { json: false, quiet: false, noColor: false, yes: false, local: false, context: undefined };
  using view = await LiveView.open({ world: runtime, env, globals });
  use(view);
  return stderr.read() ?? '';
}

test('a permanent line keeps its styles and escapes control characters', async () => {
  const text = await shown((view) => view.line(`${view.paint('✓', 'green')} Task ${HOSTILE}`));
  assert.ok(text.includes(`\u001b[32m✓\u001b[39m Task ${SHOWN}\n`), JSON.stringify(text));
});

test('a redrawn line keeps its styles and escapes control characters', async () => {
  const text = await shown((view) => view.show(() => [`${view.paint('*', 'cyan')} ${HOSTILE}`, 'second']));
  assert.ok(text.includes(`\u001b[36m*\u001b[39m ${SHOWN}\nsecond`), JSON.stringify(text));
});
