import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { environmentOfProcess } from '../process/env.ts';
import { Printer } from './printer.ts';

function printed(print: (out: Printer) => void, options: { quiet?: boolean; colours?: boolean } = {}): string {
  const stdout = new PassThrough().setEncoding('utf8');
  const env = environmentOfProcess(options.colours ? { FORCE_COLOR: '1' } : {});
  const { signal } = new AbortController();
  const world = { stdin: new PassThrough(), stdout, stderr: new PassThrough(), env, cwd: '/', signal };
  print(new Printer(world, { json: false, quiet: options.quiet ?? false, noColor: false }));
  return stdout.read() ?? '';
}

test('a quiet list that shells complete with has only names that a shell cannot run', () => {
  const ids = ['shop/production/web', '$(touch x)', '`x`', 'a b', '--yes', 'a:1.2_b'];
  const view = { columns: [], id: (row: string) => row, empty: '' };

  const all = printed((out) => out.list(ids, view), { quiet: true });
  const completed = printed((out) => out.list(ids, { ...view, isCompleted: true }), { quiet: true });

  assert.equal(all, `${ids.join('\n')}\n`);
  assert.equal(completed, 'shop/production/web\na:1.2_b\n');
});
