/** The installer keeps the files of other users, other versions and interrupted runs. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { describe, test } from 'node:test';
import { selfSignedCertificate } from '../../packages/daemon/src/auth/self-signed.ts';
import { INSTALLER, Installation } from '../support/installation.ts';

const isRoot = process.getuid?.() === 0;
const FOREIGN_UID = 64_999;
const HOUR_MS = 3_600_000;

describe('an installation', { skip: isRoot ? false : 'needs root for a mount namespace' }, () => {
  test('runs the daemon as the owner of a data directory behind a symbolic link', async () => {
    await using machine = await Installation.create();
    const real = machine.path('disk');
    await machine.instance(real, Installation.UID);
    await symlink(real, machine.data);

    const { code, output } = await machine.install(await machine.release('9.9.9'));

    assert.equal(code, 0, output);
    assert.ok(output.includes(`davit-supervise davit ${machine.data} `), output);
    assert.equal((await stat(real)).uid, Installation.UID);
  });

  test('refuses a data directory whose owner has no name, and changes nothing', async () => {
    await using machine = await Installation.create();
    await machine.instance(machine.data, FOREIGN_UID);

    const { code, output } = await machine.install(await machine.release('9.9.9'));

    assert.deepEqual([code, output.includes(machine.data)], [1, true], output);
    assert.equal((await stat(machine.data)).uid, FOREIGN_UID);
    await assert.rejects(lstat(machine.path('opt/davit/9.9.9')), { code: 'ENOENT' });
  });

  test('does not print the target of a link that the daemon left as its log', async () => {
    await using machine = await Installation.create();
    const secret = machine.path('secret');
    await writeFile(secret, 'text of root', { mode: 0o600 });
    await machine.replaceProgram('sleep', 'exit 0');
    const davitd = `ln -sfn ${secret} "$DAVIT_DATA_DIR/davit.log"; exit 1`;

    const { code, output } = await machine.install(await machine.release('9.9.9', { davitd, ready: 'exit 1' }));

    assert.deepEqual([code, output.includes('text of root')], [1, false], output);
    assert.equal(await readFile(secret, 'utf8'), 'text of root');
  });

  test('refuses a version that is lower than the installed one, except with consent', async () => {
    await using machine = await Installation.create();
    const install = async (version: string, ...args: string[]) =>
      (await machine.install(await machine.release(version), args)).code;

    assert.equal(await install('2.9.0'), 0);
    for (const lower of ['2.8.10', '2.9.0-rc.1', '1.10.0']) assert.equal(await install(lower), 1, lower);
    for (const other of ['2.9.0', '2.10.0-rc.1', '2.10.0']) assert.equal(await install(other), 0, other);
    assert.equal(await install('2.9.0', '--allow-older'), 0);
    assert.equal(await readFile(machine.path('opt/davit/current/VERSION'), 'utf8'), '2.9.0\n');
  });

  for (const signal of ['TERM', 'KILL']) {
    test(`keeps the installed version if SIG${signal} interrupts its replacement`, async () => {
      await using machine = await Installation.create();
      const archive = await machine.release('9.9.9');
      const version = machine.path('opt/davit/current/VERSION');
      assert.equal((await machine.install(archive)).code, 0);
      const installed = await stat(version);
      // The second move of a replacement puts the new folder in place.
      const script = `case $1 in */.install-*) kill -${signal} $PPID; exit 0 ;; esac\nexec /bin/mv "$@"`;
      await machine.replaceProgram('mv', script);

      assert.ok((await machine.install(archive)).code > 128);
      await machine.restoreProgram('mv');
      // After SIGKILL, the next run repairs the installation, even if this run fails.
      if (signal === 'KILL') assert.equal((await machine.install(await damaged(machine))).code, 1);

      assert.equal((await stat(version)).ino, installed.ino);
      assert.equal((await machine.install(archive)).code, 0);
      assert.notEqual((await stat(version)).ino, installed.ino);
      assert.deepEqual((await readdir(machine.path('opt/davit'))).sort(), ['9.9.9', 'current']);
    });
  }

  test('names the processes of a daemon that does not stop', async () => {
    await using machine = await Installation.create();
    await machine.replaceProgram('sleep', 'exec /bin/sleep 0.01');
    const davitd = `trap '' TERM\ntouch "$DAVIT_DATA_DIR/started"\nexec tail -f /dev/null`;
    const archive = await machine.release('9.9.9', { davitd, ready: '[ -e "$2/started" ]' });

    const { code, output } = await machine.run(['sh', '-c', '"$@" && "$@"', 'sh', ...machine.command(archive)]);

    assert.equal(code, 1, output);
    assert.match(output, /"kill -KILL \d+ \d+"/);
  });

  test('refuses values in the file of the settings that it cannot use', async () => {
    await using machine = await Installation.create();
    const archive = await machine.release('9.9.9');
    await mkdir(machine.path('etc/davit'));
    for (const line of [
      'DAVIT_DATA_DIR="/srv/davit"',
      'DAVIT_DATA_DIR=srv/davit',
      "DAVIT_HTTP_PORT='8080'",
      'DAVIT_HTTPS_PORT=70000',
      '  DAVIT_ENGINE=simulated',
    ]) {
      await writeFile(machine.path('etc/davit/davit.env'), `${line}\n`);
      const command = ['sh', INSTALLER, '--from', archive, '--unsigned', '--dry-run'];
      const { code, output } = await machine.run(command);
      const [name = ''] = line.trim().split('=');
      assert.equal(code, 1, line);
      assert.ok(output.includes(`${name} in /etc/davit/davit.env`), output);
    }
  });

  test('keeps the last line of the settings if it has no line end', async () => {
    await using machine = await Installation.create();
    await mkdir(machine.path('etc/davit'));
    const file = machine.path('etc/davit/davit.env');
    await writeFile(file, 'DAVIT_DOMAIN=example.org');

    const { code, output } = await machine.install(await machine.release('9.9.9'));

    assert.equal(code, 0, output);
    const lines = (await readFile(file, 'utf8')).split('\n');
    for (const line of ['DAVIT_DOMAIN=example.org', 'DAVIT_ENGINE=memory', `DAVIT_DATA_DIR=${machine.data}`])
      assert.ok(lines.includes(line), `${line}: ${lines}`);
  });

  test('does not follow a redirect from HTTPS to HTTP', async () => {
    await using machine = await Installation.create();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const life = { notBefore: Date.now() - HOUR_MS, notAfter: Date.now() + HOUR_MS };
    const cert = selfSignedCertificate(privateKey, { name: 'localhost', ...life });
    await writeFile(machine.path('trusted.pem'), cert);
    const requests: string[] = [];
    await using plain = await listening(
      createServer((request, response) => {
        requests.push(`http ${request.url}`);
        response.end();
      }),
    );
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    await using encrypted = await listening(
      createSecureServer({ key, cert }, (request, response) => {
        requests.push(`https ${request.url}`);
        response.writeHead(302, { location: `http://127.0.0.1:${plain.port}${request.url}` }).end();
      }),
    );
    const env = { CURL_CA_BUNDLE: machine.path('trusted.pem') };

    const { code, output } = await machine.install(`https://localhost:${encrypted.port}/`, ['--version', '9.9.9'], env);

    assert.deepEqual([code, requests], [1, ['https /SHA256SUMS']], output);
  });
});

/** Writes a release with a wrong digest. @returns path of its archive */
async function damaged(machine: Installation): Promise<string> {
  const archive = await machine.release('9.9.10');
  await appendFile(archive, 'more');
  return archive;
}

async function listening(server: Server): Promise<AsyncDisposable & { port: number }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}
