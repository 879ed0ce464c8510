/**
 * Each secret is sent to every route that accepts one, and to routes that should refuse it. Afterwards the test
 * searches all files and responses of the instance for the secrets.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ADMIN, type Answer, app, bootDaemon, deployedApp, project, type TestDaemon, user } from '@davit/testkit';
import { appIdOf, basic, notifyPush, requestToken } from '../support/registry-setup.ts';

const APP = '/api/apps/shop/production/web';

/** Returns a unique secret. If a file or a response contains it, the instance has leaked it. */
const canary = (what: string) => `canary-${what}-${randomBytes(12).toString('hex')}`;

const SECRETS = {
  projectVariable: canary('project'),
  environmentVariable: canary('environment'),
  appVariable: canary('app'),
  replaced: canary('replaced'),
  registry: canary('registry'),
  wrongRegistry: canary('wrong-registry'),
  password: canary('password'),
  newPassword: canary('new-password'),
  guessed: canary('guessed'),
  token: canary('token'),
  refusedValue: canary('refused-value'),
  fileContent: canary('file-content'),
  refusedFile: canary('refused-file'),
  mountedFile: canary('mounted-file'),
  updatedFile: canary('updated-file'),
  brokenBody: canary('broken-body'),
  wrongType: canary('wrong-type'),
};

/** Returns a template with a file that contains a secret, like a template that was imported from a Compose file. */
const mounting = (tag: string, content: string) => `version: 1
project: mounting
minCubeship: ">=0.9.0"
minVersion: ">=0.1.0"
apps:
  - key: web
    image: registry.test/acme/web
    tag: "${tag}"
    port: 80
    files: [{path: /etc/app.ini, content: ${content}}]
`;

describe('secrets of users', () => {
  let daemon: TestDaemon;
  /** Responses to all callers other than the owner of the secret. */
  const answers: { what: string; text: string }[] = [];
  const made: Record<string, string> = {};

  before(async () => {
    daemon = await bootDaemon();
    await project(daemon, 'shop');
    await deployedApp(daemon, { project: 'shop', name: 'web' });
    const viewer = user(daemon, 'viewer');
    made.key = daemon.key;
    const sent = async (method: string, path: string, body?: unknown, key?: string): Promise<Answer> => {
      const answer = await daemon.call(method, path, body, key);
      answers.push({ what: `${method} ${path} → ${answer.status}`, text: answer.text });
      return answer;
    };
    const raw = async (path: string, body: string, headers: Record<string, string> = {}) => {
      const all = { 'content-type': 'application/json', authorization: `Bearer ${daemon.key}`, ...headers };
      const answer = await daemon.send({ method: 'POST', path, headers: all, body });
      answers.push({ what: `POST ${path} → ${answer.status}`, text: answer.text });
    };

    const secret = (name: string, value: string) => ({ set: { [name]: value }, secret: [name] });
    await sent('PATCH', '/api/projects/shop/env', secret('P', SECRETS.projectVariable), '');
    await daemon.call('PATCH', '/api/projects/shop/env', secret('P', SECRETS.projectVariable));
    await daemon.call(
      'PATCH',
      '/api/projects/shop/environments/production/env',
      secret('E', SECRETS.environmentVariable),
    );
    await daemon.call('PATCH', `${APP}/env`, secret('A', SECRETS.replaced));
    await daemon.call('PATCH', `${APP}/env`, secret('A', SECRETS.appVariable));
    const files = (content: string, path: string) => ({ files: [{ path, content }] });
    assert.equal((await sent('PATCH', APP, files(SECRETS.fileContent, '/etc/app.ini'))).status, 200);
    await sent('PATCH', APP, files(SECRETS.refusedFile, '/proc/app.ini'));
    for (const tag of ['v2', 'v3-crash', 'v4-unhealthy', 'missing']) {
      await daemon.call('POST', `${APP}/deploy?wait=true`, { tag });
    }
    for (const path of [`${APP}/env`, APP, `${APP}/deployments`, `${APP}/revisions`, `${APP}/revisions/2`]) {
      await sent('GET', path, undefined, viewer.key);
    }

    const succeeds = async (path: string, body: object) => {
      const { text } = await daemon.call('POST', `${path}?wait=true`, body);
      assert.equal((JSON.parse(text) as { status: string }).status, 'succeeded', text);
    };
    const place = { project: 'mounting', environment: 'production' };
    await succeeds('/api/template-installs', { source: { file: mounting('v1', SECRETS.mountedFile) }, ...place });
    await succeeds('/api/template-installs/1/update', { file: mounting('v2', SECRETS.updatedFile) });
    for (const path of ['/api/template-installs', '/api/template-installs/1', '/api/tasks']) {
      await sent('GET', path, undefined, viewer.key);
    }

    const kept = await sent('POST', '/api/registries', {
      host: 'ghcr.io',
      username: 'bot',
      password: SECRETS.registry,
    });
    assert.equal(kept.status, 201);
    await sent('GET', '/api/registries');
    daemon.engine.controls.fail('checkRegistry');
    await sent('POST', '/api/registries', { host: 'quay.io', username: 'bot', password: SECRETS.wrongRegistry });

    await sent('POST', '/api/users', { username: 'eve', role: 'member', password: SECRETS.password });
    // A user may paste the key into the path by mistake.
    await sent('DELETE', `/api/projects/${daemon.key}`);
    await raw('/api/auth/login', JSON.stringify({ username: 'eve', password: SECRETS.guessed }), { authorization: '' });
    await raw('/api/setup', JSON.stringify({ token: SECRETS.token, username: 'x', password: SECRETS.guessed }));
    const changed = await sent('PATCH', '/api/users/eve', { password: SECRETS.newPassword });
    assert.equal(changed.status, 200);

    const login = { method: 'POST', path: '/api/auth/login', headers: { 'content-type': 'application/json' } };
    const begun = await daemon.send({ ...login, body: JSON.stringify(ADMIN) });
    made.session = begun.headers.get('set-cookie')?.split(/[=;]/)[1] ?? '';
    const created = await daemon.send({
      method: 'POST',
      path: '/api/users/me/api-keys',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${daemon.key}`,
        'idempotency-key': 'a-key-that-is-remembered',
      },
      body: JSON.stringify({ name: 'remembered' }),
    });
    made.remembered = (JSON.parse(created.text) as { key: string }).key;

    // The instance's registry in use: a token, a notification, and a deployment of a pushed image.
    const { registryKeys } = daemon.core;
    made.registryHook = registryKeys.hookSecret();
    const pushed = await app(daemon, { project: 'shop', name: 'pushed', source: 'registry', image: null });
    made.registryEngine = registryKeys.appCredential(appIdOf(daemon, pushed.reference)).password;
    daemon.registry.push(pushed.reference, 'v1');
    await notifyPush(daemon, { repository: pushed.reference, tag: 'v1' });
    const scope = `?scope=repository:${pushed.reference}:pull,push`;
    const { token } = JSON.parse((await requestToken(daemon, scope, basic('admin', daemon.key))).text) as {
      token: string;
    };
    made.registryToken = token;
    await requestToken(daemon, scope, basic('admin', SECRETS.guessed));
    await requestToken(daemon, scope, basic('davit', SECRETS.guessed));
    await sent('GET', `/api/apps/${pushed.reference}/deployments`);

    for (const path of ['/api/projects', `${APP}/deploy`, `${APP}/volumes`, `${APP}/run`, '/api/users', `${APP}/env`]) {
      await raw(path, `{"password": "${SECRETS.brokenBody}"`);
      await raw(path, JSON.stringify({ [SECRETS.refusedValue.slice(0, 4)]: SECRETS.refusedValue }));
      await raw(path, JSON.stringify({ slug: { a: SECRETS.wrongType }, username: [SECRETS.wrongType], tag: 1 }));
    }
    await sent('PUT', `${APP}/env`, { vars: { A: { value: SECRETS.wrongType } } });
    await sent('PUT', `${APP}/env`, { vars: { 'not a name': SECRETS.refusedValue } });

    daemon.engine.controls.fail('createGroup', { error: new Error(`broken: ${'x'.repeat(10)}`) });
    await daemon.call('POST', `${APP}/deploy?wait=true`, { tag: 'v5' });
    await sent('GET', '/api/audit?limit=500');
    await sent('GET', '/api/instance');
    await daemon.settled();
  });
  after(() => daemon[Symbol.asyncDispose]());

  const everyOne = () => Object.entries({ ...SECRETS, ...made });

  it('appear in no response or error to other callers', () => {
    for (const [name, secret] of everyOne()) {
      for (const { what, text } of answers) assert.ok(!text.includes(secret), `${name} is in the answer to ${what}`);
    }
  });

  it('appear in no line of the daemon log', () => {
    const log = daemon.log.lines.join('');
    for (const [name, secret] of everyOne()) assert.ok(!log.includes(secret), `${name} is in the log`);
  });

  it('appear in no file of the data directory in plain text', () => {
    const files = globSync('**/*', { cwd: daemon.dataDir }).filter((file) => {
      return statSync(join(daemon.dataDir, file)).isFile() && !['master.key', 'setup-token'].includes(file);
    });
    assert.ok(files.includes('davit.db'));
    for (const file of files) {
      const bytes = readFileSync(join(daemon.dataDir, file));
      for (const [name, secret] of everyOne()) assert.ok(!bytes.includes(secret), `${name} is in ${file}`);
    }
  });

  it('reach the environment variables of the app containers', () => {
    const env = daemon.engine.controls.containers().flatMap((container) => Object.values(container.env));
    for (const name of ['projectVariable', 'environmentVariable', 'appVariable'] as const)
      assert.ok(env.includes(SECRETS[name]), name);
  });
});
