/** Tests tag lists for registry clients: their pages, and that only the registry decides about the access. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { basic, requestToken } from '../support/registry-setup.ts';

describe('GET /v2/{project}/{environment}/{app}/tags/list', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  await until('the registry has its setup', async () => (daemon.registry.setup === null ? null : true));
  const own = (await app(daemon, { source: 'registry', image: null })).reference;
  const other = (await app(daemon, { source: 'registry', image: null })).reference;
  for (const tag of ['v2', 'V1', 'latest', 'v10', 'a']) daemon.registry.push(own, tag);
  daemon.registry.push(other, 'secret');
  const { username, key } = user(daemon, 'viewer');
  const path = `/v2/${own}/tags/list`;

  async function tokenFor(repository: string, actions = 'pull'): Promise<string> {
    const answer = await requestToken(daemon, `?scope=repository:${repository}:${actions}`, basic(username, key));
    return `Bearer ${JSON.parse(answer.text).token}`;
  }

  async function list(query: string, authorization?: string, method = 'GET', at = path) {
    const headers = { authorization: authorization ?? (await tokenFor(own)) };
    return daemon.send({ method, path: `${at}${query}`, headers });
  }

  const codeOf = ({ text }: { text: string }) => JSON.parse(text).errors[0].code;

  it('returns all tags sorted, without a Link header', async () => {
    const { status, text, headers } = await list('');

    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(text), { name: own, tags: ['a', 'latest', 'V1', 'v10', 'v2'] });
    assert.equal(headers.get('link'), null);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('docker-distribution-api-version'), 'registry/2.0');
  });

  it('returns pages whose Link headers lead through the whole list', async () => {
    const tags: string[][] = [];
    for (let query: string | null = '?n=2'; query !== null; ) {
      const { text, headers } = await list(query);
      tags.push(JSON.parse(text).tags);
      const link: string | undefined = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      assert.ok(link === undefined || link.startsWith(`${path}?`), link ?? '');
      query = link === undefined ? null : link.slice(path.length);
    }

    assert.deepEqual(tags, [['a', 'latest'], ['V1', 'v10'], ['v2']]);
  });

  it('returns no tags for n=0, and refuses an invalid n with 400', async () => {
    const none = await list('?n=0');
    assert.deepEqual([none.status, JSON.parse(none.text).tags, none.headers.get('link')], [200, [], null]);

    for (const n of ['-1', 'two', '']) {
      const answer = await list(`?n=${n}`);
      assert.deepEqual([answer.status, codeOf(answer)], [400, 'PAGINATION_NUMBER_INVALID'], n);
    }
  });

  it('answers HEAD like GET, without a body', async () => {
    const { status, text, headers } = await list('?n=1', undefined, 'HEAD');

    assert.deepEqual([status, text], [200, '']);
    assert.match(headers.get('link') ?? '', /^<.*n=1&last=a>; rel="next"$/);
  });

  it('passes on the refusal of the registry with its challenge', async () => {
    const forged = (await tokenFor(own)).slice(0, -8);
    const tokens = [undefined, `Bearer ${key}`, basic(username, key), await tokenFor(other), `${forged}AAAAAAAA`];
    for (const authorization of tokens) {
      const answer = await daemon.send({ path, headers: authorization === undefined ? {} : { authorization } });
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'UNAUTHORIZED'], authorization ?? 'no header');
      assert.match(answer.headers.get('www-authenticate') ?? '', new RegExp(`scope="repository:${own}:pull"`));
      assert.doesNotMatch(answer.text, /"tags"/);
    }
  });

  it('passes on that a repository does not exist', async () => {
    const empty = (await app(daemon, { source: 'registry', image: null })).reference;

    const answer = await list('', await tokenFor(empty), 'GET', `/v2/${empty}/tags/list`);

    assert.deepEqual([answer.status, codeOf(answer)], [404, 'NAME_UNKNOWN']);
  });

  it('never lists another repository than the one in the token', async () => {
    const authorization = await tokenFor(own);
    const [project, environment, name] = own.split('/');
    const paths = [
      `/v2/${other}/tags/list`,
      `/v2/${own.replaceAll('/', '%2F')}/tags/list`,
      `/v2/${project}/${environment}/${name}%2F..%2F${other.split('/')[2]}/tags/list`,
      `/v2/${own}/../../../${other}/tags/list`,
      `/v2/${project}/${environment}/../tags/list`,
      `/v2//${own}/tags/list`,
      `/v2/${project}/${environment}/%${name?.charCodeAt(0).toString(16)}${name?.slice(1)}/tags/list`,
      `/v2/${own.toUpperCase()}/tags/list`,
      `/v2/${own}/tags/list/tags/list`,
    ];
    for (const at of paths) {
      const answer = await list('', authorization, 'GET', at);
      assert.ok(answer.status >= 400 && answer.status < 500, `${at}: ${answer.status}`);
      assert.doesNotMatch(answer.text, /secret|latest/, at);
    }
  });

  it('answers 503 in the format of the protocol while the registry does not respond', async () => {
    const authorization = await tokenFor(own);
    daemon.registry.setUnavailable('The registry is away.');
    try {
      const answer = await list('', authorization);
      assert.deepEqual([answer.status, codeOf(answer)], [503, 'UNAVAILABLE']);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
    } finally {
      daemon.registry.setUnavailable(null);
    }
  });
});
