/**
 * The first day of a new user, with only the two commands of the README. The user starts the instance, signs in, sets a
 * domain, deploys the example and opens the page over HTTPS. Then the user changes a line, deploys again under load,
 * and rolls back.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { DavitFolder, Running } from '../../support/davit-command.ts';
import { davitIdOf } from '../../support/instance-environment.ts';
import { removeEverythingOf, removeImagesOf } from '../../support/instance-removal.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { type Pebble, startPebble } from '../../support/pebble.ts';
import { send } from '../../support/proxy-load.ts';
import { inLong } from '../../support/tiers.ts';

const ROOT = join(import.meta.dirname, '../../..');
const HOST = 'hello.production.demo.davit.test';
const PAGE = '/cgi-bin/index.cgi';
const START_MS = 300_000;

describe('the first day of a new user', { skip: whyNoEngine() ?? false }, () => {
  const docker = new Docker();
  const ports = { listen: 0, http: 0, https: 0, registry: 0 };
  let dataDir: string;
  let pebble: Pebble;
  let started: Running;
  let folder: DavitFolder;
  let ca: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'davit-first-day-'));
    for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
    pebble = await startPebble({ httpPort: ports.http });
    ca = await pebble.root();
    started = new Running(spawnStart());
    await started.shows(/npx davit login \S+.*\n/, START_MS);
  });
  after(async () => {
    const id = davitIdOf(dataDir);
    started?.child.kill('SIGTERM');
    await started?.ended;
    await folder?.[Symbol.asyncDispose]();
    await pebble?.[Symbol.asyncDispose]();
    if (id !== null) await removeEverythingOf(docker, id);
    await removeImagesOf(docker, ports.registry);
    await rm(dataDir, { recursive: true, force: true });
  });

  function spawnStart() {
    const flags = [
      ...['--data-dir', dataDir, '--listen', `127.0.0.1:${ports.listen}`, '--http-port', String(ports.http)],
      ...['--https-port', String(ports.https), '--registry-port', String(ports.registry)],
    ];
    return spawn('npm', ['start', '--', ...flags], { cwd: ROOT });
  }

  const davit = async (args: string[], stdin?: string) => {
    const running = folder.start(args, { DAVIT_URL: '', DAVIT_API_KEY: '' });
    if (stdin !== undefined) running.child.stdin.end(stdin);
    const ended = await running.ended;
    assert.equal(ended.code, 0, `davit ${args.join(' ')}: ${ended.stderr}`);
    return ended.stdout;
  };
  const change = async (words: string) => {
    const script = join(folder.path, `www${PAGE}`);
    await writeFile(script, (await readFile(script, 'utf8')).replace(/<p>.*<\/p>/, `<p>${words}</p>`));
  };
  const page = (agent?: Agent) => fetchPage({ port: ports.https, ca, ...(agent && { agent }) });

  test('npm start prints the next step, and davit login creates the first account', async () => {
    const [, url = ''] = /npx davit login (\S+)/.exec(started.stdout) ?? [];
    const [, token = ''] = /Setup token +(\S+)/.exec(started.stdout) ?? [];
    folder = await DavitFolder.make({ url, key: '' }, join(ROOT, 'examples/hello'));

    await davit(['login', url, '--claim', '--username', 'ada'], `${token}\ncorrect horse battery\n`);

    assert.match(await davit(['app', 'list']), /demo\/production\/hello +running/);
  });

  test('the example app explains itself, logs one line per request and has a shell', async () => {
    const example = { port: ports.http, host: 'hello.production.demo.localhost' };
    const page = await send({ ...example, path: '/?first-day' });
    const missing = await send({ ...example, path: '/first-day-missing' });
    const logs = await until('the requests are in the logs', async () => {
      const text = await davit(['logs', 'demo/production/hello', '--stream', 'stdout']);
      return text.includes('/?first-day') && text.includes('response:404') ? text : null;
    });
    const shell = await davit([
      'run',
      'demo/production/hello',
      '--',
      'sh',
      '-c',
      'ls /www && whoami && echo $((6 * 7))',
    ]);

    assert.deepEqual([page.status, missing.status], [200, 404]);
    for (const command of ['davit logs', 'davit shell', 'davit deploy', 'davit up', 'davit app delete']) {
      assert.ok(page.text.includes(command), command);
    }
    assert.equal(logs.split('\n').filter((line) => line.includes('/?first-day')).length, 1, logs);
    assert.equal(logs.split('\n').filter((line) => line.includes('response:404')).length, 1, logs);
    assert.match(shell, /^cgi-bin\nnobody\n42$/m);
  });

  test('davit up deploys the folder, and the host gets a certificate on the first request', async () => {
    const { email, directory, trusted_ca, resolver } = pebble.settings.acme;
    const acme = Object.entries({ email, directory, trusted_ca, resolver }).map(
      ([name, value]) => `acme.${name}=${value}`,
    );
    await davit(['settings', 'set', 'domain=davit.test', ...acme]);
    await change('The first push.');

    await davit(['up']);
    const first = await until('the example answers over HTTPS', () => page().catch(() => null));

    assert.match(first, /The first push\./);
  });

  test('deploys a change over HTTPS and rolls back without a failed request', inLong, async () => {
    await using load = startLoad((agent) => page(agent));
    await load.more(10);
    await change('A line was changed.');

    await davit(['up']);
    const changed = await page();
    await load.more(10);
    await davit(['rollback', '.']);
    const back = await page();
    await load.more(10);

    assert.match(changed, /A line was changed\./);
    assert.match(back, /The first push\./);
    assert.deepEqual(load.failures, []);
  });
});

/**
 * Returns the page from a server that proves to be its host with a certificate of this authority.
 * @throws Error for any other response
 */
async function fetchPage({ port, ca, agent }: { port: number; ca: string; agent?: Agent }): Promise<string> {
  const tls = { servername: HOST, ca };
  const clientRequest = request({
    host: '127.0.0.1',
    port,
    path: PAGE,
    headers: { host: HOST },
    agent: agent ?? false,
    ...tls,
  });
  const [response] = await once(clientRequest.end(), 'response');
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${body}`);
  return body;
}

/** Sends requests continuously, each on a new connection, and in parallel on a persistent connection. */
function startLoad(get: (agent?: Agent) => Promise<string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const failures: string[] = [];
  const answered = new Map<Agent | undefined, number>();
  let isOver = false;
  const work = async (with_: Agent | undefined) => {
    while (!isOver) {
      await get(with_).catch((error: Error) => failures.push(error.message));
      answered.set(with_, (answered.get(with_) ?? 0) + 1);
    }
  };
  const workers = [undefined, agent];
  const all = Promise.all(workers.map(work));
  return {
    failures,
    /** Resolves when each kind of connection has had `count` more responses. */
    more: async (count: number) => {
      const goals = workers.map((worker) => (answered.get(worker) ?? 0) + count);
      await until(`${count} more answers`, async () =>
        workers.every((worker, at) => (answered.get(worker) ?? 0) >= (goals[at] ?? 0)),
      );
    },
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await all;
      agent.destroy();
    },
  };
}
