/** `davit up` with the real Docker client and the registry of the instance, under continuous requests. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Deployment } from '@davit/api';
import { buildHello } from '../../../scripts/demo/build-hello.ts';
import { DavitFolder } from '../../support/davit-command.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { imagesOfPushes } from '../../support/instance-removal.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { testAppImage } from '../../support/test-app-image.ts';
import { inLong } from '../../support/tiers.ts';
import { LIGHT_LOAD, startTraffic } from '../../support/traffic.ts';

const APP = { project: 'shop', environment: 'production', app: 'web' };
const NEIGHBOUR = { ...APP, app: 'neighbour' };
const HELLO = join(import.meta.dirname, '../../../examples/hello');
const REFERENCE = 'shop/production/web';

describe('davit up', { skip: whyNoEngine() ?? false }, () => {
  let instance: Instance;
  let folder: DavitFolder;
  let base: string;
  before(async () => {
    instance = await startInstance();
    base = await testAppImage(instance.docker);
    folder = await DavitFolder.make(instance);
    await folder.write('Dockerfile', `FROM ${base}:v1\nCOPY line /line\n`);
    await line('the first');
    const settings = ['port: 8080', 'health: {path: /health}', 'variables: {COLOUR: green}'];
    await folder.write('davit.yaml', [`app: ${REFERENCE}`, ...settings, ''].join('\n'));
  });
  after(async () => {
    const built = instance === undefined ? [] : await imagesOfPushes(instance.docker, instance.registryPort);
    await folder?.[Symbol.asyncDispose]();
    await instance?.[Symbol.asyncDispose]();
    // `docker rmi` may leave an image without a name.
    for (const id of built) await instance.docker.getImage(id).remove({ force: true }).catch(ignoreMissing);
  });

  /** Changes the build context, so that the image is new in each run. */
  const line = (text: string) => folder.write('line', `${text} ${randomBytes(8).toString('hex')}\n`);
  const deployments = () => instance.client.listDeployments({ params: APP }) as Promise<Deployment[]>;

  /** Returns the first page of a host below the instance's domain, through the proxy. */
  async function pageOf(name: string): Promise<string> {
    const host = `${name}.${(await instance.client.getInstance()).domain}`;
    const address = { host: '127.0.0.1', port: instance.httpPort, path: '/cgi-bin/index.cgi', headers: { host } };
    return new Promise((resolve, reject) => {
      const clientRequest = get(address, async (answer) =>
        resolve((await answer.setEncoding('utf8').toArray()).join('')),
      );
      clientRequest.on('error', reject);
    });
  }

  /** Returns a key of a new user. */
  async function keyOf(role: 'viewer'): Promise<string> {
    const account = { username: 'vera', password: 'correct horse battery' };
    await instance.client.createUser({ body: { ...account, role } });
    const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const post = (path: string, body: object, headers = {}) =>
      fetch(`${instance.url}${path}`, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
    const cookie = (await post('/api/auth/login', account)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const made = await post('/api/users/me/api-keys', { name: 'test' }, { cookie });
    return ((await made.json()) as { key: string }).key;
  }

  test('creates the app, builds, pushes and deploys with exactly one deployment', async () => {
    const { code, stdout, stderr } = await folder.run(['up']);

    assert.equal(code, 0, stderr);
    assert.match(stdout, /^shop\/production\/web runs build-[0-9a-f]{8} at http:\/\/web\.production\.shop\./);
    assert.match(stderr, /✓ the app shop\/production\/web was created\n/);
    assert.match(stderr, /│ Step 1\/2|│ #\d/);
    assert.match(stderr, /✓ Switch the traffic/);
    const all = await deployments();
    assert.deepEqual(
      all.map(({ status, trigger, live }) => [status, trigger.kind, live]),
      [['succeeded', 'push', true]],
    );
  });

  test('does nothing if files and settings are unchanged', async () => {
    const { code, stdout } = await folder.run(['up']);

    assert.equal(code, 0);
    assert.match(stdout, /with these settings: there is nothing to do/);
    assert.equal((await deployments()).length, 1);
  });

  test('deploys a changed file and rolls back without losing a request', inLong, async () => {
    await instance.createApp(NEIGHBOUR, { image: base, port: 8080 });
    await instance.deploy(NEIGHBOUR, 'v1');
    const hosts = { host: instance.hostOf(APP), neighbour: instance.hostOf(NEIGHBOUR) };
    await using traffic = await startTraffic({ port: instance.httpPort, ...hosts, rates: LIGHT_LOAD });
    await line('the second');

    const upped = await folder.run(['up', '--json']);
    const { deployment } = JSON.parse(upped.stdout) as { deployment: Deployment };
    traffic.expect(deployment.id);
    const back = await folder.run(['app', 'rollback', '.', '--json']);
    traffic.expect((JSON.parse(back.stdout) as Deployment).id);
    await instance.atRest(APP);
    const report = await traffic.stop();

    assert.deepEqual([upped.code, back.code], [0, 0], `${upped.stderr}${back.stderr}`);
    assert.deepEqual(report.failures, []);
    assert.equal(report.lostInAll, 0);
    assert.ok(Object.keys(report.tags).length >= 2);
  });

  test('deploys the same files again after a rollback', inLong, async () => {
    const { code, stdout, stderr } = await folder.run(['up', '--json']);

    const { deployment } = JSON.parse(stdout) as { deployment: Deployment };
    assert.deepEqual([code, deployment.live], [0, true], stderr);
  });

  test('applies new settings and a new image in one deployment', inLong, async () => {
    const before = (await deployments()).length;
    await line('the third');
    const settings = ['port: 8080', 'health: {path: /health}', 'variables: {COLOUR: red}', 'stop: {drain_s: 1}'];
    await folder.write('davit.yaml', [`app: ${REFERENCE}`, ...settings, ''].join('\n'));

    const { code, stderr } = await folder.run(['up', '--tag', 'third']);

    assert.equal(code, 0, stderr);
    const [newest, ...others] = await deployments();
    assert.deepEqual([newest?.tag, newest?.trigger.kind, others.length], ['third', 'push', before]);
    assert.equal((await instance.client.getApp({ params: APP })).pending_changes, false);
  });

  test('requests a deployment through the API if the tag is pinned', inLong, async () => {
    await line('the pinned');
    await folder.write('pinned.yaml', `app: ${REFERENCE}\nport: 8080\ntag: pinned\n`);

    const { code, stderr } = await folder.run(['up', '-f', 'pinned.yaml']);

    assert.equal(code, 0, stderr);
    const [newest] = await deployments();
    assert.deepEqual([newest?.tag, newest?.trigger.kind, newest?.live], ['pinned', 'api', true]);
  });

  test('exits with 1 and the build error, and deploys nothing', inLong, async () => {
    await folder.write('broken.Dockerfile', `FROM ${base}:v1\nCOPY no-such-file /\n`);
    await folder.write('broken.yaml', `app: ${REFERENCE}\nbuild: {dockerfile: broken.Dockerfile}\n`);
    const before = (await deployments()).length;

    const { code, stderr } = await folder.run(['up', '-f', 'broken.yaml']);

    assert.equal(code, 1);
    assert.match(stderr, /error: The image could not be built: .*no-such-file.* nothing was deployed\./);
    assert.equal((await deployments()).length, before);
  });

  test('exits with 8 if the release crashes, and the app keeps running', inLong, async () => {
    await folder.write('crash.Dockerfile', `FROM ${base}:crash\nCOPY line /line\n`);
    await folder.write('crash.yaml', `app: ${REFERENCE}\nport: 8080\nbuild: {dockerfile: crash.Dockerfile}\n`);

    const { code, stderr } = await folder.run(['up', '-f', 'crash.yaml', '--tag', 'crash']);

    assert.equal(code, 8, stderr);
    assert.match(stderr, /✗ (Start the new release|Wait for the health check)/);
    assert.match(stderr, /error: Deployment \d+ of shop\/production\/web failed: .*3/);
    assert.equal((await instance.client.getApp({ params: APP })).status, 'running');
  });

  test('refuses a viewer before the build', inLong, async () => {
    const viewer = await keyOf('viewer');

    const { code, stderr } = await folder.run(['up'], { DAVIT_API_KEY: viewer });

    assert.equal(code, 4);
    assert.equal(stderr, 'error: Your role viewer does not allow a deployment: ask an admin. Nothing was changed.\n');
  });

  test('deploys the hello example, then a changed file, and rolls back', inLong, async () => {
    const params = { project: 'demo', environment: 'production', app: 'hello' };
    await buildHello(null);
    await instance.createApp(params, { image: 'davit-hello', port: 8080 });
    assert.equal((await instance.deploy(params, '1.0')).status, 'succeeded');
    await using hello = await DavitFolder.make(instance, HELLO);
    const page = () => pageOf('hello.production.demo');
    const script = join(hello.path, 'www/cgi-bin/index.cgi');
    const change = async (text: string) =>
      writeFile(script, (await readFile(script, 'utf8')).replace(/<p>.*<\/p>/, `<p>${text}</p>`));

    await change('The first push.');
    const first = await hello.run(['up']);
    const before = await page();
    await change('A line was changed.');
    const second = await hello.run(['up']);
    const changed = await page();
    const back = await hello.run(['rollback', '.']);

    assert.deepEqual([first.code, second.code, back.code], [0, 0, 0], first.stderr + second.stderr + back.stderr);
    assert.match(before, /The first push\./);
    assert.match(changed, /A line was changed\./);
    assert.match(await page(), /The first push\./);
  });

  test('lists three alternatives if Docker is unavailable, and creates no project', async () => {
    await folder.write('other.yaml', 'app: other/production/web\n');

    const { code, stderr } = await folder.run(['up', '-f', 'other.yaml'], { DOCKER_HOST: 'unix:///nowhere.sock' });

    assert.equal(code, 1);
    assert.match(stderr, /1\. Set an existing image[\s\S]*2\. Install Docker[\s\S]*3\. Let CI build/);
    assert.ok(!(await instance.client.listProjects()).some(({ slug }) => slug === 'other'));
  });

  test('leaves no Docker configuration and no temporary files', async () => {
    const home = await readdir(folder.path, { recursive: true });
    assert.ok(!home.some((name) => name.endsWith('config.json')), home.join());
    assert.deepEqual(await readdir(folder.temporary), []);
  });

  test('shows progress at a terminal and restores the cursor', inLong, async () => {
    await line('the fourth');
    const settings = ['port: 8080', 'health: {path: /health}'];
    await folder.write('davit.yaml', [`app: ${REFERENCE}`, ...settings, ''].join('\n'));

    const { code, stdout } = await folder.atTerminal(['up']).ended;

    assert.equal(code, 0, stdout);
    assert.ok(stdout.includes('\u001b[32m✓'));
    assert.ok(stdout.lastIndexOf('\u001b[?25h') > stdout.lastIndexOf('\u001b[?25l'), 'the cursor is hidden');
  });
});

function ignoreMissing(error: { statusCode?: number }): void {
  if (error.statusCode !== 404) throw error;
}
