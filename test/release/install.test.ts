/** Checks that the installer runs before its first change. All cases are dry runs, each in its own mount namespace. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort } from '@davit/testkit/ports';
import { writeEngineSettings } from '../../scripts/lib/engine-settings.mjs';
import { signFile } from '../../scripts/release/sign.ts';
import { makeSigningKey } from '../support/release-build.ts';

const INSTALLER = join(import.meta.dirname, '../../packaging/install.sh');
const ARCH = process.arch;
const OTHER_ARCH = ARCH === 'x64' ? 'arm64' : 'x64';
const NAME = `davit-9.9.9-linux-${ARCH}.tar.gz`;
const isRoot = process.getuid?.() === 0;

interface Outcome {
  code: number;
  output: string;
}

describe('the installer', { skip: isRoot ? false : 'needs root for a mount namespace' }, () => {
  let place: string;
  let folder: string;
  let settings: string[];

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'davit-installer-'));
    folder = join(place, 'release');
    await mkdir(folder);
    await writeFile(join(folder, NAME), 'an archive');
    await writeFile(join(folder, 'SHA256SUMS'), `${digestOf('an archive')}  ${NAME}\n`);
    settings = ['--http-port', String(await freePort()), '--https-port', String(await freePort())];
    // The server that runs the tests may have an instance.
    settings.push('--data-dir', join(place, 'data'), '--unsigned');
  });
  after(() => rm(place, { recursive: true, force: true }));

  /** Runs the installer as on another distribution. No file of this machine changes. */
  async function dryRun(
    args: string[],
    os = 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian 12"\n',
  ): Promise<Outcome> {
    const release = join(place, 'os-release');
    await writeFile(release, os);
    const script = 'mount --bind "$0" /etc/os-release && exec sh "$@"';
    const command = ['--mount', 'sh', '-c', script, release, INSTALLER, '--dry-run', ...args];
    return new Promise((resolve) => {
      execFile('unshare', command, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
      });
    });
  }
  const install = (args: string[] = [], os?: string) =>
    dryRun(['--from', join(folder, NAME), ...settings, ...args], os);

  test('prints its changes in a dry run and makes none', async () => {
    const { code, output } = await install();
    assert.equal(code, 0, output);
    for (const words of ['✓ digest', `/opt/davit/9.9.9`, '/usr/local/bin/davit', '/etc/davit/davit.env'])
      assert.ok(output.includes(words), `${words}: ${output}`);
    await assert.rejects(readFile('/etc/davit/davit.env'), { code: 'ENOENT' });
  });

  test('supports Debian 12 and 13, and Ubuntu 22.04 and 24.04', async () => {
    for (const [id, version] of [
      ['debian', '13'],
      ['ubuntu', '22.04'],
      ['ubuntu', '24.04'],
    ])
      assert.equal((await install([], `ID=${id}\nVERSION_ID="${version}"\n`)).code, 0, `${id} ${version}`);
  });

  test('refuses other distributions by their name', async () => {
    const os = 'ID=fedora\nVERSION_ID=43\nPRETTY_NAME="Fedora Linux 43"\n';
    const { code, output } = await install([], os);
    assert.deepEqual([code, output.includes('Fedora Linux 43')], [1, true], output);
    assert.equal((await install([], 'ID=debian\nVERSION_ID="11"\n')).code, 1);
  });

  test('finds the only release in a folder, and needs a version if there are several', async () => {
    const from = (args: string[]) => dryRun(['--from', folder, ...settings, ...args]);
    assert.equal((await from([])).code, 0);
    const second = join(folder, `davit-9.9.8-linux-${ARCH}.tar.gz`);
    await writeFile(second, '');
    try {
      assert.equal((await from([])).code, 1);
      assert.equal((await from(['--version', '9.9.9'])).code, 0);
    } finally {
      await rm(second);
    }
  });

  test('refuses an archive for another architecture, of another version, or without a digest', async () => {
    const other = join(place, `davit-9.9.9-linux-${OTHER_ARCH}.tar.gz`);
    const lonely = join(place, NAME);
    for (const file of [other, lonely]) await writeFile(file, 'an archive');
    for (const args of [
      ['--from', other],
      ['--from', lonely],
      ['--from', join(folder, NAME), '--version', '1.0.0'],
    ])
      assert.equal((await dryRun([...args, ...settings])).code, 1, args.join(' '));
  });

  test('refuses an archive whose digest differs', async () => {
    const changed = join(place, 'changed');
    await mkdir(changed);
    await writeFile(join(changed, 'SHA256SUMS'), await readFile(join(folder, 'SHA256SUMS')));
    await writeFile(join(changed, NAME), 'another archive');
    const { code, output } = await dryRun(['--from', changed, ...settings]);
    assert.deepEqual([code, output.includes('✓ digest')], [1, false]);
  });

  test('refuses a release without a signature of the given key', async () => {
    const signed = join(place, 'signed');
    await mkdir(signed);
    for (const name of [NAME, 'SHA256SUMS']) await writeFile(join(signed, name), await readFile(join(folder, name)));
    const from = (key: string) => dryRun(['--from', signed, '--key', key, ...settings]);
    const key = join(signed, 'davit-release.gpg');
    await signFile(join(signed, 'SHA256SUMS'), await makeSigningKey(signed), key);
    const accepted = await from(key);
    assert.deepEqual([accepted.code, accepted.output.includes('✓ signature')], [0, true], accepted.output);
    const foreign = join(place, 'foreign');
    await mkdir(foreign);
    await writeFile(join(foreign, 'text'), '');
    await signFile(join(foreign, 'text'), await makeSigningKey(foreign), join(foreign, 'key.gpg'));
    assert.equal((await from(join(foreign, 'key.gpg'))).code, 1);
    await rm(join(signed, 'SHA256SUMS.sig'));
    assert.equal((await from(key)).code, 1);
  });

  test('needs a key, or the consent to install without a signature', async () => {
    const unsigned = settings.filter((argument) => argument !== '--unsigned');
    const { code, output } = await dryRun(['--from', join(folder, NAME), ...unsigned]);
    assert.deepEqual([code, output.includes('--unsigned'), output.includes('✓ digest')], [1, true, false], output);
  });

  test('names the program that uses a port of the proxy', async () => {
    await using server = await listening();
    const { code, output } = await install(['--http-port', String(server.port)]);
    assert.equal(code, 1);
    assert.match(output, new RegExp(`${server.port}.*process ${process.pid}.*--http-port`));
  });

  test('refuses unknown options and values that a shell would expand', async () => {
    for (const args of [
      ['--nope'],
      ['--http-port', '80a'],
      ['--domain', 'a$(id)'],
      ['--data-dir', 'relative'],
      ['--domain'],
    ])
      assert.equal((await install(args)).code, 1, args.join(' '));
  });

  test('changes the settings of Docker like the setup of the repository', async () => {
    const file = join(place, 'daemon.json');
    await writeEngineSettings(file);
    const [, printed = ''] =
      /printf '(\{.*?\})\\n' \| write_file \/etc\/docker\/daemon.json/.exec(readFileSync(INSTALLER, 'utf8')) ?? [];
    assert.deepEqual(JSON.parse(printed.replaceAll('\\n', '\n')), JSON.parse(await readFile(file, 'utf8')));
  });

  test('does nothing if the script was downloaded only partly', async () => {
    const text = readFileSync(INSTALLER, 'utf8');
    const part = join(place, 'part.sh');
    for (const share of [0.3, 0.6, 0.99]) {
      await writeFile(part, text.slice(0, text.lastIndexOf('davit_install') * share));
      const { output } = await new Promise<Outcome>((resolve) => {
        execFile('sh', [part, '--help'], (error, stdout) => resolve({ code: error ? 1 : 0, output: stdout }));
      });
      assert.equal(output, '');
    }
  });
});

function digestOf(text: string): string {
  return hash('sha256', text);
}

async function listening(): Promise<AsyncDisposable & { port: number }> {
  const server: Server = createServer();
  const port = await freePort();
  server.listen(port, '0.0.0.0');
  await once(server, 'listening');
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}
