/** Tests the resource usage of apps and of the server in the API, in events and in the Prometheus export. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, deployedApp, keyFor, project, readEvents, send, user } from '@davit/testkit';

const START = Date.parse('2026-06-01T00:00:00Z');

describe('metrics of apps and the server', async () => {
  let now = START;
  const daemon = await bootDaemon({ now: () => now });
  after(() => daemon[Symbol.asyncDispose]());
  /** Runs rounds of measurements with an interval of ten seconds. */
  const rounds = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      now += 10_000;
      await daemon.core.metrics.sample();
    }
  };
  const read = async (path: string) => JSON.parse((await daemon.call('GET', path)).text);

  it('of an app have a sample for each step, with gaps before the start', async () => {
    const { app: deployed } = await deployedApp(daemon, { scale: 2, limits: { memory_bytes: 64 * 1024 ** 2 } });
    await rounds(4);

    const { window, step_s, samples } = await read(`/api/apps/${deployed.reference}/metrics`);

    assert.deepEqual([window, step_s, samples.length], ['1h', 10, 360]);
    assert.deepEqual(
      samples.slice(-4).map((sample: { replicas: number | null }) => sample.replicas),
      [null, 2, 2, 2],
    );
    const last = samples.at(-1);
    assert.ok(last.cpu_percent > 0 && last.cpu_percent < 60, `${last.cpu_percent} %`);
    assert.ok(last.memory_bytes > 0 && last.memory_bytes <= last.memory_limit_bytes);
    assert.equal(last.memory_limit_bytes, 2 * 64 * 1024 ** 2);
    assert.ok(last.received_bytes_per_s > 0 && last.sent_bytes_per_s > 0);
    assert.equal(last.at, new Date(now).toISOString());
    assert.deepEqual(Object.values(samples[0]).slice(1), [null, null, null, null, null, null]);
  });

  it('are available for each supported window, and other windows are refused', async () => {
    const { reference } = await app(daemon);
    for (const [window, step] of Object.entries({ '1h': 10, '6h': 60, '24h': 300, '7d': 1_800 })) {
      for (const path of [`/api/apps/${reference}/metrics`, '/api/instance/metrics']) {
        const series = await read(`${path}?window=${window}`);
        assert.deepEqual([series.window, series.step_s], [window, step]);
      }
    }
    const answer = await daemon.call('GET', `/api/apps/${reference}/metrics?window=1y`);
    assert.deepEqual([answer.status, answer.text], [400, 'window: must be one of 1h, 6h, 24h, 7d.\n']);
  });

  it('of an app are visible to a viewer and return 404 to outsiders', async () => {
    const { reference, project: own } = await app(daemon);
    const viewer = user(daemon, 'viewer', [own]);
    const stranger = user(daemon, 'admin', [await project(daemon)]);

    assert.equal((await daemon.call('GET', `/api/apps/${reference}/metrics`, undefined, viewer.key)).status, 200);
    const hidden = await daemon.call('GET', `/api/apps/${reference}/metrics`, undefined, stranger.key);
    const missing = await daemon.call('GET', '/api/apps/no/such/app/metrics', undefined, stranger.key);
    assert.deepEqual([hidden.status, hidden.text], [missing.status, missing.text]);
    assert.equal(hidden.status, 404);
  });

  it('of the server include CPU, memory, disk, network and load', async () => {
    await rounds(3);

    const { cores, samples } = await read('/api/instance/metrics?window=1h');

    const last = samples.at(-1);
    assert.ok(cores >= 1 && last.cpu_percent >= 0 && last.cpu_percent <= 100 * cores + 1);
    assert.ok(last.memory_bytes > 0 && last.memory_bytes < last.memory_total_bytes);
    assert.ok(last.disk_bytes > 0 && last.disk_bytes <= last.disk_total_bytes);
    assert.ok(last.load >= 0 && last.received_bytes_per_s >= 0);
  });

  it('survive a restart of the daemon', async () => {
    const { app: deployed } = await deployedApp(daemon);
    await rounds(8);
    const path = `/api/apps/${deployed.reference}/metrics`;
    const before = await read(path);

    await daemon.restart();

    assert.deepEqual(await read(path), before);
  });

  it('of an app are sent only to event subscribers with access to the app', async () => {
    const { app: deployed } = await deployedApp(daemon);
    const seeing = user(daemon, 'viewer', [deployed.project]);
    const other = await deployedApp(daemon);
    const following = (path: string, key: string) =>
      readEvents({ url: daemon.url }, path, { headers: { authorization: `Bearer ${key}` } });
    using metrics = await following('/api/events?kinds=metric', seeing.key);
    using plain = await following('/api/events', seeing.key);

    await rounds(2);
    const event = await metrics.next();
    await daemon.call('PATCH', `/api/apps/${deployed.reference}`, { args: ['x'] });
    const later = await plain.next();

    assert.equal(event?.event, 'metric');
    assert.equal(event.data.app, deployed.reference);
    assert.notEqual(event.data.app, other.app.reference);
    assert.ok(Number(event.data.memory_bytes) > 0);
    assert.equal(event.id, null);
    assert.equal(later?.event, 'app');
  });

  it('of the server are sent to every subscriber, even while the engine is unavailable', async () => {
    await using bare = await bootDaemon({ now: () => now });
    const limited = user(bare, 'viewer', [await project(bare)]);
    using reader = await readEvents({ url: bare.url }, '/api/events?kinds=machine', {
      headers: { authorization: `Bearer ${limited.key}` },
    });
    const round = async () => {
      now += 10_000;
      await bare.core.metrics.sample();
      return reader.next();
    };

    await round();
    let known: unknown[] = [];
    const stop = bare.core.metrics.onMachine(() => {
      known = [bare.core.warnings(null).length, bare.core.disk()?.state ?? null];
    });
    const event = await round();
    stop();
    using happened = await readEvents({ url: bare.url }, '/api/events?kinds=instance', {
      headers: { authorization: `Bearer ${bare.key}` },
    });
    bare.engine.controls.setAvailable(false);
    const turn = await happened.next();
    let away = await round();
    // A measurement by the timer in between still reported the earlier state.
    while (away?.data.engine_available) away = await reader.next();

    assert.equal(event?.event, 'machine');
    assert.ok(Number(event.data.memory_bytes) > 0);
    assert.equal(event.data.engine_available, true);
    assert.deepEqual([event.data.warnings, event.data.disk_state], known);
    assert.equal(event.id, null);
    assert.deepEqual([turn?.data.replica, turn?.data.change], [null, 'engine']);
    assert.equal(away?.data.engine_available, false);
  });
});

describe('GET /metrics', async () => {
  let now = START;
  const daemon = await bootDaemon({ now: () => now });
  after(() => daemon[Symbol.asyncDispose]());
  const scrape = (key: string = daemon.key) => daemon.call('GET', '/metrics', undefined, key);
  const valueOf = (text: string, series: string): number => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
    assert.ok(line, `there is no ${series}`);
    return Number(line.slice(series.length + 1));
  };

  it('returns the Prometheus text format with conventional metric names', async () => {
    const answer = await scrape();

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    for (const line of answer.text.trim().split('\n')) {
      assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{([a-z_]+="[^"]*",?)+\})? (Nan|[+-]?[\d.e+-]+)|)$/, line);
    }
    const types = [...answer.text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    assert.ok(types.some(([, name]) => name === 'nodejs_active_resources'));
    for (const [, name = '', type] of types) {
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.match(answer.text, new RegExp(`^# HELP ${name} \\S`, 'm'), name);
      assert.doesNotMatch(name, /_(ms|mib|percent)\b/);
    }
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) {
      assert.ok(valueOf(answer.text, name) >= 0);
    }
    const { user: userUs, system: systemUs } = process.cpuUsage();
    const seconds = valueOf(answer.text, 'process_cpu_seconds_total');
    assert.ok(seconds > 0.1 && seconds <= (userUs + systemUs) / 1e6, 'counted from the start of the process');
  });

  it('counts requests and their durations by operation and status class', async () => {
    await daemon.call('GET', '/api/apps');
    await daemon.call('GET', '/api/apps/a/b/c');
    await daemon.call('GET', '/api/nothing');
    await daemon.send({ path: '/healthz' });

    const { text } = await scrape();

    assert.ok(valueOf(text, 'davit_http_requests_total{operation="listApps",status="2xx"}') >= 1);
    assert.equal(valueOf(text, 'davit_http_requests_total{operation="getApp",status="4xx"}'), 1);
    assert.equal(valueOf(text, 'davit_http_requests_total{operation="none",status="4xx"}'), 1);
    assert.equal(valueOf(text, 'davit_http_requests_total{operation="GET /healthz",status="2xx"}'), 1);
    const name = 'davit_http_request_duration_seconds';
    assert.equal(valueOf(text, `${name}_bucket{operation="getApp",status="4xx",le="+Inf"}`), 1);
    assert.equal(valueOf(text, `${name}_count{operation="getApp",status="4xx"}`), 1);
    assert.ok(valueOf(text, `${name}_sum{operation="getApp",status="4xx"}`) > 0);
  });

  it('reports the resource use of apps and counts deployments by status', async () => {
    const { app: deployed } = await deployedApp(daemon, { scale: 2 });
    await daemon.call('POST', `/api/apps/${deployed.reference}/deploy?wait=true`, { tag: 'crash' });
    for (let n = 0; n < 2; n += 1) {
      now += 10_000;
      await daemon.core.metrics.sample();
    }

    const { text } = await scrape();

    const { project: name, environment, name: own } = deployed;
    const labels = `{project="${name}",environment="${environment}",app="${own}"}`;
    assert.equal(valueOf(text, `davit_app_replicas${labels}`), 2);
    assert.ok(valueOf(text, `davit_app_memory_bytes${labels}`) > 0);
    assert.ok(valueOf(text, `davit_app_cpu_seconds_total${labels}`) > 0);
    assert.ok(valueOf(text, `davit_app_network_receive_bytes_total${labels}`) > 0);
    assert.equal(valueOf(text, 'davit_deployments_total{status="succeeded"}'), 1);
    assert.equal(valueOf(text, 'davit_deployments_total{status="failed"}'), 1);
    assert.equal(valueOf(text, 'davit_deployments_open{status="running"}'), 0);
    assert.equal(valueOf(text, 'davit_replicas{role="active",state="running"}'), 2);
    assert.equal(valueOf(text, 'davit_engine_up'), 1);
    assert.ok(valueOf(text, 'davit_database_size_bytes') > 0);
    assert.ok(valueOf(text, 'davit_disk_size_bytes') >= valueOf(text, 'davit_disk_available_bytes'));
  });

  it('reports the number of open event streams', async () => {
    const headers = { authorization: `Bearer ${daemon.key}` };
    using _ = await readEvents({ url: daemon.url }, '/api/events', { headers });

    assert.equal(valueOf((await scrape()).text, 'davit_event_streams_open'), 1);
  });

  it('allows only users with access to all projects and the local operator', async () => {
    const { project: name } = await app(daemon);
    const viewer = user(daemon, 'viewer');
    const limited = user(daemon, 'admin', [name]);

    assert.equal((await scrape(viewer.key)).status, 200);
    assert.equal((await send({ socketPath: daemon.core.facts.socket }, { path: '/metrics' })).status, 200);
    for (const key of [limited.key, keyFor(daemon, { id: viewer.id, role: 'viewer' }, { projects: [name] })]) {
      const refused = await scrape(key);
      assert.equal(refused.status, 403);
      assert.match(refused.text, /^The metrics contain data of all projects\. .+\.\n$/);
    }
    const anonymous = await daemon.send({ path: '/metrics' });
    assert.deepEqual([anonymous.status, anonymous.headers.get('www-authenticate')], [401, 'Bearer']);
    assert.equal((await daemon.call('POST', '/metrics', {})).status, 405);
    assert.equal((await daemon.call('GET', '/metrics?x=1')).status, 400);
  });
});
