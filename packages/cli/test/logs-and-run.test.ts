/** Tests the output of logs and of remote commands. Control characters in this output must not reach the terminal. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogLines } from '@davit/api';
import { deployedApp, paramsOf } from '@davit/testkit';
import { Davit, withDavit } from './support/davit.ts';

const on = withDavit();

const ESC = '\u001b';

/** Deploys an app whose replica has written these log lines. */
async function writing(
  ...lines: string[]
): Promise<{ reference: string; write: (line: string) => void; name: string }> {
  const { app, deployment } = await deployedApp(on.daemon);
  const container = on.daemon.engine.controls.containers().findLast((one) => one.app === app.reference);
  const write = (line: string) => on.daemon.engine.controls.writeLog(container?.id ?? '', line);
  for (const line of lines) write(line);
  await kept(paramsOf(app), lines.length + 1);
  return { reference: app.reference, write, name: `${deployment.id}-1` };
}

/** Waits until the instance has stored this number of log lines of the app. The instance reads lines with a delay. */
async function kept(params: ReturnType<typeof paramsOf>, count: number): Promise<void> {
  for (;;) {
    const { lines } = (await on.daemon.client.getAppLogs({ params, query: { format: 'json' } })) as LogLines;
    if (lines.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Runs a command and cancels it like Ctrl-C when its output matches `until`.
 * @param whenSeen functions to call once when a text occurs in the output, by this text
 */
async function follow(
  args: string[],
  until: RegExp,
  whenSeen: Record<string, () => unknown> = {},
  fetch?: typeof globalThis.fetch,
) {
  const leave = new AbortController();
  const waiting = new Map(Object.entries(whenSeen));
  let text = '';
  const onOutput = (piece: string) => {
    text += piece;
    for (const [seen, act] of waiting) {
      if (!text.includes(seen)) continue;
      waiting.delete(seen);
      act();
    }
    if (until.test(text)) leave.abort();
  };
  return on.davit.run(args, { signal: leave.signal, onOutput, ...(fetch && { fetch }) });
}

describe('davit app logs', () => {
  it('shows the newest lines with the name of their replica', async () => {
    const { reference, name } = await writing('one', 'two');

    const { code, stdout } = await on.davit.run(['app', 'logs', reference, '--tail', '2']);

    assert.deepEqual([code, stdout], [0, `${name} | one\n${name} | two\n`]);
  });

  it('escapes control characters and keeps colors with --ansi on a terminal', async () => {
    const { reference } = await writing(`a${ESC}]0;title\u0007b${ESC}[2Jc`, `${ESC}[31mred`);

    const plain = await on.davit.run(['logs', reference, '-n', '2']);
    const terminal = await on.davit.run(['logs', reference, '-n', '2', '--ansi'], { isTTY: true });

    assert.ok(!plain.stdout.includes(ESC) && !plain.stdout.includes('\u0007'));
    assert.match(plain.stdout, /\| a␛\]0;title␇b␛\[2Jc\n.*\| red\n$/);
    assert.ok(!terminal.stdout.includes(`${ESC}]0`) && !terminal.stdout.includes(`${ESC}[2J`));
    assert.ok(terminal.stdout.includes(`${ESC}[31mred${ESC}[0m`), JSON.stringify(terminal.stdout));
  });

  it('searches lines, accepts relative times and refuses invalid times', async () => {
    const { reference } = await writing('GET /a', 'POST /b');

    const { stdout } = await on.davit.run(['logs', reference, '--grep', 'post', '--since', '1h']);
    const wrong = await on.davit.run(['logs', reference, '--since', 'soon']);
    const endless = await on.davit.run(['logs', reference, '-f', '--until', '1h']);

    assert.match(stdout, /^\S+ \| POST \/b\n$/);
    assert.equal(endless.code, 2);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /"soon" is not a valid time/);
  });

  it('follows new lines and exits with code 130 on Ctrl-C', async () => {
    const { reference, write, name } = await writing('before');

    const { code, stdout, stderr } = await follow(['logs', '-f', reference], /after/, { before: () => write('after') });

    assert.deepEqual([code, stderr], [130, '']);
    assert.ok(stdout.endsWith(`${name} | before\n${name} | after\n`), stdout);
  });

  it('follows lines across a restart of the instance without duplicates', async () => {
    const { reference, write } = await writing('first');
    // The restarted daemon has another URL.
    const before = on.daemon.url;
    const fetchNow: typeof fetch = (input, init) => fetch(String(input).replace(before, on.daemon.url), init);
    const restart = async () => {
      await on.daemon.restart();
      write('second');
    };

    const { stdout } = await follow(['logs', '-f', reference], /second/, { first: () => void restart() }, fetchNow);

    assert.deepEqual([stdout.split('first').length, stdout.split('second').length], [2, 2], stdout);
    await on.davit[Symbol.asyncDispose]();
    on.davit = await Davit.at(on.daemon);
  });

  it('follows new lines after the lines selected by --since', async () => {
    const { reference, write } = await writing('old');
    const args = ['logs', '-f', '--since', '1h', reference, '--json'];

    const { stdout } = await follow(args, /new/, { old: () => write('new') });

    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { line: string }).line);
    assert.deepEqual(lines.slice(-2), ['old', 'new']);
    assert.equal(lines.filter((line) => line === 'old').length, 1);
  });
});

describe('davit app run', () => {
  it('separates stdout and stderr and exits with the code of the command', async () => {
    const { reference } = await writing();

    const ran = await on.davit.run(['run', reference, '--', 'sh', '-c', 'echo one; echo two >&2; exit 3']);

    assert.deepEqual(ran, { code: 3, stdout: 'one\n', stderr: 'two\n' });
  });

  it('exits with 0 for a successful command and escapes control characters', async () => {
    const { reference } = await writing();

    const ran = await on.davit.run(['run', reference, '--', 'sh', '-c', `echo a${ESC}[2Jb`], { isTTY: true });

    assert.deepEqual([ran.code, ran.stdout], [0, 'a␛[2Jb\n']);
  });

  it('prints the run record with --json and exits with its code', async () => {
    const { reference } = await writing();

    const { code, stdout } = await on.davit.run(['run', reference, '--json', '--', 'sh', '-c', 'exit 4']);

    assert.equal(code, 4);
    assert.equal((JSON.parse(stdout) as { exit_code: number }).exit_code, 4);
  });

  it('stops the command and reports the interruption on Ctrl-C', async () => {
    const { reference } = await writing();

    const args = ['run', reference, '--', 'sh', '-c', 'echo begun; sleep 1000'];
    const { code, stderr } = await follow(args, /begun/);

    assert.equal(code, 130);
    assert.match(stderr, /Interrupted\. The command was stopped/);
  });

  it('requires a terminal for -it and a command otherwise', async () => {
    const { reference } = await writing();

    const terminal = await on.davit.run(['run', '-it', reference, '--', 'sh']);
    const nothing = await on.davit.run(['run', reference]);

    assert.deepEqual([terminal.code, nothing.code], [2, 2]);
    assert.match(terminal.stderr, /needs a terminal/);
    assert.match(nothing.stderr, /command/);
  });

  it('exits with code 5 for an app that does not exist', async () => {
    const { code, stderr } = await on.davit.run(['run', 'no/such/app', '--', 'ls']);

    assert.equal(code, 5);
    assert.match(stderr, /^error: /);
  });
});
