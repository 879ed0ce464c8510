import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { environmentOfProcess } from '../process/env.ts';
import { Printer } from './printer.ts';

function printed(print: (out: Printer) => void, options: { quiet?: boolean; colours?: boolean } = {}): string {
  const stdout = new PassThrough().setEncoding('utf8');
  const env = environmentOfProcess(options.colours ? { FORCE_COLOR: '1' } : {});
  const { signal } = new AbortController();
  const runtime = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env, cwd: '/', signal };
  print(new Printer(runtime, { json: false, quiet: options.quiet ?? false, noColor: false }));
  return stdout.read() ?? '';
}

const HOSTILE = '\u001b]0;title\u0007\u001b[2J\u009b1A\u001b[8m\r\nnext\u202e';

test('painted keeps its own styles and escapes all other control characters', () => {
  const painted = printed((out) => out.painted(`${out.paint(HOSTILE, 'dim')} ${out.paint('ok', 'green')}`), {
    colours: true,
  });
  const plain = printed((out) => out.painted(`\u001b[2m${HOSTILE}`));

  const shown = '␛]0;title␇␛[2J\ufffd1A␛[8m␍␊next\ufffd';
  assert.equal(painted, `\u001b[2m${shown}\u001b[22m \u001b[32mok\u001b[39m\n`);
  assert.equal(plain, `␛[2m${shown}\n`);
});

test('a quiet list for completion contains only names safe for shells', () => {
  const ids = ['shop/production/web', '$(touch x)', '`x`', 'a b', '--yes', 'a:1.2_b'];
  const view = { columns: [], id: (row: string) => row, empty: '' };

  const all = printed((out) => out.list(ids, view), { quiet: true });
  const completed = printed((out) => out.list(ids, { ...view, isCompleted: true }), { quiet: true });

  assert.equal(all, `${ids.join('\n')}\n`);
  assert.equal(completed, 'shop/production/web\na:1.2_b\n');
});
