/** A release runs from its folder, without an installed Node and without the repository. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import { type BuiltRelease, buildRelease, filesBelow } from '../../support/release-build.ts';
import { inLong } from '../../support/tiers.ts';

const run = promisify(execFile);
/** Folders with programs of the distribution. They must not contain Node. */
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

describe('a release', inLong, () => {
  let release: BuiltRelease;
  let dataDir: string;
  let child: ChildProcess;
  let output = '';
  let url: string;
  const bin = (name: string) => join(release.unpacked, 'bin', name);

  before(async () => {
    release = await buildRelease();
    dataDir = await mkdtemp(join(tmpdir(), 'davit-released-'));
    const [api, http, https, registry] = [await freePort(), await freePort(), await freePort(), await freePort()];
    url = `http://127.0.0.1:${api}`;
    const flags = ['--data-dir', dataDir, '--engine', 'memory', '--listen', `127.0.0.1:${api}`];
    const ports = ['--http-port', `${http}`, '--https-port', `${https}`, '--registry-port', `${registry}`];
    child = spawn(bin('davitd'), [...flags, ...ports], { cwd: '/', env: { PATH, HOME: dataDir } });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part) => {
        output += part;
      });
    await until('the daemon of the release is ready', async () => {
      assert.equal(child.exitCode, null, output);
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      return answer?.status === 200;
    });
  });

  after(async () => {
    if (child?.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await ended;
      assert.equal(code, 0, output);
    }
    await release?.[Symbol.asyncDispose]();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  test('contains no TypeScript, source maps, install scripts or paths of the build', async () => {
    const files = await filesBelow(release.unpacked);
    assert.deepEqual(
      files.filter((file) => /\.(tsx?|map)$/.test(file)),
      [],
    );
    for (const file of files.filter((path) => /\.(js|mjs|cjs|json|html|css)$/.test(path))) {
      const text = await readFile(join(release.unpacked, file), 'utf8');
      assert.ok(!text.includes(join(import.meta.dirname, '../../..')), `${file} contains a path of the build`);
      if (file.endsWith('package.json')) assert.equal(JSON.parse(text).scripts, undefined, file);
    }
  });

  test('serves the dashboard and its files', async () => {
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    assert.equal(page.status, 200);
    const [script] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    assert.ok(script);
    assert.equal((await fetch(`${url}${script}`)).status, 200);
  });

  test('serves the API document and its viewer', async () => {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } };
    assert.equal(document.info.version, release.version);
    const viewer = await fetch(`${url}/docs/scalar.js`);
    assert.equal(viewer.status, 200);
    assert.ok((await viewer.text()).length > 1_000_000);
  });

  test('has a command line that reaches the instance', async () => {
    const env = { PATH, HOME: dataDir };
    const { stdout } = await run(bin('davit'), ['--version'], { env });
    assert.equal(stdout, `${release.version}\n`);
    const local = { env: { ...env, DAVIT_DATA_DIR: dataDir } };
    const { stdout: projects } = await run(bin('davit'), ['project', 'list', '--local', '--json'], local);
    assert.deepEqual(JSON.parse(projects), []);
  });

  test('has a catalog that starts with its native libraries', async () => {
    const { stdout } = await run(
      join(release.unpacked, 'runtime/node'),
      ['--input-type=module', '--eval', "import sharp from 'sharp'; console.log(sharp.versions.sharp);"],
      { cwd: join(release.unpacked, 'lib/catalog'), env: { PATH } },
    );
    const { version } = JSON.parse(
      await readFile(join(release.unpacked, 'lib/node_modules/sharp/package.json'), 'utf8'),
    );
    assert.equal(stdout.trim(), version);
  });
});
