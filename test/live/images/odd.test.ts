/** Image configurations that no builder writes. Each deployment runs, or fails with a code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { CASES_AT_ONCE, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { tagImage } from '../../support/live-images.ts';
import { inLong } from '../../support/tiers.ts';

const run = promisify(execFile);
type Settings = Record<string, unknown>;

const PORTS = ['70000/tcp', '-1/tcp', '0/tcp', `${'9'.repeat(20)}/tcp`, '3000-3005/tcp', 'web/tcp', '8080', '/tcp', ''];

/**
 * Settings with the code of the failure, or `null` if the app runs. The engine itself refuses fields of another type.
 */
const ODD: [Settings, string | null][] = [
  ...PORTS.map((port): [Settings, null] => [{ ExposedPorts: { [port]: {} } }, null]),
  [{ ExposedPorts: null }, null],
  [{ Volumes: { '../x': {}, relative: {}, '': {} } }, 'engine_refused'],
  [{ Volumes: { '/': {} } }, 'engine_refused'],
  [{ User: 'missing' }, 'user_not_found'],
  [{ User: '4294967296' }, 'engine_refused'],
  [{ User: '-5' }, 'engine_refused'],
  [{ Env: ['', '=', 'NAME', '=x', 'A=\u0000'] }, 'engine_refused'],
  [{ Healthcheck: { Test: ['CMD-SHELL'], Interval: -1, Retries: -3 } }, null],
  [{ Healthcheck: { Test: ['CMD', 'true'], Interval: 9e18, Timeout: -1, Retries: 1e9 } }, null],
  [{ Labels: { 'davit.instance': 'x', 'davit.kind': 'proxy', 'davit.deployment': 'x' } }, null],
  [{ WorkingDir: 'relative' }, 'engine_refused'],
  [{ WorkingDir: '/etc/hostname' }, 'engine_refused'],
  [{ Entrypoint: [''], Cmd: null }, 'engine_refused'],
  [{ Entrypoint: null, Cmd: null }, 'engine_refused'],
  [{ StopSignal: 'SIGNOTHING' }, null],
  [{ Domainname: 'x y', Hostname: '\n' }, null],
];

/** Fields whose cases run in `npm test`. Together they have each result, and labels that look like Davit's. */
const QUICK = ['User', 'Labels', 'StopSignal'];

describe('an image with an unusual configuration', { skip: whyNoEngine() ?? false, concurrency: CASES_AT_ONCE }, () => {
  let harness: LiveHarness;
  let folder: string;
  /** Saved image that serves on the port in its environment. */
  let saved: { manifest: Settings; image: { config: Settings } };

  before(async () => {
    harness = await LiveHarness.create();
    folder = await mkdtemp(join(tmpdir(), 'davit-odd-images-'));
    await run('docker', ['save', '-o', join(folder, 'saved.tar'), await tagImage(harness.docker, 'v1')]);
    await run('tar', ['-xf', 'saved.tar'], { cwd: folder });
    const [manifest] = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    saved = { manifest, image: JSON.parse(await readFile(join(folder, manifest.Config), 'utf8')) };
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
    await harness?.[Symbol.asyncDispose]();
  });

  /** Loads the image with other settings into the engine, with a tag of the environment's repository. */
  async function load(tag: string, settings: Settings): Promise<void> {
    const own = await mkdtemp(join(folder, 'image-'));
    const image = JSON.stringify({ ...saved.image, config: { ...saved.image.config, ...settings } });
    const Config = `${createHash('sha256').update(image).digest('hex')}.json`;
    const manifest = [{ ...saved.manifest, Config, RepoTags: [`${harness.image}:${tag}`] }];
    await writeFile(join(own, Config), image);
    await writeFile(join(own, 'manifest.json'), JSON.stringify(manifest));
    const layers = saved.manifest.Layers as string[];
    await run('tar', ['-cf', join(own, 'image.tar'), '-C', folder, ...layers, '-C', own, 'manifest.json', Config]);
    await run('docker', ['load', '-i', join(own, 'image.tar')]);
  }

  for (const [i, [settings, code]] of ODD.entries()) {
    const isQuick = i === 0 || Object.keys(settings).some((field) => QUICK.includes(field));
    it(`with ${JSON.stringify(settings)} ${code === null ? 'runs' : `is ${code}`}`, isQuick ? {} : inLong, async () => {
      await harness.tag(`odd-${i}`, 'v1');
      await load(`odd-${i}`, settings);
      const { status, error_code } = await (await harness.app()).deploy(`odd-${i}`);

      assert.deepEqual([status, error_code], code === null ? ['succeeded', null] : ['failed', code]);
    });
  }
});
