/** Logs of apps through the API of a whole daemon with the simulated engine. */

import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Deployment, LogEvent, LogLines } from '@davit/api';
import { bootDaemon, type EventReader, readEvents, type TestDaemon } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { unchecked } from '../../src/db/select.ts';

const PATH = '/api/apps/shop/production';

let daemon: TestDaemon;
before(async () => {
  daemon = await bootDaemon();
  await daemon.client.createProject({ body: { slug: 'shop' } });
});
after(() => daemon[Symbol.asyncDispose]());

/**
 * Creates an app with a live release.
 * @returns the container of its only replica
 */
async function running(name: string): Promise<string> {
  await daemon.client.createApp({ body: { project: 'shop', name, source: 'image', image: 'acme/web' } });
  await deploy(name, 'v1');
  return container(name);
}

async function deploy(app: string, tag: string): Promise<Deployment> {
  const params = { project: 'shop', environment: 'production', app };
  return (await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag } })) as Deployment;
}

/** Returns the newest container of an app. */
function container(app: string): string {
  const found = daemon.engine.controls.containers().findLast((one) => one.app === `shop/production/${app}`);
  if (!found) throw new Error(`${app} has no container`);
  return found.id;
}

const get = (app: string, query = '') => daemon.call('GET', `${PATH}/${app}/logs${query}`);

async function lines(app: string, query = ''): Promise<LogLines> {
  const { status, text } = await get(app, `?format=json&${query}`);
  assert.equal(status, 200, text);
  return JSON.parse(text) as LogLines;
}

/** Writes a line and waits until it is stored. */
async function write(app: string, id: string, line: string, stream?: 'stderr'): Promise<void> {
  daemon.engine.controls.writeLog(id, line, stream);
  await until(`“${line}” is kept`, async () => (await lines(app, 'tail=all')).lines.some((kept) => kept.line === line));
}

describe('app logs', () => {
  test('returns the logs as plain text by default and as JSON on request', async () => {
    const id = await running('plain');
    await write('plain', id, 'hello');
    await write('plain', id, 'oops', 'stderr');

    const { text, headers } = await get('plain');
    assert.equal(text, 'listening\nhello\noops\n');
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');

    const found = await lines('plain', 'tail=1');
    const [last] = found.lines;
    assert.deepEqual(
      { ...last, at: '' },
      { ...{ replica: last?.replica, deployment: last?.deployment }, stream: 'stderr', at: '', line: 'oops' },
    );
    assert.equal(last?.replica, `${last?.deployment}-1`);
    assert.match(last?.at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
    assert.equal(found.more, true);
  });

  test('filters lines by text, time, stream, replica and deployment', async () => {
    const id = await running('filtered');
    for (const line of ['GET /one', 'POST /two', 'get /three']) await write('filtered', id, line);
    await write('filtered', id, 'wrong', 'stderr');
    const { lines: all } = await lines('filtered');
    const at = all.find(({ line }) => line === 'POST /two')?.at ?? '';
    const deployment = all[0]?.deployment;
    const texts = async (query: string) => (await lines('filtered', query)).lines.map(({ line }) => line);

    assert.deepEqual(await texts('q=GET'), ['GET /one', 'get /three']);
    assert.deepEqual(await texts('q=get&limit=1'), ['get /three']);
    assert.deepEqual(await texts(`until=${at}&tail=1`), ['GET /one']);
    assert.deepEqual((await texts(`since=${at}`))[0], 'POST /two');
    assert.deepEqual(await texts('stream=stderr'), ['wrong']);
    assert.deepEqual(await texts(`replica=${deployment}-1&q=wrong`), ['wrong']);
    assert.deepEqual(await texts(`replica=${deployment}-2`), []);
    assert.deepEqual(await texts(`deployment=${(deployment ?? 0) + 1_000}`), []);
    assert.deepEqual(await texts('q=%F0%9F%9A%A2'), []);
  });

  test('refuses invalid and contradictory query parameters with 400', async () => {
    await running('strict');
    const wrong = [
      ...['tail=-1', 'tail=some', 'limit=0', 'limit=10001', 'limit=5&tail=5', 'q=', 'q=a%0Ab', `q=${'x'.repeat(201)}`],
      ...['since=yesterday', 'until=2026-01-01', 'replica=web', 'deployment=x', 'stream=stdin', 'format=xml'],
      ...['follow=yes', 'follow=true&format=json', 'follow=true&since=2026-01-01T00:00:00Z', 'follow=true&tail=all'],
      ...['grep=x', 'tail=1&tail=2'],
    ];
    for (const query of wrong) {
      const { status, text } = await get('strict', `?${query}`);
      assert.equal(status, 400, query);
      assert.match(text, /^\S.*\.\n$/, query);
    }
    const position = { authorization: `Bearer ${daemon.key}`, 'last-event-id': 'x' };
    const answer = await daemon.send({ path: `${PATH}/strict/logs?follow=true`, headers: position });
    assert.equal(answer.status, 400);
  });

  test('returns stored lines while the engine is unavailable', async () => {
    const id = await running('apart');
    await write('apart', id, 'before');
    daemon.engine.controls.setAvailable(false);
    try {
      assert.equal((await get('apart')).text, 'listening\nbefore\n');
    } finally {
      daemon.engine.controls.setAvailable(true);
    }
  });

  test('answers 503 if the log directory cannot be read', async () => {
    const id = await running('broken');
    await write('broken', id, 'hello');
    const app = daemon.core.store.get(unchecked<{ id: number }>("SELECT id FROM apps WHERE name = 'broken'"));
    const folder = join(daemon.dataDir, 'logs', String(app?.id));
    await daemon.stop();
    await rename(folder, `${folder}.aside`);
    await writeFile(folder, 'in the way');
    await daemon.start();
    try {
      const { status, text } = await get('broken');
      assert.deepEqual([status, text.includes('“logs” of the data directory')], [503, true]);
    } finally {
      await rm(folder);
      await rename(`${folder}.aside`, folder);
    }
    assert.equal((await get('broken')).text, 'listening\nhello\n');
  });

  test('answers 401 for an invalid API key and 404 for a missing app', async () => {
    await running('hidden');

    assert.equal((await daemon.call('GET', `${PATH}/hidden/logs`, undefined, 'davit_none')).status, 401);
    assert.equal((await get('missing')).status, 404);
  });
});

describe('stored log lines', () => {
  test('name the replica of each line before and after a redeploy', async () => {
    const old = await running('again');
    await write('again', old, 'of the old one');
    await deploy('again', 'v2');
    await until(
      'the old one is removed',
      async () => !daemon.engine.controls.containers().some(({ id }) => id === old),
    );
    await write('again', container('again'), 'of the new one');

    const { text } = await get('again');

    assert.match(text, /^\d+-1 \| listening\n\d+-1 \| of the old one\n\d+-1 \| listening\n\d+-1 \| of the new one\n$/);
  });

  test('include the output of a failed deployment', async () => {
    await running('failing');
    const { id, status } = await deploy('failing', 'crash');
    assert.equal(status, 'failed');

    const found = await lines('failing', `deployment=${id}`);

    assert.deepEqual(
      found.lines.map(({ line }) => line),
      ['starting', 'fatal: this example crashes'],
    );
  });

  test('appear once each after a restart of the daemon', async () => {
    const id = await running('restarted');
    await write('restarted', id, 'before');
    await daemon.stop();
    daemon.engine.controls.writeLog(id, 'meanwhile');
    await daemon.start();
    await write('restarted', id, 'after');

    assert.equal((await get('restarted')).text, 'listening\nbefore\nmeanwhile\nafter\n');
  });

  test('of a deleted app do not appear in a new app of the same name', async () => {
    const id = await running('deleted');
    await write('deleted', id, 'secret');
    const params = { project: 'shop', environment: 'production', app: 'deleted' };
    await daemon.client.deleteApp({ params });
    await daemon.settled();

    await daemon.client.createApp({ body: { project: 'shop', name: 'deleted', source: 'image', image: 'acme/web' } });

    assert.equal((await get('deleted')).text, '');
  });
});

describe('the log stream of an app', () => {
  test('starts with the last lines and continues with new lines', async () => {
    const id = await running('followed');
    await write('followed', id, 'one');
    await write('followed', id, 'two');
    await using reader = await Reader.open('followed', '&tail=1');
    await reader.has('two');

    daemon.engine.controls.writeLog(id, 'three');
    await reader.has('three');

    assert.deepEqual(reader.lines, ['two', 'three']);
    const [first] = reader.events;
    assert.equal(first?.app, 'shop/production/followed');
    assert.deepEqual(Object.keys(first?.lines[0] ?? {}).sort(), ['at', 'line', 'replica', 'stream']);
    assert.ok(reader.events.every(({ seq }, i) => String(seq) === reader.ids[i]));
  });

  test('resumes after the last received event, even after a restart of the daemon', async () => {
    const id = await running('resumed');
    await write('resumed', id, 'seen');
    const first = await Reader.open('resumed', '');
    await first.has('seen');
    await first[Symbol.asyncDispose]();
    await write('resumed', id, 'missed');
    await daemon.restart();
    await write('resumed', id, 'missed too');

    await using second = await Reader.open('resumed', '', first.ids.at(-1));
    await second.has('missed too');

    assert.deepEqual(second.lines, ['missed', 'missed too']);
  });

  test('sends a reset and the stored lines if the requested position is unknown', async () => {
    const id = await running('gone');
    await write('gone', id, 'kept');

    await using reader = await Reader.open('gone', '', '999999');
    await reader.has('kept');

    assert.equal(reader.resets, 1);
    assert.deepEqual(reader.lines, ['listening', 'kept']);
  });

  test('sends only lines that match the text and stream filters', async () => {
    const id = await running('sieved');
    await using reader = await Reader.open('sieved', '&q=ERROR&stream=stdout');

    daemon.engine.controls.writeLog(id, 'fine');
    daemon.engine.controls.writeLog(id, 'an error', 'stderr');
    daemon.engine.controls.writeLog(id, 'an error');
    await reader.has('an error');

    assert.deepEqual(reader.lines, ['an error']);
  });

  test('continues with lines of the new release after a redeploy', async () => {
    await running('moving');
    await using reader = await Reader.open('moving', '&tail=0');
    await deploy('moving', 'v2');

    await reader.has('listening');

    assert.equal(reader.events.flatMap((event) => event.lines)[0]?.replica.endsWith('-1'), true);
  });

  test('ends when the app is deleted', async () => {
    await running('ending');
    await using reader = await Reader.open('ending', '');
    await reader.has('listening');

    await daemon.client.deleteApp({ params: { project: 'shop', environment: 'production', app: 'ending' } });

    await reader.ended;
  });
});

/** Reads a followed log. */
class Reader implements AsyncDisposable {
  readonly events: LogEvent[] = [];
  readonly ids: string[] = [];
  resets = 0;
  readonly ended: Promise<void>;
  readonly #stream: EventReader;

  static async open(app: string, query: string, lastEventId?: string): Promise<Reader> {
    const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const headers = { authorization: `Bearer ${daemon.key}`, ...resumed };
    const stream = await readEvents({ url: daemon.url }, `${PATH}/${app}/logs?follow=true${query}`, { headers });
    assert.equal(stream.headers['content-type'], 'text/event-stream');
    return new Reader(stream);
  }

  private constructor(stream: EventReader) {
    this.#stream = stream;
    this.ended = this.#read();
  }

  get lines(): string[] {
    return this.events.flatMap((event) => event.lines.map(({ line }) => line));
  }

  async has(line: string): Promise<void> {
    await until(`“${line}” has come`, async () => this.lines.includes(line));
  }

  async #read(): Promise<void> {
    for (let next = await this.#stream.next(); next !== null; next = await this.#stream.next()) {
      const { id, event, data } = next;
      if (event === 'reset') this.resets += 1;
      if (event !== 'log') continue;
      this.ids.push(id ?? '');
      this.events.push(data as LogEvent);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stream[Symbol.dispose]();
    await this.ended;
  }
}
