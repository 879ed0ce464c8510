/**
 * Guarantees of the contract about the instance, each with a test named after its sentence. The tests prove the
 * guarantees directly with a running daemon, even if other tests cover them too. Sentences that leave something open
 * have no test. The two sentences about all clients together need a browser: `test/e2e/three-clients.test.ts` tests
 * them.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ABSENT_ROUTES, allOperations } from '@davit/api';
import {
  ADMIN,
  type Answer,
  app,
  bootDaemon,
  cookieOf,
  deployedApp,
  keyFor,
  project,
  signIn,
  user,
} from '@davit/testkit';
import { callTool } from '../support/agent.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const LIKE_A_BROWSER = { ...JSON_TYPE, 'sec-fetch-site': 'same-origin' };
const isError = ({ headers, text }: Answer) =>
  headers.get('content-type') === 'text/plain; charset=utf-8' && /^\S.{10,}\.\n$/.test(text);

describe('What the service does', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const document = async () =>
    JSON.parse((await daemon.send({ path: '/openapi.json' })).text) as {
      paths: Record<string, Record<string, object>>;
      servers: { url: string }[];
    };
  const documented = async () =>
    Object.entries((await document()).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path}`),
    );

  it("The instance API of a self-hosted deployment platform, served under `/api` on the instance's own address.", async () => {
    const { address, port } = daemon.core.facts.apiAddress;
    assert.equal(daemon.url, `http://${address}:${port}`);
    assert.equal((await daemon.call('GET', '/api/instance')).status, 200);
    assert.deepEqual((await document()).servers, [{ url: '/api' }]);
  });

  it("The instance API is the HTTP API behind the platform's dashboard.", async () => {
    const cookie = await signedIn();
    const answer = await daemon.send({ path: '/api/apps', headers: { cookie } });
    assert.equal(answer.status, 200);
    assert.equal(answer.text, (await daemon.call('GET', '/api/apps')).text);
  });

  it('It manages apps addressed by slug paths (project/environment/app) and runs deployments of them.', async () => {
    const { app: made, deployment } = await deployedApp(daemon);
    assert.equal(made.reference, `${made.project}/${made.environment}/${made.name}`);
    assert.equal((await daemon.call('GET', `/api/apps/${made.reference}`)).status, 200);
    assert.deepEqual([deployment.app, deployment.status], [made.reference, 'succeeded']);
    assert.equal((await daemon.call('DELETE', `/api/apps/${made.reference}`)).status, 204);
    assert.equal((await daemon.call('GET', `/api/apps/${made.reference}`)).status, 404);
  });

  it('Deployments are long work and run detached.', async () => {
    const { reference } = await app(daemon);
    const gate = daemon.proxy.gate();

    const { status, text } = await daemon.call('POST', `/api/apps/${reference}/deploy`, { tag: 'v1' });
    await gate.entered;

    assert.equal(status, 202);
    const path = `/api/apps/${reference}/deployments/${JSON.parse(text).id}`;
    assert.equal(JSON.parse((await daemon.call('GET', path)).text).status, 'running');
    gate.open();
    await daemon.settled();
    assert.equal(JSON.parse((await daemon.call('GET', path)).text).status, 'succeeded');
  });

  it('The instance describes itself through a public OpenAPI document and a public rendered reference (see Endpoints).', async () => {
    for (const path of ['/openapi.json', '/docs']) assert.equal((await daemon.send({ path })).status, 200);
  });

  it("The instance API is the product's API, not an inventory of routes.", async () => {
    const absent: readonly string[] = ABSENT_ROUTES;
    assert.ok(absent.length > 0);
    for (const route of await documented()) assert.ok(!absent.includes(route), route);
  });

  it("The following are deliberately absent from the OpenAPI document: the daemon's own routes (health check, the OpenAPI document, the reference, the MCP endpoint), the registry's token and webhook endpoints, sign-in and sign-out, and API-key self-service (done by the command-line client and the account screen).", async () => {
    const absent = [
      ...['GET /healthz', 'GET /openapi.json', 'GET /docs', 'POST /mcp', 'GET /v2/token', 'POST /hooks/registry'],
      ...['POST /api/auth/login', 'POST /api/auth/logout'],
      ...['GET /api/users/me/api-keys', 'POST /api/users/me/api-keys', 'DELETE /api/users/me/api-keys/{key}'],
    ];
    const { text } = await daemon.send({ path: '/openapi.json' });
    for (const route of absent) {
      assert.ok((ABSENT_ROUTES as readonly string[]).includes(route), route);
      const path = route.slice(route.indexOf(' ') + 1);
      assert.ok(!text.includes(`"${path}"`) && !text.includes(`"${path.replace('/api', '')}"`), path);
    }
  });

  it('The two lists (documented and deliberately absent) are pinned by a test, so moving a route from one to the other is a deliberate edit.', async () => {
    /*
     * route-lists.test.ts tests the list of routes. This test checks that the API description contains exactly the
     * declared operations.
     */
    const declared = allOperations.map(({ method, path }) => `${method} /api${path}`);
    assert.deepEqual((await documented()).toSorted(), declared.toSorted());
  });

  async function signedIn(): Promise<string> {
    return cookieOf(await signIn(daemon, ADMIN, LIKE_A_BROWSER));
  }
});

describe('Conventions of the instance API', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { reference, ...made } = await app(daemon);
  const admin = { authorization: `Bearer ${daemon.key}` };
  const post = (type: string | undefined, body: string) =>
    daemon.send({
      method: 'POST',
      path: `/api/apps/${reference}/deploy`,
      headers: { ...admin, ...(type !== undefined && { 'content-type': type }) },
      body,
    });

  it('Request bodies are JSON and must carry `Content-Type: application/json`.', async () => {
    assert.equal((await post('application/json', '{"tag":"v1"}')).status, 202);
    assert.equal((await post(undefined, '{"tag":"v1"}')).status, 415);
    assert.equal((await post('application/json', 'tag=v1')).status, 400);
    await daemon.settled();
  });

  it('Form-encoded and `text/plain` bodies are refused (they are what a browser can send cross-site without asking).', async () => {
    const before = (await daemon.call('GET', `/api/apps/${reference}/deployments`)).text;
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'text/plain']) {
      for (const { method, path } of allOperations.filter(({ body }) => body)) {
        const sent = { method, path: `/api${path.replaceAll(/\{\w+\}/g, 'none')}`, body: '{"tag":"v1"}' };
        const answer = await daemon.send({ ...sent, headers: { ...admin, 'content-type': type } });
        assert.equal(answer.status, 415, `${type} ${method} ${path}`);
      }
    }
    assert.equal((await daemon.call('GET', `/api/apps/${reference}/deployments`)).text, before);
  });

  it('Slugs are path segments, e.g. `/api/apps/<project>/<environment>/<app>`.', async () => {
    const path = `/api/apps/${made.project}/${made.environment}/${made.name}`;
    assert.equal(JSON.parse((await daemon.call('GET', path)).text).reference, reference);
    assert.equal((await daemon.call('GET', `/api/apps/${encodeURIComponent(reference)}`)).status, 404);
  });

  it('Wherever both exist, PATCH merges and PUT replaces.', async () => {
    const both = allOperations.filter(
      ({ method, path }) => method === 'PUT' && allOperations.some((o) => o.method === 'PATCH' && o.path === path),
    );
    assert.ok(both.length >= 4, 'settings of an app and the three places of variables');
    const path = `/api/apps/${reference}`;
    const settings = { source: 'image', image: 'example/web' };
    await daemon.call('PATCH', path, { args: ['a'], stop: { drain_s: 5 } });
    const merged = JSON.parse((await daemon.call('PATCH', path, { stop: { grace_s: 7 } })).text);
    assert.deepEqual([merged.args, merged.stop.drain_s, merged.stop.grace_s], [['a'], 5, 7]);
    const replaced = JSON.parse((await daemon.call('PUT', path, settings)).text);
    assert.deepEqual([replaced.args, replaced.stop.drain_s, replaced.stop.grace_s], [null, 30, 10]);

    await daemon.call('PATCH', `${path}/env`, { set: { A: '1' } });
    assert.deepEqual(JSON.parse((await daemon.call('PATCH', `${path}/env`, { set: { B: '2' } })).text).vars, {
      A: '1',
      B: '2',
    });
    assert.deepEqual(JSON.parse((await daemon.call('PUT', `${path}/env`, { vars: { C: '3' } })).text).vars, { C: '3' });
  });

  it('A deploy answers `202` with a record to poll; with query `wait=true` the call waits for completion on the same connection.', async () => {
    const accepted = await daemon.call('POST', `/api/apps/${reference}/deploy`, { tag: 'v2' });
    assert.equal(accepted.status, 202);
    const polled = accepted.headers.get('location') ?? '';
    assert.equal(polled, `/api/apps/${reference}/deployments/${JSON.parse(accepted.text).id}`);
    await daemon.settled();
    assert.equal(JSON.parse((await daemon.call('GET', polled)).text).status, 'succeeded');

    const waited = await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v3' });
    assert.deepEqual([waited.status, JSON.parse(waited.text).status], [200, 'succeeded']);
  });
});

describe('Endpoints', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('GET `/openapi.json`: the OpenAPI document; public, no credential', async () => {
    const { status, headers, text } = await daemon.send({ path: '/openapi.json' });
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json']);
    assert.match(JSON.parse(text).openapi, /^3\./);
  });

  it('GET `/docs`: reference rendered from the OpenAPI document; public, no credential', async () => {
    const { status, headers, text } = await daemon.send({ path: '/docs' });
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.match(text, /<script/);
  });

  it('GET `/api/apps`: list of apps (authenticated)', async () => {
    const { reference } = await app(daemon);
    const apps = JSON.parse((await daemon.call('GET', '/api/apps')).text) as { reference: string }[];
    assert.ok(apps.some((one) => one.reference === reference));
    assert.equal((await daemon.send({ path: '/api/apps' })).status, 401);
  });

  it('POST `/api/apps/<project>/<environment>/<app>/deploy`: JSON body with `tag` (string, the release tag to deploy)', async () => {
    const { reference } = await app(daemon);
    const path = `/api/apps/${reference}/deploy?wait=true`;
    const deployed = JSON.parse((await daemon.call('POST', path, { tag: 'v7' })).text);
    assert.deepEqual([deployed.tag, deployed.image], ['v7', 'example/web:v7']);
    for (const tag of [7, null, '', 'a b', ['v7']])
      assert.equal((await daemon.call('POST', path, { tag })).status, 400);
  });

  it('`202` with the deploy record to poll; with query `wait=true` the response is held until the work finishes', async () => {
    const { reference } = await app(daemon);
    const gate = daemon.proxy.gate();
    let held = true;
    const waiting = daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' }).finally(() => {
      held = false;
    });
    await gate.entered;
    const [running] = JSON.parse((await daemon.call('GET', `/api/apps/${reference}/deployments`)).text);
    assert.deepEqual([running.status, held], ['running', true]);

    gate.open();

    const answer = await waiting;
    assert.deepEqual([answer.status, JSON.parse(answer.text).id], [200, running.id]);
    assert.equal(JSON.parse(answer.text).status, 'succeeded');
  });

  it('The same deploy operation is exposed to the MCP client as a tool `deploy_app` with arguments `app` (the slug path `<project>/<environment>/<app>`) and `tag`.', async () => {
    const { reference } = await app(daemon);
    const result = await callTool(daemon, 'deploy_app', { app: reference, tag: 'v1' });
    const record = result.structuredContent as { id: number; status: string; tag: string };
    const route = await daemon.call('GET', `/api/apps/${reference}/deployments/${record.id}`);
    assert.deepEqual([record.status, record.tag], ['succeeded', 'v1']);
    assert.deepEqual(JSON.parse(route.text), record);
  });
});

describe('Authentication', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { reference, project: own } = await app(daemon);

  it('Instance API: an API key sent as a bearer token in the `Authorization` header (`Authorization: Bearer <API_KEY>`).', async () => {
    const send = (authorization: string) => daemon.send({ path: '/api/apps', headers: { authorization } });
    assert.equal((await send(`Bearer ${daemon.key}`)).status, 200);
    for (const other of [daemon.key, `Basic ${btoa(`admin:${daemon.key}`)}`, `Bearer ${daemon.key.slice(0, -1)}`]) {
      assert.equal((await send(other)).status, 401);
    }
    assert.equal((await daemon.send({ path: `/api/apps?key=${daemon.key}` })).status, 401);
  });

  it("The key carries its owner's role.", async () => {
    const deploy = async (key: string) =>
      (await daemon.call('POST', `/api/apps/${reference}/deploy?dry_run=true`, { tag: 'v1' }, key)).status;
    assert.equal(await deploy(user(daemon, 'viewer').key), 403);
    const member = user(daemon, 'member');
    assert.equal(await deploy(member.key), 200);
    // A key never has more rights than its owner.
    assert.equal(
      (await daemon.call('GET', '/api/users', undefined, keyFor(daemon, { ...member, role: 'admin' }))).status,
      403,
    );
  });

  it('`401` means nobody is signed in; `403` means the caller lacks the required role; `404` means the thing does not exist.', async () => {
    const viewer = user(daemon, 'viewer', [own]);
    const stranger = user(daemon, 'admin', [await project(daemon)]);
    for (const { method, path, permission, scope } of allOperations) {
      const route = `/api${path.replace('{project}/{environment}/{app}', reference).replaceAll(/\{\w+\}/g, 'none')}`;
      assert.equal((await daemon.send({ method, path: route })).status, 401, `${method} ${route}`);
      // The rights are checked before the body, so the content of the body does not matter here.
      if (permission !== 'read' && scope === 'app') {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        assert.equal((await daemon.call(method, route, body, viewer.key)).status, 403, `${method} ${route}`);
        assert.equal((await daemon.call(method, route, body, stranger.key)).status, 404, `${method} ${route}`);
      }
    }
    assert.equal((await daemon.call('GET', '/api/apps/no/such/app')).status, 404);
    assert.equal((await daemon.call('GET', '/api/nothing')).status, 404);
  });

  it('`/openapi.json` and `/docs` are public: the reference fetches the document from the browser with no credential.', async () => {
    const page = await daemon.send({ path: '/docs' });
    const scripts = [...page.text.matchAll(/src="([^"]+)"/g)].map(([, path = '']) => path);
    const texts = await Promise.all(scripts.map(async (path) => (await daemon.send({ path })).text));
    assert.ok([page.text, ...texts].some((text) => text.includes('/openapi.json')));
    assert.match(page.headers.get('content-security-policy') ?? '', /connect-src 'self'/);
    assert.equal((await daemon.send({ path: '/openapi.json' })).status, 200);
  });

  it('Key creation, sign-in and sign-out are outside the documented API (command-line client and account screen).', async () => {
    const cookie = cookieOf(await signIn(daemon, ADMIN, LIKE_A_BROWSER));
    const headers = { ...LIKE_A_BROWSER, cookie };
    const body = JSON.stringify({ name: 'laptop' });
    const made = await daemon.send({ method: 'POST', path: '/api/users/me/api-keys', headers, body });
    assert.match(JSON.parse(made.text).key, /^davit_[0-9a-f]{64}$/);
    assert.equal((await daemon.send({ method: 'POST', path: '/api/auth/logout', headers })).status, 204);
    assert.equal((await daemon.send({ path: '/api/apps', headers: { cookie } })).status, 401);
    const { text } = await daemon.send({ path: '/openapi.json' });
    assert.doesNotMatch(text, /auth\/login|auth\/logout|me\/api-keys/);
  });
});

describe('Events', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it("The registry's webhook endpoints are left out of the documented API.", async () => {
    assert.ok(ABSENT_ROUTES.includes('POST /hooks/registry'));
    assert.doesNotMatch((await daemon.send({ path: '/openapi.json' })).text, /hooks\/registry/);
  });

  it("(The registry's webhook endpoints exist on the instance but are left out of the documented API.)", async () => {
    const send = (authorization: string) =>
      daemon.send({ method: 'POST', path: '/hooks/registry', headers: { authorization }, body: '{"events":[]}' });
    assert.equal((await send(`Bearer ${daemon.core.registryKeys.hookSecret()}`)).status, 200);
    assert.equal((await send(`Bearer ${daemon.key}`)).status, 401);
    assert.doesNotMatch((await daemon.send({ path: '/openapi.json' })).text, /hooks\/registry|v2\/token/);
  });
});

describe('Errors', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('no signed-in caller: `401`', async () => {
    const answer = await daemon.send({ path: '/api/apps' });
    assert.equal(answer.status, 401);
    assert.ok(isError(answer));
  });

  it('caller lacks role: `403`', async () => {
    const viewer = user(daemon, 'viewer');
    const answer = await daemon.call('POST', '/api/projects', { slug: 'mine' }, viewer.key);
    assert.equal(answer.status, 403);
    assert.ok(isError(answer));
    assert.equal((await daemon.call('GET', '/api/projects/mine')).status, 404);
  });

  it('thing does not exist: `404`', async () => {
    const answer = await daemon.call('GET', '/api/projects/none');
    assert.equal(answer.status, 404);
    assert.ok(isError(answer));
  });

  it('body is form-encoded or `text/plain` (not `application/json`): refused', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const headers = { authorization: `Bearer ${daemon.key}`, 'content-type': type };
      const answer = await daemon.send({ method: 'POST', path: '/api/projects', headers, body: '{"slug":"mine"}' });
      assert.equal(answer.status, 415);
      assert.ok(isError(answer));
    }
    assert.equal((await daemon.call('GET', '/api/projects/mine')).status, 404);
  });

  it('Error bodies are `text/plain` with the reason in the body.', async () => {
    const answers = await Promise.all([
      daemon.send({ path: '/api/apps' }),
      daemon.send({ path: '/nothing' }),
      daemon.call('GET', '/api/apps/a/b/c'),
      daemon.call('PATCH', '/api/apps'),
      daemon.call('POST', '/api/projects', { slug: 'Not A Slug' }),
      daemon.call('POST', '/api/projects', { slug: 'x'.repeat(2 * 1024 * 1024) }),
      daemon.call('GET', '/api/apps?wrong=1'),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 404, 404, 405, 400, 413, 400],
    );
    for (const answer of answers) assert.ok(isError(answer), answer.text);
  });
});

describe('Versioning', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('The instance API is under `/api` with no version segment; it is described by the OpenAPI document at `/openapi.json`.', async () => {
    const { servers, paths } = JSON.parse((await daemon.send({ path: '/openapi.json' })).text);
    assert.deepEqual(servers, [{ url: '/api' }]);
    for (const path of Object.keys(paths)) assert.doesNotMatch(path, /^\/v\d/);
    assert.equal((await daemon.call('GET', '/api/v1/apps')).status, 404);
  });
});
