import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type GitHub, startGitHub } from './server.ts';

interface Repository {
  name: string;
  owner?: object;
}

/** Body of a response of the simulated GitHub to the requests of these tests. */
interface Answer {
  data: { first: { repositoryCount: number; pageInfo: object; nodes: Repository[] }; nodes: (Repository | null)[] };
  errors: { type?: string; message: string; path?: unknown; extensions?: { code: string } }[];
  message?: string;
}

describe('the simulated GitHub server', () => {
  let github: GitHub;
  before(async () => {
    github = await startGitHub();
    for (let id = 1; id <= 3; id += 1) github.world.add({ id, owner: 'acme', name: `app-${id}`, stars: id });
    github.world.release(1, {
      tag: 'v1',
      commit: 'c'.repeat(40),
      files: { 'README.md': 'Hello', docs: { kind: 'folder' } },
    });
  });
  after(() => github[Symbol.asyncDispose]());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${github.url}${path}`, { headers, redirect: 'manual' });
  const sendQuery = async (query: string, variables: object = {}, token = github.token) => {
    const headers = { authorization: `bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${github.url}/graphql`, { method: 'POST', headers, body });
    return { status: response.status, headers: response.headers, document: (await response.json()) as Answer };
  };
  const errorOf = async (query: string, variables: object = {}) => {
    const { status, document } = await sendQuery(query, variables);
    assert.equal(status, 200);
    assert.ok(document.errors[0]);
    return document.errors[0];
  };

  it('responds to a GraphQL query with aliases, fragments, variables and conditions', async () => {
    const { document } = await sendQuery(
      `# A comment
      query Q($q: String!, $n: Int = 1, $more: Boolean!) {
        first: search(type: REPOSITORY, query: $q, first: 2) {
          repositoryCount, pageInfo { hasNextPage endCursor }
          nodes { ...R ... on User { login } }
        }
      }
      fragment R on Repository { name stargazerCount @include(if: $more) owner { ... on User { databaseId } } }`,
      { q: 'topic:davit-template created:>=2020-01-01', more: false },
    );
    const { repositoryCount, pageInfo, nodes } = document.data.first;
    assert.equal(repositoryCount, 3);
    assert.deepEqual(pageInfo, { hasNextPage: true, endCursor: Buffer.from('cursor:2').toString('base64') });
    assert.deepEqual(nodes[0], { name: 'app-1', owner: { databaseId: 100 } });
  });

  it('reports an invalid GraphQL query with status 200', async () => {
    assert.match((await errorOf('query {')).message, /^Parse error/);
    assert.equal((await errorOf('{ viewer }')).extensions?.code, 'undefinedField');
    assert.match((await errorOf('query($q: String!) { node(id: $q) { id } }')).message, /invalid value/);
    const all = '{ search(type: REPOSITORY, query: "x") { repositoryCount } }';
    assert.equal((await errorOf(all)).type, 'MISSING_PAGINATION_BOUNDARIES');
    assert.equal((await errorOf(all.replace('"x"', '"x", first: 101'))).type, 'EXCESSIVE_PAGINATION');
  });

  it('returns null and a NOT_FOUND error with the path for an unknown node', async () => {
    const ids = [github.world.get(1).nodeId, 'R_kgDOnothing'];
    const { document } = await sendQuery('query($ids: [ID!]!) { nodes(ids: $ids) { ... on Repository { name } } }', {
      ids,
    });
    assert.deepEqual(document.data, { nodes: [{ name: 'app-1' }, null] });
    assert.equal(document.errors[0]?.type, 'NOT_FOUND');
    assert.deepEqual(document.errors[0]?.path, ['nodes', 1]);
  });

  it('returns rate limit headers and refuses a wrong token with status 401', async () => {
    const { headers } = await sendQuery('{ __typename }');
    assert.equal(headers.get('x-ratelimit-resource'), 'graphql');
    assert.equal(
      Number(headers.get('x-ratelimit-limit')) - Number(headers.get('x-ratelimit-used')),
      Number(headers.get('x-ratelimit-remaining')),
    );
    const refused = await sendQuery('{ __typename }', {}, 'another');
    assert.deepEqual([refused.status, refused.document.message], [401, 'Bad credentials']);
  });

  it('returns a file as raw text or as a Base64 document, and status 304 for an unchanged file', async () => {
    const path = `/repos/ACME/app-1/contents/README.md?ref=${'c'.repeat(40)}`;
    const raw = await get(path, { accept: 'application/vnd.github.raw+json' });
    assert.equal(await raw.text(), 'Hello');
    const plain = (await (await get(path)).json()) as { encoding: string; content: string };
    assert.deepEqual([plain.encoding, plain.content], ['base64', Buffer.from('Hello').toString('base64')]);
    const etag = raw.headers.get('etag') ?? '';
    const again = await get(path, { accept: 'application/vnd.github.raw+json', 'if-none-match': etag });
    assert.equal(again.status, 304);
  });

  it('returns a list of files for a folder, and status 404 with a JSON body for a missing path', async () => {
    const at = `?ref=${'c'.repeat(40)}`;
    assert.ok(Array.isArray(await (await get(`/repos/acme/app-1/contents/docs${at}`)).json()));
    const missing = await get(`/repos/acme/app-1/contents/none${at}`);
    assert.deepEqual([missing.status, ((await missing.json()) as { status: string }).status], [404, '404']);
  });

  it('redirects a former repository name until another repository takes the name', async () => {
    github.world.move(2, { name: 'moved' });
    const path = '/repos/acme/app-2/contents/README.md?ref=x';
    const moved = await get(path);
    assert.deepEqual(
      [moved.status, moved.headers.get('location')],
      [301, `${github.url}/repositories/2/contents/README.md?ref=x`],
    );
    github.world.add({ owner: 'acme', name: 'app-2' });
    assert.equal((await get(path)).status, 404);
  });

  it('sends a configured faulty response exactly once and records all requests', async () => {
    github.forget();
    github.misbehave({ kind: 'secondary-limit', retryAfterS: 7 });
    const limited = await get('/x', { authorization: 'token x' });
    assert.deepEqual([limited.status, limited.headers.get('retry-after')], [403, '7']);
    assert.equal((await get('/x')).status, 404);
    assert.deepEqual(
      github.requests.map(({ path, status, authorization, atOnce }) => [path, status, authorization, atOnce]),
      [
        ['/x', 403, 'token x', 1],
        ['/x', 404, undefined, 1],
      ],
    );
  });
});
