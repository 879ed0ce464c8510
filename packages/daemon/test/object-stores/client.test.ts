/** The client of object stores, with an object store in a separate process that verifies every signature. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, type Server } from 'node:net';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { isPublicAddress } from '@davit/service';
import { type S3Server, startS3Server } from '../../../../test/support/s3-server.ts';
import { lookupOf } from '../../src/resources/object-stores/address.ts';
import type { StoreConnection } from '../../src/resources/object-stores/client.ts';
import { StoreProblem, type StoreProblemKind } from '../../src/resources/object-stores/problem.ts';
import { S3ObjectClient } from '../../src/resources/object-stores/s3-client.ts';
import { PATIENCE, type Patience } from '../../src/resources/object-stores/s3-config.ts';
import { makeCertificate } from '../support/make-certificate.ts';

const BUCKET = 'pictures';
/** Size of a part, smaller than in production, so that small objects have several parts. */
const PART_BYTES = 256 * 1024;
/** Timeouts that are shorter than in production. */
const HASTY: Patience = { connectMs: 2_000, idleMs: 300, attempts: 1 };

describe('the S3 client', () => {
  let store: S3Server;
  let client: S3ObjectClient;
  before(async () => {
    store = await startS3Server();
    client = new S3ObjectClient(storeLocationOf(), PATIENCE, PART_BYTES);
    await client.createBucket(BUCKET);
  });
  afterEach(() => {
    store.trouble = undefined;
    store.clockMs = 0;
    store.asked.length = 0;
  });
  after(async () => {
    client[Symbol.dispose]();
    await store[Symbol.asyncDispose]();
  });

  const storeLocationOf = (change: Partial<StoreConnection> = {}): StoreConnection => ({
    endpoint: store.url,
    region: store.region,
    pathStyle: true,
    accessKey: store.accessKey,
    secretKey: store.secretKey,
    limit: null,
    isOpen: isPublicAddress,
    ...change,
  });
  /** Sends a request with changed settings. */
  const requestWith = async (
    change: Partial<StoreConnection>,
    work = (c: S3ObjectClient) => c.listBuckets() as Promise<unknown>,
  ) => {
    using other = new S3ObjectClient(storeLocationOf(change), HASTY);
    return await work(other);
  };

  it('creates, lists and deletes buckets', async () => {
    await client.createBucket('another');

    assert.deepEqual(
      (await client.listBuckets()).map(({ name }) => name),
      ['another', BUCKET],
    );
    await client.lookAtBucket('another');
    await client.deleteBucket('another');
    await assert.rejects(client.lookAtBucket('another'), problem('missing', /The bucket “another” does not exist/));
  });

  it('looks up a hostname once, whether unknown or with a private address', async () => {
    const names: string[] = [];
    const lookup = mock.method(
      dns,
      'lookup',
      (name: string, _: object, done: (e: Error | null, found?: object[]) => void) => {
        names.push(name);
        if (name === 'closed.test') return process.nextTick(done, null, [{ address: '10.0.0.1', family: 4 }]);
        const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
          code: 'ENOTFOUND',
          syscall: 'getaddrinfo',
        });
        return process.nextTick(done, error);
      },
    );
    syncBuiltinESMExports();
    try {
      for (const host of ['closed.test', 'unknown.test']) {
        using limited = new S3ObjectClient(storeLocationOf({ endpoint: `http://${host}`, limit: () => false }));
        await assert.rejects(
          limited.listBuckets(),
          problem('forbidden', /cannot be resolved, or its address is private/),
        );
      }
    } finally {
      lookup.mock.restore();
      syncBuiltinESMExports();
    }

    assert.deepEqual(names, ['closed.test', 'unknown.test']);
  });

  it('uses the hostname of a bucket only at the endpoint’s or a public address', async () => {
    const addresses: Record<string, string> = {
      'store.test': '10.0.0.5',
      'media.store.test': '10.0.0.5',
      'inner.store.test': '127.0.0.1',
      'open.store.test': '93.184.215.14',
    };
    const resolved = mock.method(
      dns,
      'lookup',
      (name: string, _: object, done: (e: null, found: { address: string; family: number }[]) => void) =>
        process.nextTick(done, null, [{ address: addresses[name] ?? '', family: 4 }]),
    );
    syncBuiltinESMExports();
    const find = (host: string) =>
      new Promise<unknown>((done, fail) => {
        const lookup = lookupOf({ endpoint: 'http://store.test', limit: null, isOpen: isPublicAddress });
        lookup(host, { all: true }, (error, found) => (error ? fail(error) : done(found)));
      });
    try {
      for (const host of ['store.test', 'media.store.test', 'open.store.test'])
        assert.deepEqual(await find(host), [{ address: addresses[host], family: 4 }]);
      await assert.rejects(find('inner.store.test'), problem('refused', /has a private address that differs/));
      // The client resolves the host names of its requests by the same rule.
      using other = new S3ObjectClient(storeLocationOf({ endpoint: 'http://store.test', pathStyle: false }), HASTY);
      await assert.rejects(other.lookAtBucket('inner'), problem('refused', /inner\.store\.test has a private address/));
    } finally {
      resolved.mock.restore();
      syncBuiltinESMExports();
    }
  });

  it('does not delete a bucket that contains objects', async () => {
    await client.put(BUCKET, 'here', bytesOf('x'));
    await assert.rejects(client.deleteBucket(BUCKET), problem('conflict', /“pictures” is not empty/));
    await client.delete(BUCKET, 'here');
  });

  const ODD = [
    ...[
      'a.txt',
      'with space & + % ü/é',
      "quote's “x”",
      '日本/語.txt',
      'a=b?c#d',
      '+ %2B%',
      'a%2Fb',
      '%2e%2e/x',
      'a/ /b',
    ],
    ...[
      "~!*'()[]{}|\\^`<>@,;:$&",
      'tab\there',
      'line\nbreak',
      '\u0001',
      '\u202e',
      'e\u0301',
      '😀',
      `${'é'.repeat(63)}/`.repeat(8),
    ],
  ];
  for (const key of ODD) {
    it(`stores, returns, lists and deletes an object with the key ${JSON.stringify(key.slice(0, 30))}`, async () => {
      assert.equal(await client.put(BUCKET, key, bytesOf(`text of ${key}`)), Buffer.byteLength(`text of ${key}`));

      const { body } = await client.get(BUCKET, key);
      assert.equal((await all(body)).toString(), `text of ${key}`);
      assert.equal(await (await fetch(await client.presign('GET', BUCKET, key, 60))).text(), `text of ${key}`);
      const { items } = await client.list(BUCKET, { prefix: key, limit: 10 });
      assert.deepEqual(
        items.map((item) => item.key),
        [key],
      );
      await client.delete(BUCKET, key);
      await assert.rejects(client.get(BUCKET, key), problem('missing', /The object .* does not exist/s));
    });
  }

  it('stores and returns an empty object', async () => {
    assert.equal(await client.put(BUCKET, 'empty', bytesOf()), 0);
    assert.equal((await all((await client.get(BUCKET, 'empty')).body)).length, 0);
  });

  it('uploads a large object in parts with limited buffering', async () => {
    const size = 3 * PART_BYTES + 4_321;
    const sent = createHash('sha256');
    let mostAhead = 0;
    let given = 0;
    async function* source() {
      const chunk = Buffer.alloc(100_003);
      for (let left = size; left > 0; left -= chunk.length) {
        const piece = chunk.subarray(0, Math.min(left, chunk.length)).fill(left % 251);
        sent.update(piece);
        given += piece.length;
        const taken = store.asked.reduce((sum, { bytes }) => sum + bytes, 0);
        mostAhead = Math.max(mostAhead, given - taken);
        yield piece;
      }
    }

    assert.equal(await client.put(BUCKET, 'large', source()), size);

    const parts = store.asked.filter(({ url }) => url.includes('partNumber='));
    assert.deepEqual(
      parts.map(({ bytes }) => bytes),
      [PART_BYTES, PART_BYTES, PART_BYTES, 4_321],
    );
    assert.ok(mostAhead <= 2 * PART_BYTES + 200_000, `${mostAhead} bytes were read ahead of the store`);
    const got = createHash('sha256');
    for await (const chunk of (await client.get(BUCKET, 'large')).body) got.update(chunk);
    assert.equal(got.digest('hex'), sent.digest('hex'));
    assert.deepEqual(await store.openUploads(BUCKET), []);
  });

  it('aborts a multipart upload if its source fails', async () => {
    async function* source() {
      yield Buffer.alloc(PART_BYTES + 1);
      throw new Error('the dump broke off');
    }
    await assert.rejects(client.put(BUCKET, 'broken', source()), /the dump broke off/);

    assert.deepEqual(await store.openUploads(BUCKET), []);
    await assert.rejects(client.get(BUCKET, 'broken'), problem('missing', /The object .* does not exist/s));
  });

  it('aborts a multipart upload if the store refuses a part', async () => {
    store.trouble = ({ url }) => (url.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : undefined);
    await assert.rejects(
      client.put(BUCKET, 'broken', zeros(3 * PART_BYTES)),
      problem('refused', /no permission to write objects/),
    );
    assert.deepEqual(await store.openUploads(BUCKET), []);
  });

  it('aborts a multipart upload if the caller cancels the upload', async () => {
    const abort = new AbortController();
    store.trouble = ({ url }) => {
      if (url.includes('partNumber=2')) abort.abort(new Error('the upload is canceled'));
      return undefined;
    };
    await assert.rejects(client.put(BUCKET, 'aborted', zeros(3 * PART_BYTES), abort.signal), /the upload is canceled/);
    assert.deepEqual(await store.openUploads(BUCKET), []);
  });

  it('lists objects by folder and in pages', async () => {
    for (const key of ['f/1', 'f/2', 'f/deep/3', 'g/4', 'top']) await client.put(BUCKET, key, bytesOf(key));

    const roots = await client.list(BUCKET, { delimiter: '/', limit: 100 });
    assert.deepEqual(
      roots.items.map(({ kind, key }) => `${kind} ${key}`).filter((one) => !/large|empty/.test(one)),
      ['folder f/', 'folder g/', 'object top'],
    );
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, next } = await client.list(BUCKET, { prefix: 'f/', limit: 2, cursor });
      keys.push(...items.map(({ key }) => key));
      cursor = next ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(keys, ['f/1', 'f/2', 'f/deep/3']);
  });

  it('creates presigned URLs that work without credentials until they expire', async () => {
    const up = await client.presign('PUT', BUCKET, 'signed/ü x', 60);
    assert.equal((await fetch(up, { method: 'PUT', body: 'from outside' })).status, 200);
    const down = await client.presign('GET', BUCKET, 'signed/ü x', 60);
    assert.equal(await (await fetch(down)).text(), 'from outside');
    assert.ok(!down.includes(store.secretKey));
    // A page that a user has uploaded must not run as a page of the store.
    assert.equal(new URL(down).searchParams.get('response-content-disposition'), 'attachment');
    const page = await fetch(up, { method: 'PUT', body: '<script>', headers: { 'content-type': 'text/html' } });
    assert.equal(page.status, 200);
    assert.equal((await fetch(down)).headers.get('content-disposition'), 'attachment');

    const other = await fetch(down.replace('signed', 'sealed'));
    assert.equal(other.status, 403);
    assert.equal((await fetch(down, { method: 'DELETE' })).status, 403);
    store.clockMs = 61_000;
    assert.equal((await fetch(down)).status, 403);
  });

  describe('error messages', () => {
    const cases: [string, Partial<StoreConnection>, StoreProblemKind, RegExp][] = [
      ['report an unknown access key', { accessKey: 'AKIANOBODY' }, 'refused', /does not know this access key/],
      ['report a wrong secret key', { secretKey: 'canary-wrong-3f' }, 'refused', /secret key does not belong to/],
      ['report a wrong region', { region: 'us-east-1' }, 'refused', /does not accept the region “us-east-1”/],
      [
        'report a refused connection',
        { endpoint: 'http://127.0.0.1:9' },
        'unreachable',
        /127.0.0.1:9 refuses connections/,
      ],
      ['report an unresolvable host name', { endpoint: 'http://store.invalid' }, 'unreachable', /cannot be resolved/],
      ['report a server without TLS', { endpoint: 'https://127.0.0.1:0' }, 'unreachable', /TLS connection .* failed/],
    ];
    for (const [what, change, kind, words] of cases) {
      it(what, async () => {
        const changed = change.endpoint?.startsWith('https')
          ? { endpoint: store.url.replace('http:', 'https:') }
          : change;
        await assert.rejects(requestWith(changed), problem(kind, words));
      });
    }

    it('report a clock difference between the store and the server', async () => {
      store.clockMs = 16 * 60_000;
      await assert.rejects(requestWith({}), problem('refused', /clocks .* differ too much/));
    });

    it('report a redirect, and the client does not follow the redirect', async () => {
      await using other = await startS3Server();
      for (const status of [301, 307]) {
        store.trouble = () => ({ status, code: 'PermanentRedirect', headers: { location: `${other.url}/` } });
        await assert.rejects(requestWith({}), problem('refused', /does not follow redirects/));
      }
      assert.deepEqual(other.asked, []);
    });

    it('report a refusal without the text of the store’s response', async () => {
      store.trouble = () => ({ status: 418, code: 'canary-banner' });
      await assert.rejects(requestWith({}), (error) => {
        assert.ok(error instanceof StoreProblem);
        assert.equal(
          error.message,
          `${new URL(store.url).host} refused to list buckets. The log of the instance contains its response.`,
        );
        assert.deepEqual(error.answered, { code: 'canary-banner', status: 418 });
        return true;
      });
    });

    it('report a temporarily unavailable store', async () => {
      store.trouble = () => ({ status: 503, code: 'SlowDown' });
      await assert.rejects(requestWith({}), problem('unreachable', /is temporarily unavailable\. Try/));
    });

    it('report a connection that the store closed', async () => {
      store.trouble = () => 'cut';
      await assert.rejects(requestWith({}), problem('unreachable', /closed the connection/));
    });

    it('report a store that does not respond in time', async () => {
      store.trouble = () => 'silence';
      await assert.rejects(requestWith({}), problem('unreachable', /did not respond in time/));
    });

    it('report a connection that closed during the download of an object', async () => {
      await client.put(BUCKET, 'half', zeros(100_000));
      store.trouble = () => 'half';
      const read = async (other: S3ObjectClient) => all((await other.get(BUCKET, 'half')).body);
      await assert.rejects(requestWith({}, read), problem('unreachable', /closed the connection|of 100000 bytes/));
    });

    it('report an untrusted certificate or a certificate for another name', async () => {
      for (const [names, words] of [
        [['127.0.0.1'], /not signed by a certificate authority that this server trusts/],
        [['store.example.com'], /not signed by a certificate authority|is for another name/],
      ] as const) {
        const { certificate: cert, key } = await makeCertificate([...names]);
        await using server = await tlsServer({ cert, key });
        await assert.rejects(requestWith({ endpoint: server.url }), problem('unreachable', words));
      }
    });

    it('report a server that is not an object store', async () => {
      await using server = await rawServer('SSH-2.0-OpenSSH_9.2\r\n');
      await assert.rejects(requestWith({ endpoint: server.url }), problem('unreachable', /does not use HTTP/));
      await using page = await rawServer('HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<p>a page</p>');
      const answer = requestWith({ endpoint: page.url });
      await answer.then(
        (found) => assert.deepEqual(found, []),
        (error) => problem('unreachable', /does not respond like an object store/)(error),
      );
    });
  });

  it('retries a request automatically after a temporary error', async () => {
    let refused = 0;
    store.trouble = () => (refused++ < 2 ? { status: 503, code: 'SlowDown' } : undefined);
    assert.ok((await client.listBuckets()).length > 0);
    assert.equal(refused, 3);
  });

  it('refuses endpoints with link-local or cloud metadata addresses', () => {
    for (const endpoint of [
      'http://169.254.169.254',
      'http://[fd00:ec2::254]',
      'http://[::ffff:169.254.169.254]',
      'http://100.100.100.200',
      'http://0.0.0.0',
      'http://[fe80::1]:9000',
      'http://2852039166',
    ]) {
      assert.throws(
        () => new S3ObjectClient(storeLocationOf({ endpoint })),
        problem('refused', /to which Davit does not connect/),
        endpoint,
      );
    }
  });
});

function problem(kind: StoreProblemKind, words: RegExp) {
  return (error: unknown): true => {
    assert.ok(error instanceof StoreProblem, String(error));
    assert.match(error.message, words);
    assert.equal(error.kind, kind);
    const details = JSON.stringify(error, Object.getOwnPropertyNames(error)) + error.stack;
    assert.doesNotMatch(details, /canary|Signature=|AWS4/);
    assert.equal(error.cause, undefined);
    return true;
  };
}

async function* bytesOf(text?: string): AsyncGenerator<Uint8Array> {
  if (text !== undefined) yield Buffer.from(text);
}

async function* zeros(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= 100_000) yield Buffer.alloc(Math.min(left, 100_000));
}

async function all(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(body));
}

function tlsServer(pair: { cert: string; key: string }): Promise<AsyncDisposable & { url: string }> {
  return listening(
    createTlsServer(pair, (socket) => socket.end()),
    'https',
  );
}

async function rawServer(says: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(says, () => socket.destroy()));
  });
  return listening(server, 'http');
}

async function listening(server: Server, scheme: string): Promise<AsyncDisposable & { url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
