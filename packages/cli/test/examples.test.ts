/** Checks that the command line accepts all examples in the help texts and in the documentation. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { allCommands } from '../src/commands/all.ts';
import { environmentOfProcess } from '../src/process/env.ts';
import type { Runtime } from '../src/process/runtime.ts';
import { parseCommandLine } from '../src/program/parse.ts';

const runtime: Runtime = {
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: environmentOfProcess({}),
  cwd: '/',
  signal: new AbortController().signal,
};

/** Returns the arguments of `davit` in a shell command line, which may also contain pipes, `$(…)` and redirections. */
function wordsOf(line: string): string[] {
  const [, ours = ''] = /(?:^|[|(] ?)davit ([^|>)]*)/.exec(line) ?? [];
  return [...ours.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

test('every help example parses as the command of its help text', async () => {
  for (const { path, examples } of await allCommands()) {
    for (const { line } of examples) {
      const parsed = await parseCommandLine(wordsOf(line), runtime);
      assert.equal(parsed.kind, 'command', line);
      if (parsed.kind === 'command') assert.deepEqual(parsed.command.path, path, line);
    }
  }
});

const ROOT = new URL('../../../', import.meta.url);

/** Returns all `davit` command lines in the `sh` code blocks of the documentation. */
async function* typedLines(): AsyncGenerator<{ file: string; line: string }> {
  for (const page of globSync(['*.md', 'docs/{tutorials,how-to,explanation}/*.md'], { cwd: ROOT })) {
    const text = await readFile(new URL(page, ROOT), 'utf8');
    // In numbered steps, code blocks are indented.
    for (const [, , block = ''] of text.matchAll(/^( *)```sh\n(.*?)^\1```/gms))
      for (const line of block
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .map((typed) => typed.trim()))
        if (/(^|[|(] ?)davit /.test(line)) yield { file: basename(page), line: line.replace(/\s+# .*/, '') };
  }
}

test('every command line in the documentation parses as an existing command', async () => {
  const files = new Set<string>();
  for await (const { file, line } of typedLines()) {
    files.add(file);
    const parsed = await parseCommandLine(wordsOf(line), runtime);
    assert.equal(parsed.kind, 'command', `${file}: ${line}`);
  }
  for (const guide of [
    'database-with-backups',
    'manage-databases',
    'back-up-and-restore-databases',
    'use-object-stores',
    'install-templates',
  ])
    assert.ok(files.has(`${guide}.md`), guide);
});

test('summaries and descriptions of commands follow the same form', async () => {
  for (const { path, summary, arguments: args, options } of await allCommands()) {
    const name = path.join(' ');
    assert.match(summary, /^[A-Z].*[^.]$/, `${name}: a summary begins with a capital and has no full stop`);
    for (const { description } of [...Object.values(args), ...Object.values(options)]) {
      assert.match(
        description,
        /^(\P{Lu}|[A-Z]{2,}).*[^.]$/u,
        `${name}: "${description}" begins small (but for what is written in capitals) and has no full stop`,
      );
    }
    const shorts = Object.values(options).flatMap(({ short }) => short ?? []);
    assert.equal(new Set([...shorts, 'q', 'y', 'h', 'V']).size, shorts.length + 4, `${name}: a letter is used twice`);
  }
});
