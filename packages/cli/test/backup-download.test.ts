/** Tests that a backup download saves either the complete backup or no file. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { project, slug } from '@davit/testkit';
import { type Setup, withDavit } from './support/davit.ts';

const wait = { wait: 'true' } as const;

async function backup({ daemon }: Setup): Promise<{ id: string; dump: Buffer }> {
  const params = { project: await project(daemon), environment: 'production', database: slug('db') };
  const { database: name, ...location } = params;
  await daemon.client.createDatabase({ query: wait, body: { ...location, name, engine: 'postgres' } });
  await daemon.client.backUpDatabase({ params, query: wait });
  const [made] = await daemon.client.listDatabaseBackups({ params });
  const id = String(made?.id);
  const body = await daemon.client.downloadBackup({ params: { backup: id } });
  return { id, dump: Buffer.from(await new Response(body).arrayBuffer()) };
}

/** Returns a `fetch` function that responds to every request with a download with this body and file name. */
function answering(body: ConstructorParameters<typeof Response>[0], name = 'db.pgdump'): typeof globalThis.fetch {
  const headers = { 'davit-version': '0', 'content-type': 'application/octet-stream' };
  return async () =>
    new Response(body, { headers: { ...headers, 'content-disposition': `attachment; filename="${name}"` } });
}

/** Returns a response body that sends some bytes and then calls `break_` instead of continuing. */
function brokenOff(
  break_: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
): ReadableStream<Uint8Array> {
  let isBegun = false;
  return new ReadableStream({
    pull(controller) {
      if (isBegun) return break_(controller);
      isBegun = true;
      controller.enqueue(Buffer.from('the first half'));
    },
  });
}

describe('davit backup download', () => {
  const on = withDavit();

  async function folder(): Promise<{ cwd: string; path: string }> {
    const cwd = slug('f');
    const path = join(on.davit.folder, cwd);
    await mkdir(path);
    return { cwd, path };
  }

  test('saves the dump from the API in a private file', async () => {
    const { cwd, path } = await folder();
    const { id, dump } = await backup(on);
    const { code, stdout, stderr } = await on.davit.run(['backup', 'download', id, '--json'], { cwd });

    assert.equal(code, 0, stderr);
    const { file, size_bytes } = JSON.parse(stdout);
    assert.deepEqual(await readdir(path), [file.slice(path.length + 1)], 'and no other file');
    assert.match(file, /\.pgdump$/);
    assert.ok(dump.equals(await readFile(file)));
    assert.equal(size_bytes, dump.length);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('writes the dump to stdout if the target is a dash', async () => {
    const { id, dump } = await backup(on);
    const { code, stdout } = await on.davit.run(['backup', 'download', id, '-']);
    assert.deepEqual([code, stdout], [0, dump.toString()]);
  });

  test('replaces an existing file only with --force', async () => {
    const { cwd, path } = await folder();
    await on.davit.write(join(cwd, 'mine'), 'what I had');
    const requests: string[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      requests.push(String(url));
      return answering('a dump')(url, init);
    };
    const refused = await on.davit.run(['backup', 'download', '1', 'mine'], { cwd, fetch });
    assert.deepEqual([refused.code, requests, await readFile(join(path, 'mine'), 'utf8')], [6, [], 'what I had']);
    assert.match(refused.stderr, /mine already exists\. .* --force/);

    const replaced = await on.davit.run(['backup', 'download', '1', 'mine', '--force'], { cwd, fetch });
    assert.deepEqual([replaced.code, await readFile(join(path, 'mine'), 'utf8')], [0, 'a dump']);
  });

  test('leaves no partial file after an interrupted download and keeps the old file', async () => {
    const { cwd, path } = await folder();
    await on.davit.write(join(cwd, 'old'), 'whole');
    const fetch = () => answering(brokenOff((controller) => controller.error(new Error('terminated'))));
    for (const args of [[], ['old', '--force']]) {
      const { code, stderr } = await on.davit.run(['backup', 'download', '1', ...args], { cwd, fetch: fetch() });
      assert.equal(code, 1);
      assert.match(stderr, /The download was interrupted\. .* Try again/);
    }
    assert.deepEqual([await readdir(path), await readFile(join(path, 'old'), 'utf8')], [['old'], 'whole']);
  });

  test('leaves no partial file if the user interrupts the download', async () => {
    const { cwd, path } = await folder();
    const left = new AbortController();
    const fetch = answering(brokenOff(() => left.abort()));
    const { code } = await on.davit.run(['backup', 'download', '1'], { cwd, fetch, signal: left.signal });
    assert.deepEqual([code, await readdir(path)], [130, []]);
  });

  test('reports the reason if the file cannot be written', async () => {
    const { code, stderr } = await on.davit.run(['backup', 'download', '1', 'no/such/folder'], {
      fetch: answering('a dump'),
    });
    assert.equal(code, 1);
    assert.match(stderr, /cannot be written: .*ENOENT/);
  });

  test('does not accept a path as the file name from the instance', async () => {
    for (const name of ['../../up', '/etc/passwd', '.bashrc', '-rf', 'a b', '']) {
      const { cwd, path } = await folder();
      await on.davit.run(['backup', 'download', '7'], { cwd, fetch: answering('a dump', name) });
      assert.deepEqual(await readdir(path), ['backup-7.dump'], name);
    }
  });
});
