/** All operations with a body, tested with a corpus of bodies of clients, attackers and broken programs. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ROLES } from '@davit/api';
import { parseJsonObject } from '@davit/service';
import { z } from 'zod';
import { partOf } from '../../../../test/support/tiers.ts';
import { eachOf, type Json, positionsOf, sampleOf, unwrapped } from '../support/contract-walk.ts';
import { AT_ONCE, corpusSetup, type Setup } from '../support/corpus-setup.ts';
import { JSON_TEXTS } from '../support/json-texts.ts';

/**
 * Routes with a body that are not operations. Public routes are omitted, because they are rate-limited before the body
 * is parsed.
 */
const ABSENT = ['POST /api/users/me/api-keys', 'PUT /api/users/me/password'];

/** Returns requests with a body, for operations and other routes. */
function takers({ calls }: Setup): { name: string; method: string; path: string }[] {
  const documented = calls
    .filter(({ operation }) => operation.body)
    .map(({ operation: { id, method }, path }) => ({ name: id, method, path }));
  const absent = ABSENT.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return { name: route, method, path };
  });
  return [...documented, ...absent];
}

/**
 * Number of parts of the texts. The same code parses all bodies, so in the quick tier each operation gets a part of the
 * texts, and all texts are sent.
 */
const PARTS = 8;

/** Returns each of these requests with texts that the API parses or refuses. */
function textCases(here: Setup, isRead: boolean) {
  const texts = JSON_TEXTS.filter((text) => text.isRead === isRead);
  return takers(here).flatMap((taker, turn) => partOf(texts, turn, PARTS).map((text) => ({ ...taker, text })));
}

describe('the corpus of JSON texts', () => {
  it('contains enough texts of every kind, each with a unique name', () => {
    assert.ok(JSON_TEXTS.length >= 300);
    assert.equal(new Set(JSON_TEXTS.map(({ name }) => name)).size, JSON_TEXTS.length);
    for (const kind of ['y_', 'n_', 'i_'])
      assert.ok(JSON_TEXTS.filter(({ name }) => name.startsWith(kind)).length > 20);
  });

  it('is parsed or refused as declared for each text', () => {
    for (const { name, bytes, isRead } of JSON_TEXTS) {
      if (isRead) assert.doesNotThrow(() => parseJsonObject(bytes), name);
      else assert.throws(() => parseJsonObject(bytes), { name: 'DavitError', code: 'invalid_json' }, name);
    }
  });
});

describe('every operation with a request body', () => {
  let here: Setup;
  before(async () => {
    here = await corpusSetup();
  });
  after(() => here[Symbol.asyncDispose]());

  it('refuses invalid or ambiguous JSON and changes nothing', async () => {
    const before = await here.world();
    const cases = textCases(here, false);
    await eachOf(cases, AT_ONCE, async ({ name, method, path, text }) => {
      const answer = await here.post(method, path, text.bytes);
      assert.equal(answer.status, 400, `${name} ${text.name}: ${answer.text}`);
      assert.match(answer.text, /^(The body |The request has no body)/, `${name} ${text.name}`);
      assert.ok(answer.text.length < 250, `${name} ${text.name}: ${answer.text.length}`);
    });
    assert.equal(await here.world(), before);
  });

  it('parses valid JSON and then validates the fields', async () => {
    const cases = textCases(here, true);
    await eachOf(cases, AT_ONCE, async ({ name, method, path, text }) => {
      const answer = await here.post(method, path, text.bytes);
      // No catalog is configured here, which causes this response.
      const isWell = answer.status < 500 || (answer.status === 502 && path.includes('/templates/'));
      assert.ok(isWell, `${name} ${text.name}: ${answer.status} ${answer.text}`);
      assert.doesNotMatch(answer.text, /^The body /, `${name} ${text.name}`);
    });
    await here.daemon.settled();
  });

  it('prevents prototype pollution at every level of a body', async () => {
    const poison = [
      '"__proto__":{"polluted":1}',
      '"constructor":{"prototype":{"polluted":1}}',
      '"prototype":{"polluted":1}',
    ];
    const cases = here.calls.flatMap(({ operation, path }) =>
      operation.body ? poisoned(operation.body, operation.id, poison).map((body) => ({ operation, path, body })) : [],
    );
    await eachOf(cases, AT_ONCE, async ({ operation, path, body }) => {
      assert.doesNotThrow(() => JSON.parse(body), body);
      const { status, text } = await here.post(operation.method, path, body);
      assert.ok(status < 500, `${operation.id} ${body}: ${status} ${text}`);
      if (body.includes('__proto__')) assert.equal(status, 400, `${operation.id} ${body}`);
    });
    assert.equal(({} as Json).polluted, undefined);
    assert.deepEqual(Object.keys(Object.prototype), []);
    await here.daemon.settled();
  });

  it('refuses every field unknown to the operation', async () => {
    const others = [
      ...['id', 'role', 'owner', 'user_id', 'project_id', 'environment_id', 'app_id', 'created_at', 'updated_at'],
      ...['deleted_at', 'revision', 'status', 'live', 'live_deployment', 'is_admin', 'admin', 'permissions', 'via'],
      ...['password_hash', 'key_hash', 'token', 'instance', 'image_id', 'container_id', 'privileged', 'host_path', 'x'],
    ];
    const cases = here.calls.flatMap(({ operation, path }) => {
      const { body, id } = operation;
      if (!body) return [];
      const own = new Set(positionsOf(body).map(({ name }) => name.split(/[.[]/)[0]));
      const base = sampleOf(body, id) as Json;
      return others.filter((name) => !own.has(name)).map((name) => ({ operation, path, base, name }));
    });
    assert.ok(cases.length > 500);
    await eachOf(cases, AT_ONCE, async ({ operation, path, base, name }) => {
      const { status, text } = await here.post(operation.method, path, JSON.stringify({ ...base, [name]: ROLES[2] }));
      // A missing or inaccessible resource is reported before the body is checked.
      if (status === 404) return;
      assert.deepEqual([status, text], [400, `${name}: is not a field of this request.\n`], operation.id);
    });
  });
});

/**
 * Returns valid bodies with an additional hostile member in each of their objects. The bodies are texts, because
 * JavaScript objects cannot have some of these members.
 */
function poisoned(schema: z.ZodType, what: string, poison: readonly string[]): string[] {
  const sample = sampleOf(schema, what) as Json;
  const bare = unwrapped(schema);
  const fields = bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
  const withMember = (object: Json, member: string) =>
    `{${[member, ...Object.entries(object).map((entry) => entry.map((part) => JSON.stringify(part)).join(':'))].join(',')}}`;
  return poison.flatMap((member) => [
    withMember(sample, member),
    ...fields.map((name) => {
      const { [name]: _, ...others } = sample;
      return withMember(others, `${JSON.stringify(name)}:{${member}}`);
    }),
  ]);
}
