/** Lists of tags with a real registry, at its local port and under its public host. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { type Answer, send } from '../../support/proxy-load.ts';
import { RawRegistry } from '../../support/registry-raw.ts';

const MINE = 'shop/production/web';
const THEIRS = 'shop/production/other';
/** Name of an app whose repository ends like the path of a list. */
const ODD = 'x/tags/list';
const HOST = 'registry.davit.test';
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const CONFIG = 'application/vnd.docker.container.image.v1+json';
const SORTED = ['1.10', '1.9', 'latest', 'V1', 'v1', 'v10', 'v2'];

describe('lists of tags', { skip: whyNoEngine() ?? false }, () => {
  let instance: Instance;
  let raw: RawRegistry;
  /** Each entrance of the registry, by name. */
  const entrances: Record<string, (path: string, token?: string | null, method?: string) => Promise<Answer>> = {
    'the local port': (path, token, method) => ask('localhost', instance.registryPort, { path, token, method }),
    'the public host': (path, token, method) => ask(HOST, instance.httpPort, { path, token, method }),
    'the public host with TLS': (path, token, method) => ask(HOST, instance.httpsPort, { path, token, method }),
  };

  before(async () => {
    instance = await startInstance();
    const { client, registryPort } = instance;
    raw = new RawRegistry({ registry: `http://127.0.0.1:${registryPort}`, api: instance.url }, 'admin', instance.key);
    await client.createProject({ body: { slug: 'shop' } });
    await client.createProject({ body: { slug: 'x' } });
    await client.createEnvironment({ params: { project: 'x' }, body: { slug: 'tags' } });
    for (const repository of [MINE, THEIRS, ODD]) {
      const [project = '', environment = '', name = ''] = repository.split('/');
      // The tag is pinned, because the test is not about deployments.
      await client.createApp({ body: { project, environment, name, source: 'registry', tag: 'none' } });
    }
    await until('the registry answers', async () => {
      const answer = await raw.ask({ path: '/v2/' }).catch(() => null);
      return answer?.status === 401 ? true : null;
    });
    for (const tag of SORTED.toReversed()) await push(MINE, tag);
    await push(THEIRS, 'secret');
    await push(ODD, 'odd');
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
  });

  function ask(
    host: string,
    port: number,
    {
      path,
      token = null,
      method = 'GET',
    }: { path: string; token: string | null | undefined; method: string | undefined },
  ): Promise<Answer> {
    const headers: Record<string, string> = { accept: MANIFEST, ...(token && { authorization: `Bearer ${token}` }) };
    return send({ port, host: `${host}:${port}`, path, method, headers, secure: port === instance.httpsPort });
  }

  async function push(repository: string, tag: string): Promise<void> {
    const token = await raw.token(`repository:${repository}:pull,push`);
    const config = Buffer.from(JSON.stringify({ tag, rootfs: { type: 'layers', diff_ids: [] } }));
    const digest = await raw.putBlob(repository, config, token);
    const manifest = {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: { mediaType: CONFIG, size: config.length, digest },
      layers: [],
    };
    await raw.putManifest(repository, tag, manifest, token);
  }

  const tokenFor = (repository: string) => raw.token(`repository:${repository}:pull`);
  const tagsIn = ({ text }: Answer) => (JSON.parse(text) as { tags: string[] }).tags;

  for (const [name, list] of Object.entries(entrances)) {
    it(`are sorted and in pages at ${name}`, async () => {
      const token = await tokenFor(MINE);
      const whole = await list(`/v2/${MINE}/tags/list`, token);
      assert.deepEqual([whole.status, tagsIn(whole), whole.headers.link], [200, SORTED, undefined]);

      const pages: string[][] = [];
      for (let path: string | undefined = `/v2/${MINE}/tags/list?n=3`; path !== undefined; ) {
        const answer: Answer = await list(path, token);
        pages.push(tagsIn(answer));
        path = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1];
      }
      assert.deepEqual(pages, [SORTED.slice(0, 3), SORTED.slice(3, 6), SORTED.slice(6)]);

      const odd = await list(`/v2/${MINE}/tags/list?n=-1`, token);
      assert.deepEqual([odd.status, JSON.parse(odd.text).errors[0].code], [400, 'PAGINATION_NUMBER_INVALID']);
      const head = await list(`/v2/${MINE}/tags/list?n=1`, token, 'HEAD');
      assert.deepEqual([head.status, head.text], [200, '']);
      // The registry itself refuses other methods, because a token for pulls does not allow them.
      assert.equal((await list(`/v2/${MINE}/tags/list`, token, 'POST')).status, 401);
    });

    it(`need a token for the repository at ${name}`, async () => {
      const mine = await tokenFor(MINE);
      for (const [path, token] of [
        [`/v2/${MINE}/tags/list`, null],
        [`/v2/${MINE}/tags/list`, 'x.y.z'],
        [`/v2/${THEIRS}/tags/list`, mine],
        [`/v2/${ODD}/tags/list`, mine],
      ] as const) {
        const { status, headers, text } = await list(path, token);
        assert.equal(status, 401, path);
        const realm = /realm="([^"]+)"/.exec(String(headers['www-authenticate']))?.[1] ?? '';
        const isPublic = name !== 'the local port';
        assert.match(realm, isPublic ? /^https?:\/\/registry\.davit\.test:\d+\/v2\/token$/ : /^http:\/\/127\.0\.0\.1:/);
        assert.doesNotMatch(text, /secret|odd/);
      }
    });

    it(`never belong to another repository than the token at ${name}`, async () => {
      const mine = await tokenFor(MINE);
      const other = THEIRS.split('/')[2];
      for (const path of [
        `/v2/${THEIRS.replaceAll('/', '%2F')}/tags/list`,
        `/v2/${MINE}%2F..%2F${other}/tags/list`,
        `/v2/${MINE}/../${other}/tags/list`,
        `/v2/shop/production/%6fther/tags/list`,
        `/v2//${THEIRS}/tags/list`,
        `/v2/${THEIRS}/tags%2Flist`,
        `/v2/${THEIRS}/tags/list/`,
        `/v2/${THEIRS}/tags/list?x=/v2/${MINE}/tags/list`,
        `/v2/${ODD}/tags/list`,
        '/v2/x/tags/list',
      ]) {
        const { status, text } = await list(path, mine);
        assert.ok(status >= 300 && status < 500, `${path}: ${status}`);
        assert.doesNotMatch(text, /"tags"/, path);
      }
    });

    it(`exist for a repository whose name ends with tags/list at ${name}`, async () => {
      const answer = await list(`/v2/${ODD}/tags/list`, await tokenFor(ODD));
      assert.deepEqual([answer.status, tagsIn(answer)], [200, ['odd']]);
    });
  }

  it('need the daemon, while pulls and pushes do not', async () => {
    const token = await raw.token(`repository:${MINE}:pull,push`);
    await instance.stop();
    try {
      for (const list of Object.values(entrances)) {
        const { status, headers } = await list(`/v2/${MINE}/tags/list`, token);
        assert.deepEqual([status, headers['retry-after']], [503, '5']);
        assert.equal((await list(`/v2/${MINE}/manifests/v1`, token)).status, 200);
      }
      await raw.putBlob(MINE, Buffer.from('a layer without a daemon'), token);
    } finally {
      await instance.start();
    }
  });
});
