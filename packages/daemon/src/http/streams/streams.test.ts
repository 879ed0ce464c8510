import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { DavitError, InstanceSettings } from '@davit/api';
import { createListener, createLogger, type Listener } from '@davit/service';
import { readEvents } from '@davit/testkit';
import { Sealer } from '../../db/seal.ts';
import { Store } from '../../db/store.ts';
import { AuditLog } from '../../db/tables/audit-log.ts';
import { RequestCounts } from '../../resources/metrics/requests.ts';
import { FollowerTooSlow } from '../../streams/bounded-queue.ts';
import { createHttpApp } from '../app.ts';
import type { LiveEvent } from '../bind.ts';
import { absentEndpoint } from '../endpoint.ts';
import { Dashboard } from '../endpoints/dashboard.ts';
import { Idempotency } from '../idempotency.ts';
import { RateLimits } from '../request/rate-limits.ts';
import { Waits } from '../waits.ts';
import { STREAM_LIMITS, type StreamLimits } from './live-stream.ts';
import { Streams } from './streams.ts';

type Source = (signal: AbortSignal) => AsyncIterable<LiveEvent>;

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

/** Starts a server with one route that returns a stream to all callers. */
async function serving(source: Source, limits: Partial<StreamLimits> = {}, streamsPerUser = 10) {
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
  const store = new Store(':memory:');
  const audit = new AuditLog({ store, sealer: new Sealer(randomBytes(32)), now: Date.now, log });
  const waits = new Waits();
  const settings = () => InstanceSettings.parse({ api: { streams_per_user: streamsPerUser } });
  const now = Date.now;
  const streams = new Streams({ store, now, log, waits, settings }, { ...STREAM_LIMITS, ...limits });
  const conventions = {
    idempotency: new Idempotency({ store, sealer: new Sealer(randomBytes(32)), now, log }),
    rates: new RateLimits(settings),
    domain: () => 'davit.test',
  };
  const endpoints = [
    absentEndpoint('GET /api/users/me/api-keys', { access: 'caller' }, () => ({ status: 200, events: source })),
  ];
  const requests = new RequestCounts();
  const app = createHttpApp({
    ...conventions,
    store,
    audit,
    now,
    log,
    isReady: () => true,
    waits,
    streams,
    requests,
    endpoints,
    dashboard: new Dashboard(),
  });
  // The local operator is the caller of all requests.
  const listener: Listener = createListener({ app: { fetch: (r, env) => app.fetch(r, { ...env, local: true }) }, log });
  const { port } = await listener.listenTcp('127.0.0.1', 0);
  opened.defer(async () => {
    await listener.close({ deadlineMs: 0, waiting: waits });
    streams[Symbol.dispose]();
    store[Symbol.dispose]();
  });
  const url = `http://127.0.0.1:${port}`;
  return { url, lines, streams, listener, waits, open: (method = 'GET') => readEvents({ url }, PATH, { method }) };
}

const PATH = '/api/users/me/api-keys';

async function* endless(signal: AbortSignal): AsyncGenerator<LiveEvent> {
  if (!signal.aborted) await once(signal, 'abort');
  yield* [];
}

describe('an event stream', () => {
  it('sends each event with its ID, name and single-line data', async () => {
    const served = await serving(async function* () {
      yield { id: 7, event: 'app', data: { text: 'two\nlines' } as never };
      yield { event: 'log', data: null as never };
    });

    using reader = await served.open();
    await reader.rest();

    assert.equal(reader.status, 200);
    assert.equal(reader.headers['content-type'], 'text/event-stream');
    assert.equal(reader.headers['cache-control'], 'no-store');
    assert.equal(reader.headers['x-accel-buffering'], 'no');
    assert.equal(reader.headers['x-content-type-options'], 'nosniff');
    assert.ok(reader.headers['x-request-id']);
    const events = ['id: 7\nevent: app\ndata: {"text":"two\\nlines"}', 'event: log\ndata: null'];
    assert.equal(reader.raw, `retry: 2000\n\n${events.join('\n\n')}\n\n`);
  });

  it('sends its headers before the first event', async () => {
    const served = await serving(endless);
    using reader = await served.open();
    assert.equal(reader.status, 200);
  });

  it('returns an ordinary error response if the source fails immediately', async () => {
    const served = await serving(async function* () {
      yield* [];
      throw new DavitError('conflict', 'Not now.');
    });
    using reader = await served.open();
    await reader.rest();
    assert.equal(reader.status, 409);
    assert.equal(reader.raw, 'Not now.\n');
    assert.equal(served.streams.size, 0);
  });

  const failures: [name: string, thrown: Error, reason: string, message: RegExp][] = [
    ['fails', new Error('SELECT secret'), 'failed', /^An internal error occurred in Davit/],
    ['is refused', new DavitError('unavailable', 'The engine is away.'), 'unavailable', /^The engine is away\.$/],
    ['is too slow', new FollowerTooSlow('too many'), 'slow_reader', /^The client read more slowly/],
  ];
  for (const [name, thrown, reason, message] of failures) {
    it(`ends with a reset event and a reason if the stream ${name} later`, async () => {
      const served = await serving(async function* () {
        yield { event: 'app', data: {} as never };
        throw thrown;
      });
      using reader = await served.open();
      const events = await reader.rest();
      assert.deepEqual(
        events.map(({ event }) => event),
        ['app', 'reset'],
      );
      assert.equal(events[1]?.data.reason, reason);
      assert.match(String(events[1]?.data.message), message);
    });
  }

  it('sends a comment after a period without events', async () => {
    const served = await serving(endless, { heartbeatMs: 20, tickMs: 5 });
    using reader = await served.open();
    await reader.comment();
    await reader.comment();
    assert.match(reader.raw, /^:$/m);
  });

  it('aborts the signal of its source when the client disconnects', async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    const served = await serving((signal) => {
      resolve(signal);
      return endless(signal);
    });
    const reader = await served.open();
    const signal = await promise;
    reader[Symbol.dispose]();
    if (!signal.aborted) await once(signal, 'abort');
    assert.equal(signal.aborted, true);
  });

  it('leaves no open stream if the client disconnects before the start', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const served = await serving(
      (signal) => {
        started.resolve(signal);
        return endless(signal);
      },
      { firstMs: 100 },
      1,
    );
    const leaving = connect(Number(new URL(served.url).port), '127.0.0.1');
    leaving.write(`GET ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const signal = await started.promise;
    leaving.destroy();
    if (!signal.aborted) await once(signal, 'abort');
    using reader = await served.open();
    assert.equal(reader.status, 200);
    assert.equal(served.streams.size, 1);
  });

  it('ends the source if the client disconnects before the first event', async () => {
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const served = await serving(
      async function* (signal) {
        started.resolve();
        try {
          if (!signal.aborted) await once(signal, 'abort');
          yield { event: 'app', data: {} as never };
        } finally {
          ended.resolve();
        }
      },
      { firstMs: 60_000 },
    );
    const leaving = connect(Number(new URL(served.url).port), '127.0.0.1');
    leaving.write(`GET ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await started.promise;
    leaving.destroy();
    await ended.promise;
  });

  it('limits the source to the client’s speed and disconnects a slow client', async () => {
    let pulled = 0;
    const served = await serving(
      async function* () {
        for (;;) {
          pulled += 1;
          yield { event: 'log', data: { text: 'x'.repeat(64 * 1024) } as never };
        }
      },
      { slowMs: 200, tickMs: 10 },
    );
    using reader = await served.open();
    reader.pause();
    while (!served.lines.some((line) => line.includes('"slow_reader"'))) await new Promise(setImmediate);
    const most = pulled;
    reader.resume();
    const last = (await reader.rest()).at(-1);
    assert.equal(last?.event, 'reset');
    assert.equal(last?.data.reason, 'slow_reader');
    // The number is limited by the socket buffers of both ends, although the source never ends.
    assert.ok(most < 1_000, `${most} were pulled`);
    assert.equal(pulled, most);
  });

  it('ends with a reason when the instance stops, without delaying the shutdown', async () => {
    const served = await serving(endless);
    using reader = await served.open();
    await served.listener.close({ deadlineMs: 60_000, waiting: served.waits });
    assert.deepEqual(
      (await reader.rest()).map(({ data }) => data.reason),
      ['stopping'],
    );
  });

  it('sends only headers for HEAD and does not count as open', async () => {
    const served = await serving(() => assert.fail('nothing is pulled for HEAD'), {}, 1);
    for (let i = 0; i < 3; i++) {
      using reader = await served.open('HEAD');
      await reader.rest();
      assert.equal(reader.status, 200);
      assert.equal(reader.headers['content-type'], 'text/event-stream');
      assert.equal(reader.raw, '');
    }
  });

  it('is limited for each user, and closing a stream allows another', async () => {
    const closed = new EventEmitter();
    const served = await serving(
      (signal) => {
        signal.addEventListener('abort', () => setImmediate(() => closed.emit('gone')));
        return endless(signal);
      },
      {},
      2,
    );
    const first = await served.open();
    using _second = await served.open();
    using third = await served.open();
    assert.equal(third.status, 429);
    assert.equal(third.headers['retry-after'], '5');
    first[Symbol.dispose]();
    await once(closed, 'gone');
    using fourth = await served.open();
    assert.equal(fourth.status, 200);
  });
});
