/** Logs of apps on a real engine: they are kept longer than the containers, and contain each line once. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LogEvent, LogLine } from '@davit/api';
import { type EventReader, readEvents } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

/** Script that writes a numbered line to each stream a hundred times a second. */
const COUNTING =
  'httpd -p "$PORT" -h /www; n=0; while true; do echo "out $n"; echo "err $n" >&2; n=$((n+1)); sleep 0.01; done';

describe('log collection on a live instance', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;

  before(async () => {
    harness = await LiveHarness.create();
  });
  after(() => harness?.[Symbol.asyncDispose]());

  /** Returns the complete log of an app, oldest line first. */
  async function linesOf(app: LiveApp, query: Record<string, string> = {}): Promise<LogLine[]> {
    const lines: LogLine[] = [];
    for (let end: string | undefined; ; ) {
      const page = { limit: '10000', format: 'json', ...query, ...(end !== undefined && { until: end }) } as const;
      const found = await harness.client.getAppLogs({ params: app.params, query: page });
      assert.ok(typeof found === 'object');
      lines.unshift(...found.lines);
      end = found.lines[0]?.at;
      if (!found.more || end === undefined) return lines;
    }
  }

  /** Deploys an app that counts on both streams, and serves HTTP so that it is ready at once. */
  function counting(): Promise<LiveApp> {
    return harness.deployedApp({ command: ['sh', '-c', COUNTING] });
  }

  /** Returns the numbers in the lines of one stream, in order. */
  function numbers(lines: LogLine[], word: string): number[] {
    return lines.flatMap(({ line }) => (line.startsWith(`${word} `) ? [Number(line.slice(word.length + 1))] : []));
  }

  function assertWhole(found: number[]): void {
    assert.ok(found.length > 0);
    assert.deepEqual(
      found,
      Array.from(found, (_, n) => n),
    );
  }

  test('keeps lines after a redeployment and the removal of their container', inLong, async () => {
    const app = await harness.deployedApp();
    await until(
      'the first release has written',
      () => linesOf(app),
      (lines) => lines.some(({ line }) => line === 'serving v1'),
    );
    await app.deploy('v2');
    await until(
      'only the new container is left',
      () => app.containers(),
      (found) => found.length === 1,
    );
    await until(
      'the new release has written',
      () => linesOf(app),
      (lines) => lines.some(({ line }) => line === 'serving v2'),
    );

    const text = String(await harness.client.getAppLogs({ params: app.params }));

    assert.match(text, /^(\d+)-1 \| serving v1$/m);
    assert.match(text, /^(\d+)-1 \| serving v2$/m);
  });

  test('keeps the lines of a failed deployment after its container is removed', async () => {
    const app = await harness.deployedApp({ health: { grace_s: 1 } });
    for (const [tag, written] of [
      ['crash', ['fatal: this example crashes', 'starting']],
      ['silent', ['starting']],
    ] as const) {
      const { id, status } = await app.deploy(tag);
      assert.equal(status, 'failed');
      assert.equal((await app.containers()).length, 1);

      const lines = await linesOf(app, { deployment: String(id) });

      assert.deepEqual(lines.map(({ line }) => line).sort(), [...written]);
    }
  });

  test('keeps the last lines that a release writes while stopping', inLong, async () => {
    const last = 'trap "echo going; sleep 0.3; echo gone; exit 0" TERM; echo here; while true; do sleep 0.1; done';
    const app = await harness.deployedApp({ port: null, command: ['sh', '-c', last] });
    const [first] = (await app.read()).replicas;
    await app.deploy('v2');
    await until(
      'only the new container is left',
      () => app.containers(),
      (found) => found.length === 1,
    );

    const lines = await linesOf(app, { deployment: String(first?.deployment) });

    assert.deepEqual(
      lines.map(({ line }) => line),
      ['here', 'going', 'gone'],
    );
  });

  test('loses and duplicates no line when the daemon stops, is killed and starts again', async () => {
    const app = await counting();
    const several = (more: number) => async (): Promise<boolean> => {
      const before = (await linesOf(app)).length;
      await until(
        'it goes on',
        () => linesOf(app),
        (lines) => lines.length > before + more,
      );
      return true;
    };
    await several(100)();
    await harness.instance.stop();
    await harness.instance.start();
    await several(100)();
    await harness.instance.kill();
    await harness.instance.start();
    await several(100)();

    const lines = await linesOf(app);

    for (const word of ['out', 'err']) assertWhole(numbers(lines, word));
    assert.deepEqual(
      lines.map(({ at }) => at),
      lines.map(({ at }) => at).toSorted(),
    );
  });

  test('reads the complete log if the engine rotates log files', inLong, async () => {
    // The output is about 24 MB with the engine's overhead, more than two of the engine's log files.
    const pad = 'x'.repeat(950);
    const loud = `n=0; while [ $n -lt 20000 ]; do echo "out $n ${pad}"; n=$((n+1)); done; echo done; sleep 100000`;
    const app = await harness.deployedApp({ port: null, command: ['sh', '-c', loud] });
    const missing = async (): Promise<number[]> => {
      const there = new Set((await linesOf(app, { q: 'out ' })).map(({ line }) => Number(line.split(' ')[1])));
      return Array.from({ length: 20_000 }, (_, n) => n).filter((n) => !there.has(n));
    };
    await until('none is missing', missing, (numbers) => numbers.length === 0);

    const lines = await linesOf(app, { q: 'out ' });

    assertWhole(lines.map(({ line }) => Number(line.split(' ')[1])));
  });

  test('continues a followed log across a redeployment without missing lines', inLong, async () => {
    const app = await counting();
    const followed = await Followed.begin(harness, app);
    await until(
      'lines come',
      async () => followed.lines.length,
      (count) => count > 20,
    );
    const { id } = await app.deploy('v2');
    const ofNew = () => followed.lines.filter(({ replica }) => replica === `${id}-1`);
    await until(
      'lines of the new release come',
      async () => ofNew().length,
      (count) => count > 50,
    );
    followed.stop();

    for (const word of ['out', 'err'])
      assertWhole(ofNew().flatMap(({ line }) => (line.startsWith(word) ? [Number(line.slice(4))] : [])));
  });

  test('deletes the lines of an app together with the app', inLong, async () => {
    const app = await counting();
    const followed = await Followed.begin(harness, app);
    await until(
      'lines come',
      async () => followed.lines.length,
      (count) => count > 0,
    );

    await harness.client.deleteApp({ params: app.params });

    await followed.ended;
    const { project, environment, app: name } = app.params;
    await harness.client.createApp({ body: { project, environment, name, source: 'image', image: harness.image } });
    assert.deepEqual(await linesOf(app), []);
  });
});

/** Lines of an app as they arrive. */
class Followed {
  readonly lines: LogEvent['lines'] = [];
  readonly ended: Promise<void>;
  readonly #stream: EventReader;

  static async begin({ instance }: LiveHarness, { params: { project, environment, app } }: LiveApp): Promise<Followed> {
    const path = `/api/apps/${project}/${environment}/${app}/logs?follow=true&tail=0`;
    const headers = { authorization: `Bearer ${instance.key}` };
    return new Followed(await readEvents({ url: instance.url }, path, { headers }));
  }

  private constructor(stream: EventReader) {
    this.#stream = stream;
    this.ended = this.#read();
  }

  stop(): void {
    this.#stream[Symbol.dispose]();
  }

  async #read(): Promise<void> {
    for (let next = await this.#stream.next(); next !== null; next = await this.#stream.next()) {
      if (next.event === 'log') this.lines.push(...(next.data as LogEvent).lines);
    }
  }
}
