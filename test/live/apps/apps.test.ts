/** Environment, addresses and removal of apps on a whole instance. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { CASES_AT_ONCE, type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong, someOf } from '../../support/tiers.ts';

describe('apps on a real instance', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;

  before(async () => {
    harness = await LiveHarness.create();
  });
  after(() => harness?.[Symbol.asyncDispose]());

  describe('with other apps beside them', { concurrency: CASES_AT_ONCE }, () => {
    test('variables reach the process unchanged, byte for byte', async () => {
      const set = {
        LINES: 'one\ntwo\n\n',
        QUOTES: `"double" 'single' \`back\``,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a shell would replace
        SUBSTITUTION: '$(id) ${HOME} $HOME $$ \\ %s !!',
        SPACES: '  around\tand between  ',
        EQUALS: 'a=b=c',
        UNICODE: 'Grüße 🚢',
        EMPTY: '',
      };
      const app = await harness.app();
      await harness.client.setAppEnv({ params: app.params, body: { set } });
      await app.deploy('v1');

      const environment = await environmentOf(app);

      for (const [key, value] of Object.entries(set)) assert.equal(environment[key], value, key);
    });

    test('the process gets its port and its Davit variables', inLong, async () => {
      const app = await harness.deployedApp({ port: 3456 });
      const { live_deployment, replicas } = await app.read();

      const environment = await environmentOf(app);

      const provided = Object.entries(environment).filter(([key]) => key === 'PORT' || key.startsWith('DAVIT_'));
      assert.deepEqual(Object.fromEntries(provided), {
        PORT: '3456',
        DAVIT_APP: app.params.app,
        DAVIT_PROJECT: app.params.project,
        DAVIT_ENVIRONMENT: 'production',
        DAVIT_DEPLOYMENT: String(live_deployment),
        DAVIT_TAG: 'v1',
        DAVIT_REPLICA: replicas[0]?.name,
      });
    });

    test('command and arguments reach the process unchanged', inLong, async () => {
      const command = ['/bin/sh', '-c', 'cat /proc/$$/cmdline > /www/cmdline; exec httpd -f -p 8080 -h /www', 'zero'];
      const args = ['a b', '$(id)', "it's", '"quoted"', 'two\nlines', '', '*'];
      const app = await harness.deployedApp({ command, args });

      const { text } = await app.get('/cmdline');

      assert.deepEqual(text.split('\0').slice(0, -1), [...command, ...args]);
    });

    test('CPU, memory and process limits are set on the container', inLong, async () => {
      const app = await harness.deployedApp({ limits: { cpu: 0.5, memory_bytes: 64 * 1024 ** 2, pids: 100 } });

      const { HostConfig } = await harness.docker.getContainer((await app.container()).Id).inspect();

      const { NanoCpus, Memory, MemorySwap, PidsLimit } = HostConfig;
      assert.deepEqual([NanoCpus, Memory, MemorySwap, PidsLimit], [5e8, 64 * 1024 ** 2, 64 * 1024 ** 2, 100]);
    });

    test('a memory limit below the memory use of the replica is applied', inLong, async () => {
      const app = await harness.deployedApp({ limits: { memory_bytes: 64 * 1024 ** 2 }, stop: { drain_s: 1 } });
      await app.run('dd', 'if=/dev/zero', 'of=/dev/shm/block', 'bs=1M', 'count=32');

      await harness.client.patchApp({ params: app.params, body: { limits: { memory_bytes: 16 * 1024 ** 2 } } });

      const limits = () => app.containers().then((all) => Promise.all(all.map(({ Id }) => memoryOf(Id))));
      await until('every replica has the new limit', limits, (found) => found.join() === String(16 * 1024 ** 2));
      assert.equal((await app.read()).status, 'running');
    });

    test('an app shows why a process of its replica was killed', inLong, async () => {
      const app = await harness.deployedApp({ limits: { memory_bytes: 16 * 1024 ** 2 } });

      await app.run('tail', '/dev/zero');

      const { status_reason: reason } = await until(
        'the app has a reason',
        () => app.read(),
        (record) => record.status_reason !== null,
      );
      assert.match(reason ?? '', /more memory than its limit of 16 MiB\. Raise the memory limit of the app\./);
    });

    const stopping = 'trap "" TERM; trap "exit 7" USR1; httpd -p "$PORT" -h /www; while true; do sleep 0.1; done';
    const stops = [
      { stop: { signal: 'SIGUSR1', grace_s: 60 }, exitCode: '7', how: 'the signal that its policy names' },
      { stop: { signal: 'SIGTERM', grace_s: 1 }, exitCode: '137', how: 'a kill when its grace is over' },
    ];
    for (const { stop, exitCode, how } of someOf(stops)) {
      test(`a replaced release is ended by ${how}`, async () => {
        const app = await harness.deployedApp({ stop, command: ['sh', '-c', stopping] });
        const { Id: old } = await app.container();
        const since = Math.floor(Date.now() / 1000) - 1;

        await app.deploy('v2');
        await until(
          'the old release is gone',
          () => app.containers(),
          (all) => all.every(({ Id }) => Id !== old),
        );

        assert.equal(await exitCodeOf(old, since), exitCode);
      });
    }

    test('an internal name resolves to an app only after the app is ready', async () => {
      const web = await harness.deployedApp();
      const { project } = web.params;
      const api = await harness.app({ project, name: 'api', health: { path: '/ready' } });
      const { id } = await api.begin('v1');
      await until(
        'it is under check',
        () => api.record(id),
        ({ phase }) => phase === 'checking',
      );
      const name = `api.production.${project}.internal`;
      assert.deepEqual(await lookUp(web, name), []);

      await api.run('touch', '/www/ready');
      await api.ended(id);

      const address = (await api.read()).replicas[0]?.address;
      assert.deepEqual(await lookUp(web, name), [address]);
      assert.deepEqual(await lookUp(web, `cubeship-${project}-production-api`), [address]);
      assert.match(await fetchFrom(web, address), /^v1 davit-/m);
    });

    test('an app cannot be reached from another environment', async () => {
      const project = await harness.project();
      const web = await harness.deployedApp({ project });
      await harness.client.createEnvironment({ params: { project }, body: { slug: 'staging' } });
      const staging = await harness.deployedApp({ project, environment: 'staging' });
      const address = (await web.read()).replicas[0]?.address;

      assert.equal(await fetchFrom(staging, address), '');
    });

    test('an unknown host gets a plain-text response with status 404', async () => {
      const { status, headers, text } = await harness.get('unknown.example');

      assert.equal(status, 404);
      assert.match(headers['content-type'] ?? '', /^text\/plain/);
      assert.match(text, /^[A-Z].*\.\n$/);
    });

    test('the instance responds at its own domain', async () => {
      const { status, text } = await harness.get('davit.test', '/api/setup');

      assert.deepEqual([status, JSON.parse(text)], [200, { claimed: true, signed_in: false }]);
    });

    test('GET /instance returns engine, ID, domain and port without warnings', async () => {
      const { instance } = harness;
      const { Version: version } = await harness.docker.version();

      const reported = await harness.client.getInstance();

      assert.deepEqual(reported.engine, { kind: 'docker', version, simulated: false, available: true });
      assert.deepEqual(
        [reported.id, reported.domain, reported.ports.http],
        [instance.id, 'davit.test', instance.httpPort],
      );
      assert.deepEqual(reported.warnings, []);
    });

    test('a deleted app leaves no containers or other objects on the engine', inLong, async () => {
      const project = await harness.project();
      const app = await harness.deployedApp({ project, scale: 2 });
      await app.deploy('v2');

      await harness.client.deleteApp({ params: app.params });

      assert.deepEqual(await app.containers(), []);
      assert.deepEqual(
        (await harness.objects()).filter((object) => object.includes(project)),
        [],
      );
      assert.equal((await app.get()).status, 404);
    });
  });

  test('deleting a project removes its apps and networks and no other objects', async () => {
    const before = await harness.objects();
    const project = await harness.project();
    await harness.deployedApp({ project });
    await harness.client.createEnvironment({ params: { project }, body: { slug: 'staging' } });
    await harness.deployedApp({ project, environment: 'staging' });

    await harness.client.deleteProject({ params: { project } });

    assert.deepEqual(await harness.objects(), before);
  });

  /** Returns the memory limit of a container, or 0 if the container was removed. */
  async function memoryOf(container: string): Promise<number> {
    const found = await harness.docker
      .getContainer(container)
      .inspect()
      .catch(() => null);
    return found?.HostConfig.Memory ?? 0;
  }

  async function environmentOf(app: LiveApp): Promise<Record<string, string>> {
    const { text } = await app.get('/environ');
    const entries = text.split('\0').filter((entry) => entry !== '');
    return Object.fromEntries(entries.map((entry) => [entry.split('=')[0], entry.slice(entry.indexOf('=') + 1)]));
  }

  /**
   * Returns the response of an address to the app's container, or an empty text if it cannot connect within a second.
   */
  async function fetchFrom(app: LiveApp, address: string | undefined): Promise<string> {
    const script = 'printf "GET / HTTP/1.0\\r\\n\\r\\n" | nc -w 1 "$0" 8080 2>/dev/null';
    return (await app.run('sh', '-c', script, address ?? '')).output;
  }

  /** Returns the addresses of a name as the app's container resolves it. */
  async function lookUp(app: LiveApp, name: string): Promise<string[]> {
    const { output } = await app.run('nslookup', '-type=a', name);
    return [...output.matchAll(/^Address: ([\d.]+)\r?$/gm)].map((match) => match[1] ?? '');
  }

  /** Returns the exit code of a removed container from the events of the engine. */
  async function exitCodeOf(container: string, since: number): Promise<string | undefined> {
    const filters = { container: [container], event: ['die'] };
    const stream = await harness.docker.getEvents({ since, until: Math.ceil(Date.now() / 1000) + 1, filters });
    let text = '';
    for await (const chunk of stream) text += chunk;
    const event = JSON.parse(text.trim().split('\n')[0] ?? '{}') as { Actor?: { Attributes: { exitCode: string } } };
    return event.Actor?.Attributes.exitCode;
  }
});
