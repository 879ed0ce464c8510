/**
 * The daemon finds pushes whose notifications were lost. The registry keeps notifications in memory, so they end with
 * its process.
 */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { tagImage } from '../../support/live-images.ts';
import { RegistryClients } from '../../support/registry-clients.ts';
import { RawRegistry } from '../../support/registry-raw.ts';
import { IS_LONG, inLong } from '../../support/tiers.ts';

const ROUNDS = IS_LONG ? 50 : 2;
const REPOSITORY = 'shop/production/web';
const PARAMS = { project: 'shop', environment: 'production', app: 'web' };

describe('a push with a lost notification', { skip: whyNoEngine() ?? false }, () => {
  const docker = new Docker();
  let instance: Instance;
  let raw: RawRegistry;
  before(async () => {
    instance = await startInstance();
    const { client, registryPort, key } = instance;
    await client.createProject({ body: { slug: 'shop' } });
    await client.createApp({ body: { project: 'shop', name: 'web', source: 'registry', port: 8080 } });
    const registry = `http://127.0.0.1:${registryPort}`;
    raw = new RawRegistry({ registry, api: instance.url }, 'admin', key);
    await returned();
    await using clients = await RegistryClients.create();
    const image = await tagImage(docker, 'v1');
    const to = ['--dest-tls-verify=false', '--dest-creds', `admin:${key}`];
    const ran = await clients.skopeo([
      'copy',
      '-q',
      ...to,
      `docker-daemon:${image}`,
      `docker://localhost:${registryPort}/${REPOSITORY}:base`,
    ]);
    assert.equal(ran.exitCode, 0, ran.output);
    await deployed((digest) => digest !== null);
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
  });

  /** Kills the process of the registry without cleanup. The engine starts it again. */
  async function killRegistry(): Promise<void> {
    const { State } = await docker.getContainer(`davit-${instance.id}-registry`).inspect();
    process.kill(State.Pid, 'SIGKILL');
  }

  function returned(): Promise<true> {
    return until('the registry answers', async () => {
      const answer = await raw.ask({ path: '/v2/' }).catch(() => null);
      return answer?.status === 401 ? true : null;
    });
  }

  /** Resolves when the live deployment satisfies a condition. */
  function deployed(is: (digest: string | null) => boolean): Promise<true> {
    return until('what was pushed is live', async () => {
      const [newest] = await instance.client.listDeployments({ params: PARAMS });
      assert.notEqual(newest?.status, 'failed', `${newest?.error}`);
      return newest?.live && is(newest.digest) ? true : null;
    });
  }

  it('is deployed after a restart if the daemon was killed before the push', inLong, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await raw.token(`repository:${REPOSITORY}:pull,push`);
      const { digest, push } = await raw.variation(REPOSITORY, 'base', `away ${round}`, token);
      await instance.kill();
      // Every other round moves an existing tag; the other rounds push a new tag.
      await push(round % 2 === 0 ? `away-${round}` : 'moved');
      await killRegistry();
      await instance.start();
      await returned();

      await deployed((live) => live === digest);
    }
  });

  it('is deployed if the registry is killed while the daemon runs', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await raw.token(`repository:${REPOSITORY}:pull,push`);
      const { digest, push } = await raw.variation(REPOSITORY, 'base', `there ${round}`, token);
      await push(`there-${round}`);
      await killRegistry();
      await returned();

      await deployed((live) => live === digest);
    }
  });

  it('does not cause a second deployment', inLong, async () => {
    // Maximum number of deployments on one page. A push that was deployed twice would be on the page twice.
    const page = 100;
    const all = await instance.client.listDeployments({ params: PARAMS, query: { limit: String(page) } });
    assert.equal(all.length, Math.min(page, 1 + 2 * ROUNDS));
    assert.equal(new Set(all.map(({ digest }) => digest)).size, all.length);
    assert.deepEqual([...new Set(all.map(({ trigger }) => trigger.kind))], ['push']);
  });
});
