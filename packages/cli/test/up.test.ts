/** Tests `davit up` with prebuilt images against a complete daemon with a simulated engine. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { bootDaemon, project, slug, type TestDaemon, user } from '@davit/testkit';
import { Davit } from './support/davit.ts';

describe('davit up', () => {
  let daemon: TestDaemon;
  let davit: Davit;
  let name: string;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());
  beforeEach(async () => {
    davit = await Davit.at(daemon);
    name = slug('shop');
  });
  afterEach(() => davit[Symbol.asyncDispose]());

  const write = (...lines: string[]) =>
    davit.write('davit.yaml', [`app: ${name}/production/web`, 'image: example/web', ...lines, ''].join('\n'));
  const params = () => ({ project: name, environment: 'production', app: 'web' });
  const reference = () => `${name}/production/web`;

  it('creates the project, app, variables and domains and waits until traffic switches', async () => {
    await write('tag: v1', 'port: 8080', 'variables: {LOG_LEVEL: info}', `domains: [www.${name}.example]`);

    const { code, stdout, stderr } = await davit.run(['up']);

    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^${reference()} runs v1 at http://www\\.${name}\\.example`));
    assert.match(stderr, /\+ project .*\n\+ app .*\n/);
    assert.match(stderr, /✓ Switch the traffic +\d/);
    const app = await daemon.client.getApp({ params: params() });
    assert.deepEqual(
      [app.status, app.tag, app.domains.map(({ host }) => host)],
      ['running', 'v1', [`www.${name}.example`]],
    );
    const { vars } = await daemon.client.getAppEnv({ params: params() });
    assert.deepEqual(vars, { LOG_LEVEL: 'info' });
  });

  it('reports nothing to do on a second run and creates no deployment', async () => {
    await write('tag: v1');
    await davit.run(['up']);

    const { code, stdout } = await davit.run(['up']);

    assert.equal(code, 0);
    assert.match(stdout, /already runs v1 at .* with these settings: there is nothing to do\./);
    assert.equal((await daemon.client.listDeployments({ params: params() })).length, 1);
  });

  it('deploys changed settings and keeps variables and domains missing from the file', async () => {
    await write('tag: v1', 'variables: {A: "1"}', `domains: [a.${name}.example]`);
    await davit.run(['up']);
    await write('tag: v1', 'args: [serve]', 'variables: {B: "2"}');

    const { code, stderr } = await davit.run(['up']);

    assert.equal(code, 0, stderr);
    assert.match(stderr, /\+ args: \["serve"\]\n/);
    assert.match(stderr, /= variable A, not in the file: no change\n/);
    assert.match(stderr, /= domain a\..*, not in the file: no change\n/);
    const { vars } = await daemon.client.getAppEnv({ params: params() });
    assert.deepEqual(vars, { A: '1', B: '2' });
    assert.equal((await daemon.client.listDeployments({ params: params() })).length, 2);
  });

  it('moves a redirect, although the instance refuses a redirect to a redirected domain', async () => {
    const [old, now] = [`old.${name}.example`, `new.${name}.example`];
    await write('tag: v1', 'port: 80', `domains: [{host: ${now}, redirect_to: ${old}}]`);
    assert.equal((await davit.run(['up'])).code, 0);
    await write(
      ...['tag: v1', 'port: 80', 'domains:'],
      ...[`  - {host: ${old}, redirect_to: ${now}}`, `  - {host: ${now}, redirect_to: null}`],
    );

    const { code, stderr } = await davit.run(['up']);

    assert.equal(code, 0, stderr);
    const { domains } = await daemon.client.getApp({ params: params() });
    assert.deepEqual(
      new Map(domains.map(({ host, redirect_to }) => [host, redirect_to])),
      new Map([
        [now, null],
        [old, now],
      ]),
    );
  });

  it('exits with 8, shows the log of a failed release, and keeps the app running', async () => {
    await write('tag: v1');
    await davit.run(['up']);
    await write('tag: crash');

    const { code, stderr } = await davit.run(['up']);

    assert.equal(code, 8, stderr);
    assert.match(stderr, /Last log lines:\n {2}│ starting\n {2}│ fatal: this example crashes\n/);
    assert.match(stderr, /error: Deployment \d+ of .* failed: /);
    assert.equal((await daemon.client.getApp({ params: params() })).status, 'running');
  });

  it('deploys nothing if a secret is missing and shows the command to set the secret', async () => {
    await write('tag: v1', 'secrets: [DATABASE_URL]');

    const first = await davit.run(['up']);

    assert.equal(first.code, 6);
    assert.match(first.stderr, new RegExp(`davit env set ${reference()} DATABASE_URL --secret`));
    assert.match(
      first.stderr,
      /Before that, the project .* was created, the app .* was created; nothing was deployed\./,
    );
    const set = await davit.run(['env', 'set', reference(), 'DATABASE_URL=postgres://x', '--secret']);
    assert.equal(set.code, 0, set.stderr);
    const second = await davit.run(['up']);
    assert.equal(second.code, 0, second.stderr);
  });

  it('reads values from the environment, hides them, and fails if they are missing', async () => {
    await write('tag: v1', 'variables: {TOKEN: {from_env: SHOP_TOKEN}}');

    const without = await davit.run(['up']);
    const { code, stdout, stderr } = await davit.run(['up'], { env: { SHOP_TOKEN: 'canary-4711' } });

    assert.equal(without.code, 2);
    assert.match(without.stderr, /SHOP_TOKEN/);
    assert.equal(code, 0, stderr);
    assert.ok(!`${stdout}${stderr}`.includes('canary-4711'));
    assert.deepEqual((await daemon.client.getAppEnv({ params: params() })).secret, ['TOKEN']);
    const again = await davit.run(['up'], { env: { SHOP_TOKEN: 'canary-4711' } });
    assert.match(again.stdout, /nothing to do/);
  });

  it('changes nothing if the file has an unknown key and shows its line', async () => {
    await write('tag: v1', 'scal: 2');

    const { code, stderr } = await davit.run(['up']);

    assert.equal(code, 2);
    assert.match(stderr, /davit\.yaml:4:1: "scal" is not a known key here: did you mean "scale"\?\n {2}4 \| scal: 2\n/);
    assert.ok(!(await daemon.client.listProjects()).some((one) => one.slug === name));
  });

  it('refuses an invalid tag or a push without an API key before any change', async () => {
    await write('tag: v1');
    const tag = await davit.run(['up', '--tag', 'no tag']);
    await davit.write('davit.yaml', `app: ${reference()}\n`);
    await davit.write('Dockerfile', 'FROM scratch\n');
    const local = await davit.run(['up', '--local'], { env: { DAVIT_DATA_DIR: daemon.dataDir } });

    assert.deepEqual([tag.code, local.code], [2, tag.code]);
    assert.match(tag.stderr, /--tag must be an image tag/);
    assert.match(local.stderr, /the registry requires an API key|Docker is not installed/);
    assert.ok(!(await daemon.client.listProjects()).some((one) => one.slug === name));
  });

  it('refuses a build context outside the repository of the file', async () => {
    await davit.write('Dockerfile', 'FROM scratch\n');
    await mkdir(join(davit.folder, 'cloned'));
    await davit.write('cloned/davit.yaml', `app: ${reference()}\nbuild: {context: ..}\n`);

    const { code, stderr } = await davit.run(['up', '-f', 'cloned/davit.yaml']);

    assert.equal(code, 2, stderr);
    assert.match(stderr, /build\.context .* is outside .*--allow-outside-paths/);
  });

  it('refuses a volume with several replicas before it changes anything', async () => {
    await project(daemon, name);
    await write('tag: v1', 'scale: 2', 'variables: {A: "1"}', 'volumes: [/data]');

    for (const command of ['plan', 'up']) {
      const { code, stderr } = await davit.run([command]);

      assert.equal(code, 2, stderr);
      assert.match(stderr, /davit\.yaml:4:8: scale must be 1/);
    }
    const apps = await daemon.client.listApps();
    assert.deepEqual(
      apps.filter((app) => app.project === name),
      [],
    );
  });

  it('reports the created app after a refusal and succeeds after the user solved the problem', async () => {
    await project(daemon, name);
    await write('tag: v1', 'secrets: [NEEDED]');

    const { code, stderr } = await davit.run(['up']);

    assert.equal(code, 6);
    assert.match(stderr, /Before that, the app .* was created; nothing was deployed\. Solve the problem, then run/);
    await daemon.client.setAppEnv({ params: params(), body: { set: { NEEDED: 'x' }, secret: ['NEEDED'] } });
    assert.equal((await davit.run(['up'])).code, 0);
  });

  it('does not let a viewer deploy or create an app', async () => {
    await project(daemon, name);
    await write('tag: v1');
    const viewer = await Davit.at({ url: daemon.url, key: user(daemon, 'viewer').key });
    await viewer.write('davit.yaml', `app: ${reference()}\nimage: example/web\ntag: v1\n`);

    const { code } = await viewer.run(['up']);

    assert.equal(code, 4);
    await viewer[Symbol.asyncDispose]();
    assert.deepEqual(
      (await daemon.client.listApps()).filter((app) => app.project === name),
      [],
    );
  });

  it('recognizes unchanged domain rules regardless of spelling and updates changed rules', async () => {
    const rules =
      'path: /a/, https: both, hsts: {}, headers: {X-Served-By: davit}, allow: [10.0.0.0/8], rate_limit: null';
    await write(
      'tag: v1',
      'domains:',
      `  - {host: WWW.${name}.Example., ${rules}}`,
      `  - {host: old.${name}.example, redirect_to: ${name}.example}`,
    );
    const first = await davit.run(['up']);

    const again = await davit.run(['up']);
    await write('tag: v1', 'domains:', `  - {host: www.${name}.example, path: /a, headers: {X-New: "1"}}`);
    const changed = await davit.run(['up']);

    assert.deepEqual([first.code, again.code, changed.code], [0, 0, 0], first.stderr + changed.stderr);
    assert.match(again.stdout, /nothing to do/);
    const { domains } = await daemon.client.getApp({ params: params() });
    const www = domains.find(({ host }) => host === `www.${name}.example`);
    assert.deepEqual([www?.headers, www?.https, domains.length], [{ 'x-new': '1' }, 'both', 2]);
  });

  it('deploys a new release and a new scale in a single run', async () => {
    await write('tag: v1');
    await davit.run(['up']);
    await write('tag: v2', 'scale: 3', 'limits: {pids: 100}');

    const { code, stderr } = await davit.run(['up', '--yes']);

    assert.equal(code, 0, stderr);
    await daemon.settled();
    const app = await daemon.client.getApp({ params: params() });
    const live = app.replicas.filter(({ deployment }) => deployment === app.live_deployment);
    assert.deepEqual([app.tag, app.pending_changes, live.length], ['v2', false, 3]);
    const { stdout } = await davit.run(['up']);
    assert.match(stdout, /nothing to do/);
  });

  it('keeps the number of replicas of davit app scale if the file does not contain one', async () => {
    await write('tag: v1');
    await davit.run(['up']);
    assert.equal((await davit.run(['app', 'scale', reference(), '3'])).code, 0);
    await write('tag: v2', 'args: [serve]');

    const { code, stderr } = await davit.run(['up']);

    assert.equal(code, 0, stderr);
    assert.match(stderr, /= scale, not in the file: no change\n/);
    assert.equal((await daemon.client.getApp({ params: params() })).scale, 3);
  });

  it('changes nothing without --yes if the file contains another number of replicas than the app has', async () => {
    await write('tag: v1', 'scale: 2');
    await davit.run(['up']);
    assert.equal((await davit.run(['app', 'scale', reference(), '3'])).code, 0);
    await write('tag: v2', 'scale: 2');

    const refused = await davit.run(['up']);
    const before = await daemon.client.getApp({ params: params() });
    const confirmed = await davit.run(['up', '--yes']);

    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /has 3 replicas, but "scale" in davit\.yaml is 2\. .*--yes/);
    assert.deepEqual([before.scale, before.tag], [3, 'v1']);
    assert.equal(confirmed.code, 0, confirmed.stderr);
    assert.equal((await daemon.client.getApp({ params: params() })).scale, 2);
  });

  it('deploys and starts an app that was stopped', async () => {
    await write('tag: v1');
    await davit.run(['up']);
    await davit.run(['app', 'stop', reference()]);

    const { code } = await davit.run(['up']);

    assert.equal(code, 0);
    assert.equal((await daemon.client.getApp({ params: params() })).status, 'running');
  });

  it('uses davit.yaml from the nearest parent folder', async () => {
    await write('tag: v1');
    await mkdir(join(davit.folder, 'src/deep'), { recursive: true });

    const { code, stderr } = await davit.run(['up'], { cwd: 'src/deep' });

    assert.equal(code, 0, stderr);
  });

  it('prints only JSON on stdout and nothing on stderr with --json', async () => {
    await write('tag: v1');

    const { code, stdout, stderr } = await davit.run(['up', '--json']);

    const result = JSON.parse(stdout);
    assert.deepEqual(
      [code, stderr, result.app, result.deployed, result.deployment.status],
      [0, '', reference(), true, 'succeeded'],
    );
  });

  it('returns before the deployment finishes with --no-wait', async () => {
    await write('tag: v1');

    const { code, stdout } = await davit.run(['up', '--no-wait', '--json']);

    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).deployment.finished_at, null);
    await daemon.settled();
  });

  it('keeps the deployment running after Ctrl-C and shows the commands to follow or cancel', async () => {
    await write('tag: never-ready');
    await davit.run(['up', '--no-wait']);
    const interrupt = new AbortController();
    const onOutput = (text: string) => void (/Deployment \d+/.test(text) && interrupt.abort());

    const { code, stderr } = await davit.run(['up'], { signal: interrupt.signal, onOutput });

    assert.equal(code, 130);
    assert.match(
      stderr,
      /continues in the background\. Follow it: davit deployment follow .* \d+\. Cancel it: davit deployment cancel/,
    );
    await daemon.client.deleteApp({ params: params() });
  });

  it('redraws the steps only on a terminal with a known width', async () => {
    await write('tag: v1');
    const plain = await davit.run(['up']);
    await write('tag: v2');

    const live = await davit.run(['up'], { isTTY: true, env: { TERM: 'xterm' } });

    assert.ok(!plain.stderr.includes('\u001b'));
    assert.equal(live.code, 0, live.stderr);
    assert.ok(live.stderr.includes('\u001b[32m✓'));
    await write('tag: v3');
    const unknown = await davit.run(['up'], { isTTY: true, columns: 0, env: { TERM: 'xterm' } });
    assert.ok(!unknown.stderr.includes('\u001b[?25'), 'nothing is redrawn where the width is not known');
    assert.match(unknown.stderr, /Switch the traffic/);
  });
});
