/**
 * Cross-site requests from a page of another origin in the browser of a signed-in admin. Apps have sibling hosts of the
 * instance. Browsers treat sibling hosts as the same site and send the session cookie with these requests.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { ADMIN, bootDaemon, deployedApp } from '@davit/testkit';
import { chromium, type Page } from 'playwright-core';
import { unchecked } from '../../packages/daemon/src/db/select.ts';
import { inLong } from '../support/tiers.ts';

const HOME = 'davit.test';
const SIBLING = 'evil.production.shop.davit.test';

/** JavaScript of every way to send a cross-origin request without a CORS preflight. */
const ATTACKS: Record<string, string> = {
  ...Object.fromEntries(
    ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'].map((type) => [
      `a form as ${type}`,
      `(target) => new Promise((done) => {
        const frame = Object.assign(document.createElement('iframe'), { name: 'f' + Math.random() });
        document.body.append(frame);
        const form = Object.assign(document.createElement('form'), { method: 'POST', action: target, target: frame.name });
        form.setAttribute('enctype', '${type}');
        form.append(Object.assign(document.createElement('input'), { name: '{"slug":"stolen","a":"', value: '"}' }));
        document.body.append(form);
        frame.onload = done;
        form.submit();
        setTimeout(done, 1000);
      })`,
    ]),
  ),
  ...Object.fromEntries(
    [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json',
      'text/plain; charset=application/json',
      '',
    ].map((type) => [
      `fetch without asking, as “${type}”`,
      `(target) => fetch(target, { method: 'POST', mode: 'no-cors', credentials: 'include',
        headers: ${type === '' ? '{}' : JSON.stringify({ 'content-type': type })}, body: '{"slug":"stolen"}' }).catch(() => 0)`,
    ]),
  ),
  'fetch that asks first': `(target) => fetch(target, { method: 'POST', credentials: 'include',
    headers: { 'content-type': 'application/json' }, body: '{"slug":"stolen"}' }).catch(() => 0)`,
  'fetch with a method that only an app uses': `(target) => fetch(target, { method: 'DELETE', credentials: 'include' }).catch(() => 0)`,
  'a beacon of text': `(target) => navigator.sendBeacon(target, '{"slug":"stolen"}')`,
  'a beacon that says JSON': `(target) => navigator.sendBeacon(target, new Blob(['{"slug":"stolen"}'], { type: 'application/json' }))`,
  'a beacon without a type': `(target) => navigator.sendBeacon(target, new Blob(['{"slug":"stolen"}']))`,
  'an empty beacon': '(target) => navigator.sendBeacon(target)',
  'an image': `(target) => new Promise((done) => {
    const image = new Image(); image.onload = image.onerror = done; image.src = target; })`,
  'a frame': `(target) => new Promise((done) => {
    const frame = document.createElement('iframe'); frame.onload = done; frame.src = target; document.body.append(frame);
    setTimeout(done, 1000); })`,
  'a WebSocket': `(target) => new Promise((done) => {
    const socket = new WebSocket(target.replace('http', 'ws')); socket.onerror = socket.onclose = done;
    socket.onopen = () => socket.send('echo stolen'); })`,
};

/** Attacks of `npm test`. The others send such requests with another content type, method or element. */
const QUICK = [
  ...['a form as text/plain', 'fetch without asking, as “text/plain”', 'fetch that asks first'],
  ...['a beacon that says JSON', 'a frame', 'a WebSocket'],
];

describe('cross-site request protection', async () => {
  const daemon = await bootDaemon();
  await deployedApp(daemon, { project: await shop(), name: 'web' });
  const evil = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>evil</title><body>');
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', `--host-resolver-rules=MAP *.${HOME} 127.0.0.1, MAP ${HOME} 127.0.0.1`],
  });
  after(async () => {
    await browser.close();
    evil.close();
    await daemon[Symbol.asyncDispose]();
  });
  const home = `http://${HOME}:${new URL(daemon.url).port}`;
  const away = `http://${SIBLING}:${(evil.address() as AddressInfo).port}`;
  const context = await browser.newContext();
  const own = await context.newPage();
  await own.goto(`${home}/docs`);
  const signedIn = await asText(own, '/api/auth/login', JSON.stringify(ADMIN));
  assert.equal(signedIn, 200, 'the admin is signed in');
  const page = await context.newPage();
  await page.goto(away);

  async function shop(): Promise<string> {
    await daemon.client.createProject({ body: { slug: 'shop' } });
    return 'shop';
  }

  it('lets a page of the instance itself create a project with the session cookie', async () => {
    assert.equal(await asText(own, '/api/projects', '{"slug":"own"}'), 201);
  });

  const app = '/api/apps/shop/production/web';
  const targets = ['/api/projects', `${app}/deploy`, app, '/api/auth/logout', `${app}/shell`];
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const tier = QUICK.includes(name) ? {} : inLong;
    it(`prevents changes from a page of a sibling host by ${name}`, tier, async () => {
      const before = state();
      const lineCount = daemon.log.lines.length;
      for (const path of targets) await page.evaluate(`(${attack})(${JSON.stringify(home + path)})`);
      // This request comes after the attack's requests, so the daemon has received all of them.
      assert.equal(await own.evaluate("fetch('/api/instance').then((answer) => answer.status)"), 200);
      assert.ok(daemon.log.lines.length > lineCount + 1, 'the browser has really sent something');
      await daemon.settled();
      assert.deepEqual(state(), before);
    });
  }

  it('prevents a page of a sibling host from reading API responses', async () => {
    const read = await page.evaluate(
      `fetch(${JSON.stringify(`${home}/api/apps`)}, { credentials: 'include' }).then((a) => a.text(), () => 'refused')`,
    );
    assert.equal(read, 'refused');
  });

  /** Returns all rows that a successful attack would change. */
  function state(): object {
    const { store } = daemon.core;
    return {
      projects: store.all(unchecked('SELECT id, slug, deleted_at FROM projects')),
      apps: store.all(unchecked('SELECT id, name, revision, live_deployment, deleted_at FROM apps')),
      deployments: store.all(unchecked('SELECT id, status FROM deployments')),
      sessions: store.all(unchecked('SELECT id FROM sessions')),
      keys: store.all(unchecked('SELECT id FROM api_keys')),
    };
  }
});

/** Sends JSON from the page. @returns the response status */
function asText(page: Page, path: string, body: string): Promise<unknown> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  return page.evaluate(`fetch(${JSON.stringify(path)}, ${JSON.stringify(init)}).then((answer) => answer.status)`);
}
