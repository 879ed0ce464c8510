/** Tests the typed API client of the catalog, which Davit instances and the command line use. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { CatalogError, createCatalogClient } from '@davit/api/catalog.ts';
import { bootCatalog } from '@davit/testkit/catalog';

const catalog = await bootCatalog();
after(() => catalog[Symbol.asyncDispose]());
catalog.add({ owner: 'acme', name: 'one', topics: ['davit-template', 'mail'] }, { owner: 'acme', name: 'two words' });
const client = createCatalogClient({ url: `${catalog.url}/` });

it('the catalog client reads listings, templates, manifests, releases, tags and validation results', async () => {
  const { templates, next_cursor } = await client.list({ limit: 1, sort: 'recent' });
  assert.equal(templates[0]?.name, 'two words');
  const second = await client.list({ limit: 1, cursor: next_cursor ?? '' });
  assert.deepEqual([second.templates[0]?.name, second.next_cursor], ['one', null]);
  assert.equal((await client.template('acme', 'two words')).name, 'two words');
  assert.equal((await client.manifest('acme', 'one', 'v1.0.0')).schema_version, 1);
  assert.equal((await client.releases('acme', 'one')).releases.length, 1);
  assert.deepEqual(await client.tags(), { tags: ['mail'] });
  assert.equal((await client.validate('nothing')).valid, false);
});

it('the catalog client throws a CatalogError with the code of the response', async () => {
  const is = (code: string, message: RegExp) => (error: unknown) =>
    error instanceof CatalogError && error.code === code && message.test(error.message);
  await assert.rejects(
    client.template('acme', 'none'),
    is('not_found', /template does not exist|does not have this template/),
  );
  await assert.rejects(client.list({ limit: 0 }), is('invalid_query', /limit must be/));
  const answering = (status: number, body: string, headers = {}) =>
    createCatalogClient({ url: 'http://x', fetch: async () => new Response(body, { status, headers }) });
  await assert.rejects(answering(502, '<html>').tags(), is('unexpected_response', /HTTP 502/));
  await assert.rejects(answering(404, '{"error":{"code":"new_code","message":"x"}}').tags(), is('new_code', /^x$/));
  await assert.rejects(answering(503, 'x', { 'retry-after': '7' }).tags(), { retryAfterS: 7, status: 503 });
});
