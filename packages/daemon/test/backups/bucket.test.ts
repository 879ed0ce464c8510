/** Backups in a bucket: guarantees of the destination, tested with an object store in a separate process. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { bootDaemon, database, project, type TestDaemon, user } from '@davit/testkit';
import { type S3Server, startS3Server, type Trouble } from '../../../../test/support/s3-server.ts';
import {
  DestinationMissing,
  DestinationRefused,
  DestinationUnavailable,
} from '../../src/resources/backups/destination.ts';
import { StoreDestination } from '../../src/resources/backups/store-destination.ts';
import { PART_BYTES } from '../../src/resources/object-stores/upload.ts';

describe('backups in a bucket', () => {
  let daemon: TestDaemon;
  let s3: S3Server;
  let destination: StoreDestination;
  const { signal } = new AbortController();
  before(async () => {
    [daemon, s3] = await Promise.all([bootDaemon(), startS3Server()]);
    const keys = { access_key: s3.accessKey, secret_key: s3.secretKey };
    const store = { name: 'offsite', provider: 'generic', endpoint: s3.url, region: s3.region, ...keys };
    assert.equal((await daemon.call('POST', '/api/object-stores', store)).status, 201);
    assert.equal((await daemon.call('POST', '/api/object-stores/offsite/buckets', { name: 'dumps' })).status, 201);
    destination = at();
  });
  afterEach(() => {
    s3.trouble = undefined;
  });
  after(async () => {
    await daemon[Symbol.asyncDispose]();
    await s3[Symbol.asyncDispose]();
  });

  const at = (bucket = 'dumps', store = 'offsite') =>
    new StoreDestination(daemon.core, { kind: 'object_store', object_store: store, bucket, prefix: '' });
  const keysOf = async (of: StoreDestination, prefix = '') =>
    (await Array.fromAsync(of.list(prefix, signal))).map(({ key }) => key);

  it('are stored completely and can be listed, read and deleted', async () => {
    const bytes = randomBytes(300_000);
    assert.equal(await destination.put('shop/1.davit', chunksOf(bytes), signal), bytes.length);

    assert.deepEqual(Buffer.concat(await Array.fromAsync(await destination.get('shop/1.davit', signal))), bytes);
    assert.deepEqual(await Array.fromAsync(destination.list('shop/', signal)), [
      { key: 'shop/1.davit', sizeBytes: bytes.length },
    ]);
    assert.deepEqual(await keysOf(destination, 'other/'), []);
    await destination.delete('shop/1.davit');
    await destination.delete('shop/1.davit');
    await assert.rejects(destination.get('shop/1.davit', signal), DestinationMissing);
  });

  it('leave no data if their source fails during the upload', async () => {
    async function* source() {
      yield Buffer.alloc(PART_BYTES + 1);
      throw new Error('the database went away');
    }
    await assert.rejects(destination.put('broken', source(), signal), /the database went away/);
    assert.deepEqual(await keysOf(destination), []);
    assert.deepEqual(await s3.openUploads('dumps'), []);
  });

  it('are all listed in the order of their keys', async () => {
    const keys = Array.from({ length: 23 }, (_, i) => `many/${String(i).padStart(2, '0')}`);
    for (const key of keys) await destination.put(key, chunksOf(Buffer.from(key)), signal);
    assert.deepEqual(await keysOf(destination, 'many/'), keys);
    for (const key of keys) await destination.delete(key);
  });

  it('distinguish unavailable, refusing and missing destinations', async () => {
    s3.trouble = () => ({ status: 503, code: 'SlowDown' });
    await assert.rejects(destination.get('x', signal), DestinationUnavailable);
    s3.trouble = () => ({ status: 403, code: 'AccessDenied' });
    await assert.rejects(destination.put('x', chunksOf(Buffer.from('x')), signal), DestinationRefused);
    s3.trouble = undefined;
    await assert.rejects(at('nowhere').get('x', signal), DestinationMissing);
    // A backup counts as removed if its bucket no longer exists.
    await at('nowhere').delete('x');
    await assert.rejects(at('dumps', 'gone').get('x', signal), DestinationRefused);
  });

  it('report store problems without the address of an instance-wide store', async () => {
    const { host } = new URL(s3.url);
    const put = () => destination.put('x', chunksOf(Buffer.from('x')), signal);
    const cases: [Trouble, RegExp][] = [
      [{ status: 503, code: 'SlowDown' }, /object store offsite cannot be reached/],
      [{ status: 403, code: 'AccessDenied' }, /object store offsite refuses the access keys/],
      [{ status: 404, code: 'NoSuchBucket' }, /object store offsite does not have the bucket/],
      [{ status: 507, code: 'InsufficientStorage' }, /object store offsite is full/],
      ['cut', /object store offsite cannot be reached/],
    ];
    for (const [trouble, words] of cases) {
      s3.trouble = () => trouble;
      const problem: unknown = await put().catch((error: unknown) => error);
      assert.ok(problem instanceof Error);
      assert.match(problem.message, words);
      assert.ok(!problem.message.includes(host), problem.message);
    }
    assert.ok(daemon.log.lines.some((line) => line.includes(host)));
  });

  it('do not reveal host names of the private network', async () => {
    const alpha = await project(daemon);
    const admin = user(daemon, 'admin', [alpha]).key;
    const keys = { access_key: s3.accessKey, secret_key: s3.secretKey };
    const store = {
      name: 'limited',
      provider: 'generic',
      endpoint: s3.url,
      region: s3.region,
      project: alpha,
      ...keys,
    };
    await daemon.call('POST', '/api/object-stores', store);
    await daemon.call('POST', '/api/object-stores/limited/buckets', { name: 'limited' });
    const { reference } = await database(daemon, { engine: 'postgres', project: alpha });
    const backups = `/api/databases/${reference}/backups`;
    const input = { destination: { kind: 'object_store', object_store: 'limited', bucket: 'limited' } };
    const taken = await daemon.call('POST', `${backups}?wait=true`, input, admin);
    assert.equal(JSON.parse(taken.text).status, 'succeeded', taken.text);
    const [backup] = JSON.parse((await daemon.call('GET', backups, undefined, admin)).text) as { id: number }[];
    const read = async (host: string) => {
      const patch = { endpoint: `http://${host}` };
      assert.equal((await daemon.call('PATCH', '/api/object-stores/limited?check=false', patch, admin)).status, 200);
      const { status, text } = await daemon.call('GET', `/api/backups/${backup?.id}/download`, undefined, admin);
      const verified = await daemon.call('POST', `/api/backups/${backup?.id}/verify?wait=true`, undefined, admin);
      const { error } = JSON.parse(verified.text) as { error: unknown };
      const after = await daemon.call('GET', `/api/backups/${backup?.id}`, undefined, admin);
      return { status, text, error, verification: JSON.parse(after.text).verified };
    };

    const closed = await read('localhost');

    assert.equal(closed.status, 503);
    assert.deepEqual(await read('no-such.invalid'), closed);
  });

  it('fail with an error if a read is cut off', async () => {
    await destination.put('half', chunksOf(randomBytes(200_000)), signal);
    s3.trouble = ({ method }) => (method === 'GET' ? 'half' : undefined);
    const read = await destination.get('half', signal);
    await assert.rejects(Array.fromAsync(read), DestinationUnavailable);
  });

  it('use the current keys of the object store', async () => {
    const path = '/api/object-stores/offsite?check=false';
    await daemon.call('PATCH', path, { secret_key: 'canary-other-key' });
    await assert.rejects(destination.get('half', signal), (error: Error) => {
      assert.ok(error instanceof DestinationRefused);
      assert.doesNotMatch(error.message, /canary/);
      return true;
    });
    await daemon.call('PATCH', path, { secret_key: s3.secretKey, bucket: 'another-one' });
    await assert.rejects(destination.get('half', signal), DestinationRefused);
    await daemon.call('PATCH', path, { bucket: null });
  });

  it('abort the upload if the caller cancels', async () => {
    const abort = new AbortController();
    async function* endless() {
      for (;;) {
        yield Buffer.alloc(1_000_000);
        if (s3.asked.some(({ url }) => url.includes('partNumber=1'))) abort.abort(new Error('cancelled'));
      }
    }
    await assert.rejects(destination.put('endless', endless(), abort.signal), /cancelled/);
    assert.deepEqual(await s3.openUploads('dumps'), []);
  });
});

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 64_000) yield bytes.subarray(from, from + 64_000);
}
