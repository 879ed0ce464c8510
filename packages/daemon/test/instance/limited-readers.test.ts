/** Tests that data of the instance does not contain names of other projects for users with limited projects. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { DnsProvider, Instance, OwnRegistry } from '@davit/api';
import { bootDaemon, app as makeApp, paramsOf, project, readEvents, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import type { Actor } from '../../src/auth/context.ts';
import { insertDnsProvider } from '../../src/db/tables/dns-provider.ts';
import { insertProject } from '../../src/db/tables/project.ts';
import { watchPushedReleases } from '../../src/reconcilers/pushed-releases.ts';
import { seesRepository } from '../../src/resources/registry/rights.ts';

const parse = <T>(answer: { text: string }) => JSON.parse(answer.text) as T;

/** Message of HAProxy with a route of another project. */
const SAID = 'parsing [/etc/haproxy.cfg:31]: backend bravo/production/secret has no server';

describe('a user limited to some projects', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const own = await project(daemon);
  const limited = user(daemon, 'viewer', [own]);

  async function warningsFor(key: string): Promise<string[]> {
    return (JSON.parse((await daemon.call('GET', '/api/instance', undefined, key)).text) as Instance).warnings;
  }

  it('sees a proxy configuration warning without the text of the proxy', async () => {
    daemon.proxy.setUnavailable(SAID);
    daemon.core.nudgeRoutes();

    const all = await until('the instance warns', async () => {
      const warnings = await warningsFor(daemon.key);
      return warnings.some((text) => text.includes(SAID)) && warnings;
    });
    const own = await warningsFor(limited.key);

    assert.ok(own.some((text) => text.startsWith('The proxy does not respond or rejects its configuration,')));
    assert.doesNotMatch(own.join(), /bravo/);
    assert.ok(own.length <= all.length);
  });

  it('gets the number of visible warnings in machine events', async () => {
    const counts = await Promise.all(
      [daemon.key, limited.key].map(async (key) => {
        using reader = await readEvents({ url: daemon.url }, '/api/events?kinds=machine', {
          headers: { authorization: `Bearer ${key}` },
        });
        await daemon.core.metrics.sample();
        await daemon.core.metrics.sample();
        const event = await reader.next();
        return [event?.data.warnings, (await warningsFor(key)).length];
      }),
    );

    for (const [counted, read] of counts) assert.equal(counted, read);
  });

  it('sees only the registry size of the visible repositories', async () => {
    const other = await project(daemon);
    const { collector } = daemon.core;
    const sizeFor = async (key: string) => {
      await watchPushedReleases(daemon.core, collector).task.run(new AbortController().signal);
      const registry = parse<OwnRegistry>(await daemon.call('GET', '/api/registry', undefined, key));
      return [registry.bytes, registry.collection.last?.freed_bytes];
    };
    const [mine, theirs] = await Promise.all(
      [own, other].map((slug) => makeApp(daemon, { project: slug, source: 'registry', image: undefined })),
    );
    for (const app of [mine, theirs]) daemon.registry.push(app?.reference ?? '', 'v1', 'the same layer');
    await collector.collect();

    const before = await sizeFor(limited.key);
    daemon.registry.push(theirs?.reference ?? '', 'v2', 'another layer');
    const after = await sizeFor(limited.key);

    assert.deepEqual(after, before);
    assert.equal(after[1], null);
    assert.equal(typeof (await sizeFor(daemon.key))[1], 'number');
  });

  it('sees the disk usage rounded to one percent', async () => {
    const disk = await until('the disk is measured', async () => {
      return parse<Instance>(await daemon.call('GET', '/api/instance', undefined, limited.key)).disk ?? false;
    });
    using reader = await readEvents({ url: daemon.url }, '/api/events?kinds=machine', {
      headers: { authorization: `Bearer ${limited.key}` },
    });
    await daemon.core.metrics.sample();
    await daemon.core.metrics.sample();
    const { data } = (await reader.next()) ?? assert.fail('no event');

    for (const [bytes, total] of [
      [disk.free_bytes, disk.total_bytes],
      [data.disk_bytes, data.disk_total_bytes],
    ]) {
      const percent = (100 * Number(bytes)) / Number(total);
      assert.ok(Math.abs(percent - Math.round(percent)) < 1e-6, `${bytes} of ${total}`);
    }
  });

  it('sees only DNS providers and domains of the visible hosts', async () => {
    const admin = user(daemon, 'admin', [own]);
    const { store } = daemon.core;
    const row = { provider: 'sample', variables: '[]', check_propagation: 1, created_at: 1, updated_at: 1 };
    const [shared, foreign] = store.tx((tx) => {
      const of = (name: string, domains: string[]) =>
        insertDnsProvider(tx, { ...row, name, domains: JSON.stringify(domains) }, () => '').id;
      return [of('shared', ['shop.example', 'bravo.example']), of('foreign', ['bravo.test'])];
    });
    const app = await makeApp(daemon, { project: own });
    await daemon.client.addDomain({ params: paramsOf(app), body: { host: 'www.shop.example' } });

    const list = parse<DnsProvider[]>(await daemon.call('GET', '/api/dns-providers', undefined, admin.key));

    assert.deepEqual(
      list.map(({ id, domains }) => ({ id, domains })),
      [{ id: shared, domains: ['shop.example'] }],
    );
    assert.equal((await daemon.call('GET', `/api/dns-providers/${shared}`, undefined, admin.key)).status, 200);
    assert.equal((await daemon.call('GET', `/api/dns-providers/${foreign}`, undefined, admin.key)).status, 404);
    assert.equal((await daemon.client.listDnsProviders()).length, 2);
  });

  it('does not see repositories of an earlier project with the same name', () => {
    const { store } = daemon.core;
    const at = daemon.core.now();
    const id = store.tx((tx) => insertProject(tx, 'bravo', at));
    const actor = { projects: [id] } as unknown as Actor;

    assert.equal(seesRepository(store, actor, 'bravo/production/secret', at - 1), false);
    assert.equal(seesRepository(store, actor, 'bravo/production/web', at), true);
  });
});
