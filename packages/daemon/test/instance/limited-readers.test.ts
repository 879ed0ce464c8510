/** What a user who is limited to projects reads of the instance: nothing that names another project. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Instance } from '@davit/api';
import { bootDaemon, project, readEvents, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import type { Actor } from '../../src/auth/context.ts';
import { insertProject } from '../../src/db/tables/project.ts';
import { seesRepository } from '../../src/resources/registry/rights.ts';

/** As HAProxy writes it: with a route of another project. */
const SAID = 'parsing [/etc/haproxy.cfg:31]: backend bravo/production/secret has no server';

describe('a user who is limited to projects', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const limited = user(daemon, 'viewer', [await project(daemon)]);

  async function warningsFor(key: string): Promise<string[]> {
    return (JSON.parse((await daemon.call('GET', '/api/instance', undefined, key)).text) as Instance).warnings;
  }

  it('reads that the proxy refuses its configuration, and not the text of the proxy', async () => {
    daemon.proxy.setUnavailable(SAID);
    daemon.core.nudgeRoutes();

    const all = await until('the instance warns', async () => {
      const warnings = await warningsFor(daemon.key);
      return warnings.some((text) => text.includes(SAID)) && warnings;
    });
    const own = await warningsFor(limited.key);

    assert.ok(own.some((text) => text.startsWith('The proxy does not answer, or refuses its configuration.')));
    assert.doesNotMatch(own.join(), /bravo/);
    assert.ok(own.length <= all.length);
  });

  it('is told the number of the warnings that it can read', async () => {
    const counts = await Promise.all(
      [daemon.key, limited.key].map(async (key) => {
        using told = await readEvents({ url: daemon.url }, '/api/events?kinds=machine', {
          headers: { authorization: `Bearer ${key}` },
        });
        await daemon.core.metrics.sample();
        await daemon.core.metrics.sample();
        const event = await told.next();
        return [event?.data.warnings, (await warningsFor(key)).length];
      }),
    );

    for (const [counted, read] of counts) assert.equal(counted, read);
  });

  it('does not read the name of an app of an earlier project with the name of one that it sees', () => {
    const { store } = daemon.core;
    const at = daemon.core.now();
    const id = store.tx((tx) => insertProject(tx, 'bravo', at));
    const actor = { projects: [id] } as unknown as Actor;

    assert.equal(seesRepository(store, actor, 'bravo/production/secret', at - 1), false);
    assert.equal(seesRepository(store, actor, 'bravo/production/web', at), true);
  });
});
