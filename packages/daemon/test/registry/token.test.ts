/** Tokens for the registry: the rules of the protocol, and all combinations of rights. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, keyFor, project, slug, type TestDaemon, user } from '@davit/testkit';
import fc from 'fast-check';
import { RegistryUnavailable } from '../../src/adapters/registry/registry.ts';
import { ENGINE_USER } from '../../src/auth/registry-keys.ts';
import { type Access, accessIn, appIdOf, basic, requestToken } from '../support/registry-setup.ts';

const pushed = (daemon: TestDaemon, fields: object) =>
  app(daemon, { source: 'registry', image: null, ...fields }).then(({ reference }) => reference);

describe('GET /v2/token', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const reference = await pushed(daemon, {});
  const member = user(daemon, 'member');
  const asMember = basic(member.username, member.key);
  const scope = (actions: string, name = reference) => `repository:${name}:${actions}`;
  const send = (query: string, authorization: string | undefined = asMember) =>
    requestToken(daemon, query, authorization);

  it('issues a token for a username and API key in the standard format', async () => {
    const answer = await send(
      `?service=davit&client_id=docker&offline_token=true&account=x&scope=${scope('pull,push')}`,
    );

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { token, access_token, expires_in, issued_at, ...rest } = JSON.parse(answer.text);
    assert.equal(access_token, token);
    assert.equal(expires_in, 300);
    assert.ok(Math.abs(Date.parse(issued_at) - Date.now()) < 60_000);
    assert.deepEqual(rest, {});
    const [, claims = ''] = token.split('.');
    const { aud, sub, iss, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    assert.deepEqual([aud, iss], ['davit', `davit-${daemon.core.facts.id}`]);
    assert.match(sub, /^davit\/push\/[1-9]\d*$/);
    assert.ok(exp - iat <= 360);
    assert.deepEqual(accessIn(answer), [{ type: 'repository', name: reference, actions: ['pull', 'push'] }]);
  });

  it('accepts an account password, and refuses other credentials and schemes with 401', async () => {
    const rights = accessIn(await send(`?scope=${scope('pull')}`, basic('admin', 'correct horse battery')));
    assert.deepEqual(rights, [{ type: 'repository', name: reference, actions: ['pull'] }]);

    for (const authorization of [
      undefined,
      `Bearer ${member.key}`,
      'Basic',
      'Basic ***',
      basic('admin', ''),
      basic('', member.key),
      basic('admin', member.key),
      basic(member.username.toUpperCase(), member.key),
      basic('admin', member.key.toUpperCase()),
      basic(member.username, `davit_${'0'.repeat(64)}`),
      basic(ENGINE_USER, 'davit'),
      `Basic ${Buffer.from(member.key).toString('base64')}`,
    ]) {
      const answer = await requestToken(daemon, `?scope=${scope('pull')}`, authorization);
      assert.equal(answer.status, 401, `${authorization}`);
      assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="davit"');
      assert.equal(answer.headers.get('content-type'), 'application/json');
      assert.match(sentenceIn(answer, 'UNAUTHORIZED'), /Run “docker login”\.$|^The user name, API key or password/);
    }
  });

  it('blocks password guesses with 429 after ten failed attempts', async () => {
    const wrong = basic('admin', 'not the password of the admin');
    const headers = { authorization: wrong, 'x-forwarded-for': '192.0.2.77' };
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await daemon.send({ path: '/v2/token', headers })).status);

    assert.deepEqual(statuses.slice(0, 10), Array(10).fill(401));
    assert.deepEqual(statuses.slice(10), [429, 429]);
    assert.equal((await send(`?scope=${scope('pull')}`)).status, 200);
  });

  it('accepts several scopes in any number of parameters, up to twenty scopes', async () => {
    const other = await pushed(daemon, {});
    const both = [reference, other].map((name) => ({ type: 'repository', name, actions: ['pull'] }));

    assert.deepEqual(accessIn(await send(`?scope=${scope('pull')}&scope=${scope('pull', other)}`)), both);
    assert.deepEqual(accessIn(await send(`?scope=${scope('pull')}+${scope('pull', other)}`)), both);
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => `scope=repository:a/b/c${i}:pull`).join('&');
    assert.equal((await send(`?${many(20)}`)).status, 200);
    assert.equal((await send(`?${many(21)}`)).status, 400);
    assert.deepEqual(accessIn(await send('')), []);
  });

  it('refuses a POST request with 405 and allows HEAD', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: asMember };
    const answer = await daemon.send({ method: 'POST', path: '/v2/token', headers, body: 'grant_type=password' });

    assert.equal(answer.status, 405);
    assert.match(answer.headers.get('allow') ?? '', /^GET/);
    assert.equal(
      (await daemon.send({ method: 'HEAD', path: '/v2/token', headers: { authorization: asMember } })).status,
      200,
    );
  });

  it('refuses an API key after its expiry', async () => {
    const { store, now } = daemon.core;
    const key = keyFor(daemon, { id: member.id, role: 'member' }, { expiresAt: now() + 3_600_000 });
    const requestPush = () => send(`?scope=${scope('push')}`, basic(member.username, key));
    assert.equal((await requestPush()).status, 200);

    store.tx((tx) => tx.run('UPDATE api_keys SET expires_at = ? WHERE expires_at IS NOT NULL', now() - 1));

    assert.equal((await requestPush()).status, 401);
  });

  it('explains every refusal and failure in the registry’s error format', async () => {
    const { registry } = daemon.core;
    const headers = { authorization: basic('admin', 'another wrong password'), 'x-forwarded-for': '192.0.2.78' };
    let answer = await daemon.send({ path: '/v2/token', headers });
    while (answer.status === 401) answer = await daemon.send({ path: '/v2/token', headers });
    assert.match(sentenceIn(answer, 'TOOMANYREQUESTS'), /\.$/);
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);

    const many = Array.from({ length: 21 }, (_, i) => `scope=repository:a/b/c${i}:pull`).join('&');
    assert.match(sentenceIn(await send(`?${many}`), 'UNSUPPORTED'), /at most 20 scopes/);
    const scopes = `?scope=${scope('pull,push', 'shop/production/nothing')}`;
    assert.match(sentenceIn(await send(scopes), 'DENIED'), /does not exist, or you cannot push to it/);

    const status = registry.status.bind(registry);
    registry.status = () => Promise.reject(new RegistryUnavailable('The registry does not respond. Try again later.'));
    try {
      const away = await send(`?scope=${scope('push')}`);
      assert.equal(away.status, 503);
      assert.equal(sentenceIn(away, 'UNAVAILABLE'), 'The registry does not respond. Try again later.');
    } finally {
      registry.status = status;
    }
  });

  it('explains in the registry’s error format why a push is denied', async () => {
    const image = await app(daemon);
    const cases: [string, RegExp][] = [
      [scope('pull,push', 'web'), /web is not the address of an app\. .*project\/environment\/app/],
      [
        scope('pull,push', 'shop/production/nothing'),
        /The app shop\/production\/nothing does not exist, or you cannot push to it/,
      ],
      [scope('pull,push', image.reference), /Set its source to “registry”/],
    ];
    for (const [requestedScope, sentence] of cases) {
      const answer = await send(`?scope=${requestedScope}`);
      assert.equal(answer.status, 403, requestedScope);
      const { errors } = JSON.parse(answer.text);
      assert.equal(errors[0].code, 'DENIED');
      assert.match(errors[0].message, sentence);
    }
  });

  it('refuses pushes but allows pulls while the registry is read-only', async () => {
    const { registry } = daemon.core;
    const status = registry.status.bind(registry);
    registry.status = async () => ({ ...(await status()), readOnly: true });
    try {
      assert.match((await send(`?scope=${scope('pull,push')}`)).text, /accepts no pushes while/);
      assert.equal((await send(`?scope=${scope('pull')}`)).status, 200);
    } finally {
      registry.status = status;
    }
  });

  it('records a refused request in the audit log without the secret', async () => {
    await send('', basic(member.username, `davit_${'1'.repeat(64)}`));
    daemon.core.audit.flush();

    const { text } = await daemon.call('GET', '/api/audit');

    const rows = JSON.parse(text).events.filter((row: { operation: string }) => row.operation === 'GET /v2/token');
    assert.ok(rows.length > 0);
    // The pattern has sixteen digits, because the hashes of a row sometimes contain four equal digits in a row.
    assert.doesNotMatch(JSON.stringify(rows), /davit_1|1{16}/);
    assert.doesNotMatch(daemon.log.lines.join('\n'), /1{64}|Basic /);
  });
});

/** Returns the message of an error response in the registry’s format. The only error must have the code. */
function sentenceIn({ text }: { text: string }, code: string): string {
  const { errors } = JSON.parse(text) as { errors: { code: string; message: string }[] };
  assert.deepEqual(
    errors.map((error) => error.code),
    [code],
  );
  return errors[0]?.message ?? '';
}

/** Requested actions, and the actions among them that exist. */
const ACTIONS: [string, string[]][] = [
  ['pull', ['pull']],
  ['push', ['push']],
  ['pull,push', ['pull', 'push']],
  ['delete', []],
  ['*', []],
  ['', []],
  ['push,pull,delete,*', ['pull', 'push']],
  ['Pull,PUSH', []],
];

describe('permissions of registry tokens', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const [own, other] = [await project(daemon), await project(daemon)];
  const mine = await pushed(daemon, { project: own, name: 'web' });
  const theirs = await pushed(daemon, { project: other, name: 'web' });
  const image = (await app(daemon, { project: own, name: 'image' })).reference;
  const gone = await pushed(daemon, { project: own, name: 'gone' });
  for (const reference of [mine, gone]) {
    daemon.registry.push(reference, 'v1');
    await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' });
  }
  const idOfGone = appIdOf(daemon, gone);
  await daemon.call('DELETE', `/api/apps/${gone}`);

  /** Callers, each with its rights in `mine` and in `theirs`. */
  const engine = (id: number) => {
    const { username, password } = daemon.core.registryKeys.appCredential(id);
    return basic(username, password);
  };
  const callers = [
    ...callersOf(daemon, own, other),
    { name: 'engine for mine', authorization: engine(appIdOf(daemon, mine)), mine: ['pull'], theirs: [] },
    // No image was ever deployed there.
    { name: 'engine for theirs', authorization: engine(appIdOf(daemon, theirs)), mine: [], theirs: [] },
    { name: 'engine for an app that is gone', authorization: engine(idOfGone), mine: [], theirs: [] },
    { name: 'engine for no app', authorization: engine(4_000_000), mine: [], theirs: [] },
  ];
  const NAMES = {
    mine,
    theirs,
    image,
    gone,
    missing: `${own}/production/${slug('none')}`,
    prefix: `${own}/production`,
    longer: `${mine}/web`,
    sibling: `${mine}2`,
    upper: mine.toUpperCase(),
    dots: `${other}/production/../../${mine}`,
    port: `localhost:5000/${mine}`,
    escaped: mine.replaceAll('/', '%252F'),
  };

  /** Returns the expected rights. This function is written independently of the tested code. */
  function expected(caller: (typeof callers)[number], name: string, known: string[]): Access[] {
    const rights = name === mine ? caller.mine : name === theirs ? caller.theirs : [];
    const actions = known.filter((action) => rights.includes(action));
    return actions.length === 0 ? [] : [{ type: 'repository', name, actions }];
  }

  it('are the intersection of requested and allowed actions for every caller', async () => {
    let cells = 0;
    for (const caller of callers) {
      for (const name of Object.values(NAMES)) {
        for (const [actions, known] of ACTIONS) {
          const answer = await requestToken(daemon, `?scope=repository:${name}:${actions}`, caller.authorization);
          assert.ok([200, 401, 403].includes(answer.status), `${answer.status}`);
          const what = `${caller.name} asks ${name}:${actions}`;
          assert.deepEqual(accessIn(answer), expected(caller, name, known), what);
          cells += 1;
        }
      }
    }
    assert.ok(cells >= 1_000, `${cells} cells`);
  });

  it('never include the catalog or other resource types', async () => {
    for (const caller of callers) {
      for (const scope of ['registry:catalog:*', 'registry:catalog:pull', `repository(plugin):${mine}:pull`, '*:*:*']) {
        assert.deepEqual(accessIn(await requestToken(daemon, `?scope=${scope}`, caller.authorization)), [], scope);
      }
    }
  });

  it('never exceed the caller’s rights for randomly generated scopes', async () => {
    const limited = callers.find(({ name }) => name === 'member of his own') ?? assert.fail();
    const word = fc.constantFrom(
      mine,
      theirs,
      image,
      'repository',
      'registry',
      'catalog',
      'pull',
      'push',
      '*',
      ':',
      ',',
      '/',
      '..',
      ' ',
      '%',
      '\0',
      'ß',
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join('')),
      fc.string({ maxLength: 60 }),
    );
    const scope = fc.oneof(
      text,
      fc
        .tuple(fc.constantFrom('repository', 'registry'), word, fc.array(word, { maxLength: 4 }))
        .map(([type, name, actions]) => `${type}:${name}:${actions.join(',')}`),
    );
    const requestScopes = async (scopes: string[]) => {
      const query = scopes.map((one) => `scope=${encodeURIComponent(one)}`).join('&');
      const answer = await requestToken(daemon, `?${query}`, limited.authorization);
      assert.ok(answer.status < 500, answer.text);
      for (const { type, name, actions } of accessIn(answer)) {
        assert.deepEqual([type, name], ['repository', mine]);
        assert.ok(actions.every((action) => action === 'pull' || action === 'push'));
      }
    };
    // 5,000 scopes, five for each request.
    await fc.assert(fc.asyncProperty(fc.array(scope, { minLength: 5, maxLength: 5 }), requestScopes), {
      numRuns: 1_000,
    });
  });

  it('are empty for malformed queries and unknown parameters', async () => {
    const limited = callers.find(({ name }) => name === 'member of his own') ?? assert.fail();
    for (const query of [
      '?%zz',
      '?scope=%',
      '?=',
      '?&&&',
      '?scope',
      `?SCOPE=repository:${mine}:pull`,
      `?scope=${'a'.repeat(4_000)}`,
    ]) {
      const answer = await requestToken(daemon, query, limited.authorization);
      assert.ok(answer.status < 500);
      assert.deepEqual(accessIn(answer), [], query);
    }
  });
});

/** Returns all callers, with their rights in an app of either project. */
function callersOf(daemon: TestDaemon, own: string, other: string) {
  const { store, now } = daemon.core;
  const [PULL, BOTH] = [['pull'], ['pull', 'push']];
  const of = ({ username }: { username: string }, key: string) => basic(username, key);
  const admin = user(daemon, 'admin');
  const viewer = user(daemon, 'viewer');
  const member = user(daemon, 'member');
  const ownViewer = user(daemon, 'viewer', [own]);
  const ownMember = user(daemon, 'member', [own]);
  const otherMember = user(daemon, 'member', [other]);
  const nowhere = user(daemon, 'member', []);
  const blocked = user(daemon, 'admin');
  store.tx((tx) => tx.run('UPDATE users SET blocked = 1 WHERE id = ?', blocked.id));
  const expired = keyFor(daemon, { id: admin.id, role: 'admin' }, { expiresAt: now() - 1 });
  const lesser = keyFor(daemon, { id: member.id, role: 'viewer' });
  const narrower = keyFor(daemon, { id: member.id, role: 'member' }, { projects: [own] });
  const wider = keyFor(daemon, { id: ownViewer.id, role: 'admin' });
  return [
    { name: 'nobody', authorization: undefined, mine: [], theirs: [] },
    { name: 'admin', authorization: of(admin, admin.key), mine: BOTH, theirs: BOTH },
    { name: 'viewer', authorization: of(viewer, viewer.key), mine: PULL, theirs: PULL },
    { name: 'member', authorization: of(member, member.key), mine: BOTH, theirs: BOTH },
    { name: 'viewer of his own', authorization: of(ownViewer, ownViewer.key), mine: PULL, theirs: [] },
    { name: 'member of his own', authorization: of(ownMember, ownMember.key), mine: BOTH, theirs: [] },
    { name: 'member of the other', authorization: of(otherMember, otherMember.key), mine: [], theirs: BOTH },
    { name: 'member of nothing', authorization: of(nowhere, nowhere.key), mine: [], theirs: [] },
    { name: 'blocked admin', authorization: of(blocked, blocked.key), mine: [], theirs: [] },
    { name: 'expired key', authorization: of(admin, expired), mine: [], theirs: [] },
    { name: 'revoked key', authorization: of(admin, `davit_${'a'.repeat(64)}`), mine: [], theirs: [] },
    { name: 'lesser key', authorization: of(member, lesser), mine: PULL, theirs: PULL },
    { name: 'narrower key', authorization: of(member, narrower), mine: BOTH, theirs: [] },
    { name: 'wider key', authorization: of(ownViewer, wider), mine: PULL, theirs: [] },
  ];
}
