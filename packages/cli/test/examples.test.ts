/** The examples in the help are lines that work: each is read by the grammar that it is an example of. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { allCommands } from '../src/commands/all.ts';
import { environmentOfProcess } from '../src/env.ts';
import { parseCommandLine } from '../src/program.ts';
import type { World } from '../src/world.ts';

const world: World = {
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: environmentOfProcess({}),
  cwd: '/',
  signal: new AbortController().signal,
};

/** The words of the `davit` in a line of a shell: behind a pipe, within `$(…)`, before a redirection. */
function wordsOf(line: string): string[] {
  const [, ours = ''] = /(?:^|[|(] ?)davit ([^|>)]*)/.exec(line) ?? [];
  return [...ours.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

test('every example is read as the command that it is an example of', async () => {
  for (const { path, examples } of await allCommands()) {
    for (const { line } of examples) {
      const parsed = await parseCommandLine(wordsOf(line), world);
      assert.equal(parsed.kind, 'command', line);
      if (parsed.kind === 'command') assert.deepEqual(parsed.command.path, path, line);
    }
  }
});

test('what is said of commands, arguments and options is in one form', async () => {
  for (const { path, summary, arguments: args, options } of await allCommands()) {
    const name = path.join(' ');
    assert.match(summary, /^[A-Z].*[^.]$/, `${name}: a summary begins with a capital and has no full stop`);
    for (const { description } of [...Object.values(args), ...Object.values(options)]) {
      assert.match(
        description,
        /^(\P{Lu}|[A-Z]{2,}).*[^.]$/u,
        `${name}: «${description}» begins small (but for what is written in capitals) and has no full stop`,
      );
    }
    const shorts = Object.values(options).flatMap(({ short }) => short ?? []);
    assert.equal(new Set([...shorts, 'q', 'y', 'h', 'V']).size, shorts.length + 4, `${name}: a letter is used twice`);
  }
});
