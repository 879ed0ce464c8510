/** Two builds of a release have the same bytes, independent of user, folder, time and server. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { makeSigningKey } from '../support/release-build.ts';
import { inLong } from '../support/tiers.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const NOBODY = 65534;

/** Settings of the server that are different for the two builds. */
interface Builder {
  folder: string;
  uid: number;
  umask: string;
  env: Record<string, string>;
  /** Time of the build, in a format of `faketime`. */
  clock: string;
}

describe('two builds of a release', inLong, () => {
  let place: string;
  let outputs: string[];

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'davit-reproducible-'));
    await chmod(place, 0o755);
    const builders: Builder[] = [
      { folder: join(place, 'a'), uid: 0, umask: '022', env: { LC_ALL: 'C', TZ: 'UTC' }, clock: '2027-01-01 00:00:00' },
      {
        folder: join(place, 'another-folder/b'),
        uid: NOBODY,
        umask: '077',
        env: { LC_ALL: 'sv_SE.UTF-8', LANG: 'tr_TR.UTF-8', TZ: 'Asia/Tokyo' },
        clock: '2031-07-08 09:10:11',
      },
    ];
    outputs = [];
    for (const builder of builders) outputs.push(await build(builder));
  });
  after(() => rm(place, { recursive: true, force: true }));

  test('have the same files with the same bytes', async () => {
    const [first, second] = await Promise.all(outputs.map(digests));
    assert.ok(first && Object.keys(first).length >= 4, JSON.stringify(first));
    assert.deepEqual(second, first);
  });
});

describe('a signed release', inLong, () => {
  test('is verified by gpgv, and a changed list of digests is not', async () => {
    const place = await mkdtemp(join(tmpdir(), 'davit-signed-'));
    try {
      const key = await makeSigningKey(place);
      const out = join(place, 'release');
      await run(process.execPath, [join(ROOT, 'scripts/release/main.ts'), '--out', out, '--arch', 'x64', '--key', key]);
      const verify = ['--keyring', join(out, 'davit-release.gpg'), join(out, 'SHA256SUMS.sig')];
      await run('gpgv', [...verify, join(out, 'SHA256SUMS')]);
      await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out });
      await assert.rejects(run('gpgv', [...verify, join(out, 'install.sh')]), { code: 1 });
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });
});

/** Copies the sources into a folder, builds there, and returns the folder of the release. */
async function build({ folder, uid, umask, env, clock }: Builder): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  for (const path of stdout.split('\0').filter((name) => name !== '')) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(ROOT, path), join(folder, path));
  }
  for (const modules of ['node_modules', 'packages/cli/node_modules', 'packages/testkit/node_modules'])
    await copyModules(join(ROOT, modules), join(folder, modules));
  for (const name of ['.cache', '.vite-temp'])
    await rm(join(folder, 'node_modules', name), { recursive: true, force: true });
  // The build writes into these folders. Their files are links, whose owner must not change.
  for (const path of ['', 'node_modules', 'packages/dashboard']) await chown(join(folder, path), uid, uid);
  const out = join(folder, 'out');
  // The shell sets the umask, which Node cannot set for another process.
  const script = 'umask "$0"; cd "$1"; shift; exec "$@"';
  const node = join(folder, 'node_modules/.bin/node');
  const steps = [
    ['scripts/build-dashboard.mjs'],
    ['scripts/release/main.ts', '--out', out, '--arch', 'x64', '--unsigned'],
  ];
  for (const step of steps) {
    const command = [
      'faketime',
      '-f',
      clock,
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${uid}`,
      '--clear-groups',
      node,
      ...step,
    ];
    await run('sh', ['-c', script, umask, folder, ...command], {
      env: { PATH: process.env.PATH, HOME: folder, ...env },
    });
  }
  return out;
}

/** Copies installed packages. Hard links take no space, but need the same file system. */
async function copyModules(from: string, to: string): Promise<void> {
  await run('cp', ['--archive', '--link', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await run('cp', ['--archive', from, to]);
  });
}

async function digests(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, hash('sha256', await readFile(join(folder, name)))])),
  );
}
