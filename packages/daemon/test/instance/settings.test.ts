/** Settings of the whole instance, which an admin changes. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { InstanceSettings } from '@davit/api';
import { bootDaemon, type TestDaemon, user } from '@davit/testkit';
import { SETTINGS_KEY } from '../../src/config/instance-settings.ts';
import { readSetting, writeSetting } from '../../src/db/tables/settings.ts';

const DEFAULTS = InstanceSettings.parse({});

describe('instance settings', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  beforeEach(() => daemon.call('PUT', '/api/settings', {}));
  after(() => daemon[Symbol.asyncDispose]());

  const read = async () => JSON.parse((await daemon.call('GET', '/api/settings')).text) as InstanceSettings;
  const patch = async (body: object) => JSON.parse((await daemon.call('PATCH', '/api/settings', body)).text);
  const kept = () => JSON.parse(readSetting(daemon.core.store, SETTINGS_KEY) ?? '{}');

  it('have default values initially', async () => {
    assert.deepEqual(await read(), DEFAULTS);
  });

  it('are merged by PATCH, and null resets a setting to its default', async () => {
    await patch({ logs: { days: 5 }, images: { keep: 3 } });

    assert.deepEqual(await patch({ logs: { bytes_per_app: 2 ** 21 } }), {
      ...DEFAULTS,
      logs: { ...DEFAULTS.logs, bytes_per_app: 2 ** 21, days: 5 },
      images: { ...DEFAULTS.images, keep: 3 },
    });
    await patch({ logs: { days: null }, images: null });
    assert.deepEqual(await read(), { ...DEFAULTS, logs: { ...DEFAULTS.logs, bytes_per_app: 2 ** 21 } });
  });

  it('fall back to defaults with a warning if stored values are no longer valid', async () => {
    const { store } = daemon.core;
    const stored = { images: { keep: 3, gone: 1 }, registries: { private_hosts: ['not a host!'] }, unknown: true };
    store.tx((tx) => writeSetting(tx, SETTINGS_KEY, JSON.stringify(stored)));

    assert.deepEqual(await read(), { ...DEFAULTS, images: { ...DEFAULTS.images, keep: 3 } });
    const warnings = async () =>
      (await daemon.client.getInstance()).warnings.filter((text) => text.includes('registries.private_hosts'));
    assert.match((await warnings()).join(), /images\.gone/);
    await patch({ logs: { days: 5 } });
    assert.deepEqual(kept(), { images: { keep: 3 }, logs: { days: 5 } });
    assert.deepEqual(await warnings(), []);
  });

  it('accept private registries in normalized form and refuse invalid hosts', async () => {
    const body = (hosts: unknown) => ({ registries: { private_hosts: hosts } });
    const given = [
      'Registry.Internal:5000',
      '127.0.0.1:5001',
      'http://10.0.0.9:5000',
      '10.1.0.0/16',
      'FD00::/8',
      'r.x:443',
    ];

    const { registries } = await patch(body(given));

    assert.deepEqual(registries.private_hosts, [
      ...['registry.internal:5000', 'localhost:5001', 'http://10.0.0.9:5000', '10.1.0.0/16', 'fd00::/8', 'r.x'],
    ]);
    for (const wrong of [
      ...['', 'registry', '*', '*.internal', 'https://r.x', 'r.x/path', 'u@r.x', '10.1.0.0/33', '10.1/16', '::1'],
      ...['0x7f.1', '2130706433', '127.1', 'r.x:0', 'r.x:70000', 7, null],
    ]) {
      const { status, text } = await daemon.call('PATCH', '/api/settings', body([wrong]));
      assert.equal(status, 400, `${wrong}: ${text}`);
    }
  });

  it('are replaced by PUT, and omitted settings get their defaults', async () => {
    await patch({ logs: { days: 5 }, images: { keep: 3 } });

    await daemon.call('PUT', '/api/settings', { images: { keep: 4 } });

    assert.deepEqual(await read(), { ...DEFAULTS, images: { ...DEFAULTS.images, keep: 4 } });
  });

  it('take effect immediately and persist after a restart', async () => {
    await patch({ images: { keep: 7 } });

    assert.equal(daemon.core.settings().images.keep, 7);
    await daemon.restart();
    assert.equal(daemon.core.settings().images.keep, 7);
  });

  it('normalize trusted proxies, apply the list immediately and refuse invalid networks', async () => {
    const trusted_proxies = { forwarded_for: ['10.1.2.3/8', '::ffff:192.0.2.1', '10.0.0.0/8'], proxy_protocol: [] };
    const answer = await patch({ trusted_proxies });

    assert.deepEqual(answer.trusted_proxies.forwarded_for, ['10.0.0.0/8', '192.0.2.1']);
    await daemon.settled();
    const forwardedFor = ['10.0.0.0/8', '192.0.2.1'];
    assert.deepEqual(daemon.proxy.table()?.trustedProxies, { forwardedFor, proxyProtocol: [] });
    for (const network of ['0.0.0.0/0', '::/0', '10.0.0.0/33', 'balancer', '10.0.0.1 ']) {
      const { status, text } = await daemon.call('PATCH', '/api/settings', {
        trusted_proxies: { proxy_protocol: [network] },
      });
      assert.equal(status, 400, network);
      assert.match(text, /^trusted_proxies\.proxy_protocol\.0: must be /);
    }
    await patch({ trusted_proxies: null });
    await daemon.settled();
    assert.equal(daemon.proxy.table()?.trustedProxies, undefined);
  });

  it('are stored only if different from the defaults', async () => {
    await patch({ images: { keep: 3 }, logs: { days: DEFAULTS.logs.days } });
    assert.deepEqual(kept(), { images: { keep: 3 } });

    await patch({ images: { keep: DEFAULTS.images.keep } });
    assert.deepEqual(kept(), {});
  });

  it('are unchanged after a request with an invalid setting', async () => {
    const before = await read();
    const bad = [
      { images: { keep: 0 } },
      { images: { keep: '3' } },
      { images: { keep: 3, kept: 1 } },
      { colour: 'red' },
      { images: 3 },
      { images: [] },
      { disk: { warn_percent: 96 } },
      { disk: { warn_percent: 10, refuse_percent: 9 } },
      { logs: { days: 5 }, volumes: { trash_days: -1 } },
    ];

    for (const body of bad) {
      for (const method of ['PATCH', 'PUT']) {
        const { status, text } = await daemon.call(method, '/api/settings', body);
        assert.equal(status, 400, `${method} ${JSON.stringify(body)} ${text}`);
      }
    }
    assert.deepEqual(await read(), before);
  });

  it('are validated together with the stored settings', async () => {
    await patch({ disk: { warn_percent: 50, refuse_percent: 60 } });

    const { status, text } = await daemon.call('PATCH', '/api/settings', { disk: { refuse_percent: 40 } });

    assert.deepEqual([status, text], [400, 'disk.warn_percent: must be at most refuse_percent.\n']);
    assert.equal((await read()).disk.refuse_percent, 60);
  });

  it('can be read by a viewer but not changed by a member', async () => {
    const [viewer, member] = [user(daemon, 'viewer'), user(daemon, 'member')];

    assert.equal((await daemon.call('GET', '/api/settings', undefined, viewer.key)).status, 200);
    for (const method of ['PATCH', 'PUT']) {
      assert.equal((await daemon.call(method, '/api/settings', {}, member.key)).status, 403);
    }
  });

  it('publish an event only for an actual change', async () => {
    const seen: unknown[] = [];
    const stop = daemon.core.store.onEvent(({ data }) => seen.push(data));

    await patch({ images: { keep: 3 } });
    await patch({ images: { keep: 3 } });

    stop();
    assert.deepEqual(seen, [{ change: 'settings' }]);
  });
});
