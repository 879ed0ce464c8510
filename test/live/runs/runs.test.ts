/** Commands, schedules and shells on a whole instance, in real containers. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Run, Schedule } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { type RawData, WebSocket } from 'ws';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const MIB = 2 ** 20;

describe('a live instance with runs, schedules and shells', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let app: LiveApp;

  before(async () => {
    harness = await LiveHarness.create();
    app = await harness.deployedApp({ project: await harness.project() });
  });
  after(() => harness?.[Symbol.asyncDispose]());

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${harness.instance.url}/api/apps/${app.reference}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${harness.instance.key}`, 'content-type': 'application/json' },
    });
  const post = (path: string, body: unknown, signal?: AbortSignal) =>
    call(path, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });
  const run = async (command: string[], timeout_s = 60) =>
    (await (await post('/run', { command, timeout_s })).json()) as Run;
  const read = async (id: number) => (await (await call(`/runs/${id}`)).json()) as Run;

  /** Returns the containers of commands. */
  async function commands(): Promise<string[]> {
    const label = [`davit.instance=${harness.instance.id}`, 'davit.kind=run'];
    const containers = await harness.docker.listContainers({ all: true, filters: { label } });
    return containers.map(({ Names }) => Names[0] ?? '');
  }

  const noCommands = () => until('no container of a command is left', commands, (names) => names.length === 0);

  test('runs a command with the app’s variables and network, and reports its exit code', async () => {
    await harness.client.setAppEnv({ params: app.params, body: { set: { GREETING: 'hello  there' } } });
    await app.deploy('v2');

    const { status, exit_code, output } = await run([
      'sh',
      '-c',
      'echo "$GREETING from $DAVIT_TAG"; echo bad >&2; exit 3',
    ]);

    assert.deepEqual([status, exit_code], ['failed', 3]);
    assert.deepEqual((output ?? '').split('\n').toSorted(), ['', 'bad', 'hello  there from v2']);
    const own = await run(['wget', '-qO-', `http://web.production.${app.params.project}.internal:8080/`]);
    assert.match(own.output ?? '', /^v2 davit-/);
    assert.deepEqual(await commands(), []);
  });

  test('reports exit code 127 and the name of a missing program', inLong, async () => {
    const { exit_code, output } = await run(['no-such-program']);

    assert.equal(exit_code, 127);
    assert.match(output ?? '', /no-such-program/);
  });

  test('passes arguments to the program unchanged', inLong, async () => {
    const { output } = await run(['printf', '%s|', 'a b', '$(id)', '"q"', "it's", '', '*', 'two\nlines']);

    assert.equal(output, 'a b|$(id)|"q"|it\'s||*|two\nlines|');
  });

  test('streams 20,000 lines in order without gaps or duplicates', inLong, async () => {
    const answer = await post('/run?follow=true', { command: ['sh', '-c', 'seq 1 20000; echo end >&2; exit 4'] });

    const received: string[] = [];
    const ends: Run[] = [];
    for (const block of (await answer.text()).split('\n\n')) {
      const data = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null');
      if (/^event: log$/m.test(block)) for (const { stream, line } of data.lines) received.push(`${stream} ${line}`);
      if (/^event: run$/m.test(block)) ends.push(data);
    }

    const numbers = received.filter((line) => line.startsWith('stdout'));
    assert.deepEqual(
      numbers,
      Array.from({ length: 20_000 }, (_, i) => `stdout ${i + 1}`),
    );
    assert.deepEqual(
      received.filter((line) => line.startsWith('stderr')),
      ['stderr end'],
    );
    assert.deepEqual(
      ends.map(({ exit_code }) => exit_code),
      [4],
    );
    assert.equal(ends[0]?.output?.length, 64 * 1024);
  });

  test('kills a command at its timeout and removes the container', inLong, async () => {
    const { status, timed_out, exit_code, output } = await run(
      ['sh', '-c', 'trap "" TERM; echo begun; sleep 1000'],
      15,
    );

    assert.deepEqual([status, timed_out, exit_code, output], ['timed_out', true, null, 'begun\n']);
    assert.deepEqual(await commands(), []);
  });

  for (const [how, query] of someOf([
    ['waits for its end', ''],
    ['follows it', '?follow=true'],
  ])) {
    test(`ends a command if the client disconnects while the client ${how}`, async () => {
      const leaving = new AbortController();
      const response = post(`/run${query}`, { command: ['sleep', '1000'] }, leaving.signal).then((answer) =>
        answer.text(),
      );
      await until('it is running', commands, (names) => names.length === 1);

      leaving.abort();

      await assert.rejects(response);
      await noCommands();
    });
  }

  test('continues a command after the daemon is killed and records the result', async () => {
    const begun = (await (
      await post('/run?detach=true', { command: ['sh', '-c', 'echo begun; sleep 2; echo done; exit 6'] })
    ).json()) as Run;
    await until('it is running', commands, (names) => names.length === 1);

    await harness.instance.kill();
    await harness.instance.start();

    const { status, exit_code, output } = await until(
      'its end',
      () => read(begun.id),
      ({ status }) => status !== 'running',
    );
    assert.deepEqual([status, exit_code, output], ['failed', 6, 'begun\ndone\n']);
    assert.deepEqual(await commands(), []);
  });

  test('starts the command of a schedule on request', async () => {
    const made = (await (
      await post('/schedules', {
        cron: '* * * * *',
        command: ['sh', '-c', 'echo "$DAVIT_APP"'],
        time_zone: 'Europe/Berlin',
      })
    ).json()) as Schedule;

    const begun = (await (await call(`/schedules/${made.id}/run`, { method: 'POST' })).json()) as Run;

    const ended = await until(
      'its end',
      () => read(begun.id),
      ({ status }) => status !== 'running',
    );
    assert.deepEqual([ended.status, ended.output, ended.schedule], ['succeeded', 'web\n', made.id]);
    await call(`/schedules/${made.id}`, { method: 'DELETE' });
    await noCommands();
  });

  test('ends running commands and removes all objects when a project is deleted', inLong, async () => {
    const own = await harness.objects();
    const other = await harness.deployedApp({ project: await harness.project() });
    await harness.client.runInApp({
      params: other.params,
      query: { detach: 'true' },
      body: { command: ['sleep', '1000'] },
    });
    await until('it is running', commands, (names) => names.length === 1);

    await harness.client.deleteProject({ params: { project: other.params.project } });

    assert.deepEqual(await harness.objects(), own);
  });

  /** Opens a shell, optionally through the proxy. */
  async function open(query = '', throughProxy = false): Promise<Shell> {
    const { url, httpPort, key } = harness.instance;
    const path = `/api/apps/${app.reference}/shell${query}`;
    const shell = new Shell(`${throughProxy ? `ws://127.0.0.1:${httpPort}` : url.replace('http', 'ws')}${path}`, {
      authorization: `Bearer ${key}`,
      ...(throughProxy && { host: 'davit.test' }),
    });
    await once(shell.socket, 'open');
    return shell;
  }

  /** Returns the commands of the processes in the app's container. */
  async function processes(): Promise<string[]> {
    const { Processes } = await harness.docker.getContainer((await app.container()).Id).top();
    return (Processes as string[][]).map((fields) => fields.at(-1) ?? '');
  }

  for (const through of someOf(['through the proxy', 'to the daemon'])) {
    test(`opens a shell ${through} with a resizable terminal and reports the exit code`, async () => {
      const before = await processes();
      const shell = await open('?columns=91&rows=33', through === 'through the proxy');

      shell.type('stty size\n');
      await shell.shows(/\r\n33 91\r\n/);
      shell.socket.send(JSON.stringify({ resize: { columns: 50, rows: 10 } }));
      await until(
        'its new size',
        async () => {
          shell.type('stty size\n');
          return shell.text;
        },
        (text) => /\r\n10 50\r\n/.test(text),
      );
      shell.type('echo "$DAVIT_APP-$TERM"; exit 9\n');

      assert.equal((await shell.closed).code, 1000);
      assert.match(shell.text, /\r\nweb-xterm-256color\r\n/);
      assert.deepEqual(shell.controls, [{ exit: 9 }]);
      assert.deepEqual(await processes(), before);
    });
  }

  test('ends all processes of a shell when the client disconnects', async () => {
    const before = await processes();
    const shell = await open();
    shell.type('trap "" HUP; sleep 4321 & (sleep 4322 &) ; sleep 4323\n');
    await until('all of it runs', processes, (all) => all.filter((line) => /sleep 432/.test(line)).length === 3);

    shell.socket.terminate();

    await until('nothing of it is left', processes, (all) => all.join() === before.join());
  });

  test('closes shells and ends their processes when the daemon stops', inLong, async () => {
    const before = await processes();
    const shell = await open();
    shell.type('sleep 4321 & sleep 4322\n');
    await until('it runs', processes, (all) => all.some((line) => /sleep 4322/.test(line)));

    await harness.instance.stop();

    assert.equal((await shell.closed).code, 1001);
    assert.deepEqual(await processes(), before);
    await harness.instance.start();
  });

  test(
    'pauses endless shell output until the client reads, and limits memory growth of the daemon',
    inLong,
    async () => {
      const shell = await open();
      const before = await managedServiceBytes(harness.instance.pid);
      shell.type('stty -opost; cat /dev/zero\n');
      await until(
        'much was taken',
        async () => shell.bytes,
        (bytes) => bytes > 64 * MIB,
      );
      shell.socket.pause();

      // The shell writes about 50 MB per second if the output is read.
      for (let i = 0; i < 300; i++) await call('/runs?limit=1').then((answer) => answer.text());

      const grown = (await managedServiceBytes(harness.instance.pid)) - before;
      assert.ok(grown < 48 * MIB, `it grew by ${Math.round(grown / MIB)} MiB`);
      shell.socket.resume();
      shell.type('\u0003');
      shell.type('exit 0\n');
      assert.equal((await shell.closed).code, 1000);
    },
  );

  test('closes a shell when its instance is replaced', inLong, async () => {
    const shell = await open();
    await shell.shows(/[#$] /);

    await app.deploy('v1');

    assert.equal((await shell.closed).code, 1000);
    assert.deepEqual(Object.keys(shell.controls[0] as object), ['exit']);
  });

  test('refuses a shell program that does not exist in the image', inLong, async () => {
    const answer = await call('/shell?shell=/bin/zsh', {});
    assert.equal(answer.status, 400);
    const socket = new WebSocket(
      `${harness.instance.url.replace('http', 'ws')}/api/apps/${app.reference}/shell?shell=/bin/zsh`,
      {
        headers: { authorization: `Bearer ${harness.instance.key}` },
      },
    );
    socket.on('error', () => undefined);

    const [, refusal] = await once(socket, 'unexpected-response');

    let text = '';
    for await (const chunk of refusal) text += chunk;
    assert.equal(refusal.statusCode, 409);
    assert.match(text, /does not exist in the image.*Set “shell” to the path of a shell/);
  });
});

/** A shell as its client sees it. */
class Shell {
  readonly socket: WebSocket;
  /** End of the received output. */
  text = '';
  bytes = 0;
  readonly controls: unknown[] = [];
  readonly closed: Promise<{ code: number }>;

  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(url, { headers });
    this.socket.on('message', (data: RawData, isBinary: boolean) => {
      if (!isBinary) this.controls.push(JSON.parse(String(data)));
      else {
        this.text = `${this.text}${data}`.slice(-64 * 1024);
        this.bytes += (data as Buffer).length;
      }
    });
    this.socket.on('error', () => undefined);
    this.closed = once(this.socket, 'close').then(([code]) => ({ code }));
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  async shows(what: RegExp): Promise<void> {
    await until(
      `${what}`,
      async () => this.text,
      (text) => what.test(text),
    );
  }
}

async function managedServiceBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
