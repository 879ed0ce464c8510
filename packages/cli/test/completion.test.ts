/** Tests shell completions in the real shells. Shells that are not installed are skipped. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { allCommands } from '../src/commands/all.ts';
import { SCRIPTS } from '../src/completion/scripts.ts';

const run = promisify(execFile);

/** Resource names that contain shell syntax, or that a shell would split into several words. */
const HOSTILE = [
  ...['$(touch ran)', '`touch ran`', 'a$(:>ran)', 'x;touch ran', 'a|b', 'a b', '*', '~', 'a\\', "'", '"'],
  ...['--yes', 'a\u001b[2J', 'ä', 'a\tb', '$x', '<(touch ran)', '!!', '{a,b}', ''],
];

describe('shell completions', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-completion-'));
    const commands = await allCommands();
    for (const [shell, make] of Object.entries(SCRIPTS))
      await writeFile(join(folder, `davit.${shell}`), make(commands));
    // A script replaces `davit` and prints the resource names of an instance.
    const fake =
      '#!/bin/sh\n[ "$1 $2 $3" = "app list --quiet" ] && printf "shop/production/web\\nblog/production/www\\n"\n' +
      'here=$(dirname "$0")\n[ "$1" = project ] && cat "$here/hostile"\ntrue\n';
    await writeFile(join(folder, 'davit'), fake, { mode: 0o755 });
    await writeFile(join(folder, 'hostile'), `${HOSTILE.join('\n')}\nshop\n`);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Returns the completions that bash offers for the last of these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const script = [
      `source "${folder}/davit.bash"`,
      'COMP_WORDS=(davit "$@")',
      'COMP_CWORD=$#',
      '_davit',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands this variable
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n');
    const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder };
    const { stdout } = await run('bash', ['-c', script, 'bash', ...words], { env, cwd: folder });
    return stdout.split('\n').filter(Boolean).sort();
  }

  test('bash completes commands and subcommands', async () => {
    assert.deepEqual(await offered('dep'), ['deploy', 'deployment']);
    assert.deepEqual(await offered('deployment', 'c'), ['cancel']);
    assert.deepEqual(await offered('--context', 'home', 'app', 'ro'), ['rollback']);
  });

  test('bash completes command options and global options', async () => {
    assert.deepEqual(await offered('app', 'deploy', '--d'), ['--dry-run']);
    assert.deepEqual(await offered('env', 'set', '--d'), ['--deploy', '--dry-run']);
    assert.deepEqual(await offered('deploy', '--t'), ['--tag']);
    assert.deepEqual(await offered('app', 'deploy', 'a/b/c', '--js'), ['--json']);
  });

  test('bash completes app names from the instance but no user names', async () => {
    assert.deepEqual(await offered('app', 'deploy', 'sh'), ['shop/production/web']);
    assert.deepEqual(await offered('deploy', 'bl'), ['blog/production/www']);
    assert.deepEqual(await offered('user', 'get', ''), []);
  });

  test('bash neither runs nor offers resource names with shell syntax', async () => {
    assert.deepEqual(await offered('project', 'get', ''), ['shop']);
    await assert.rejects(access(join(folder, 'ran')), { code: 'ENOENT' });
  });

  test('bash leaves file names to readline', async () => {
    await writeFile(join(folder, 'c$(touch ran)'), '');
    assert.deepEqual(await offered('up', '--file', 'c'), []);
    assert.deepEqual(await offered('template', 'import', 'c'), []);
  });

  for (const [shell, args] of [
    // The stubs stand for the completion system of zsh, which only an interactive shell has.
    ['zsh', ['-f', '-c', 'compdef() { }; compadd() { print -rl -- $names }; source ./davit.zsh; _davit_names project']],
    ['fish', ['--no-config', '-c', 'source ./davit.fish; __davit_names project']],
  ] as const) {
    test(`${shell} offers only resource names without shell syntax`, async (t) => {
      const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
      const answer = await run(shell, args, { env, cwd: folder }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (answer === null) t.skip(`this machine has no ${shell}`);
      else assert.equal(answer.stdout, 'shop\n');
    });
  }

  for (const shell of ['bash', 'zsh', 'fish']) {
    test(`${shell} parses its completion script without errors`, async (t) => {
      const [flag, file] = ['-n', join(folder, `davit.${shell}`)];
      const isMissing = await run(shell, [flag, file]).then(
        () => false,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return true;
          throw error;
        },
      );
      if (isMissing) t.skip(`this machine has no ${shell}`);
    });
  }

  test('the scripts of all shells contain every command', async () => {
    const commands = await allCommands();
    for (const [shell, make] of Object.entries(SCRIPTS)) {
      const script = make(commands);
      for (const { path } of commands) assert.ok(script.includes(path.join(' ')), `${shell}: ${path.join(' ')}`);
    }
  });
});
