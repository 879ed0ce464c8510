/** Linked object stores, with an object store in a separate process. */
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import type { Bucket, ObjectEntry, ObjectStore, ObjectStoreCheck, PresignedObject } from '@davit/api';
import { app, bootDaemon, project, type TestDaemon, user } from '@davit/testkit';
import { type S3Server, startS3Server } from '../../../../test/support/s3-server.ts';
import { unchecked } from '../../src/db/select.ts';
import { insertAttachment } from '../../src/db/tables/attachment.ts';
import { storeByName } from '../../src/db/tables/object-store.ts';
import { insertProject, markProjectDeleted, projectBySlug } from '../../src/db/tables/project.ts';

/** Endpoint that is never connected to, because stores with it are linked without a check. */
const PUBLIC = { endpoint: 'https://s3.example.com' };

describe('linked object stores', () => {
  let daemon: TestDaemon;
  let s3: S3Server;
  before(async () => {
    [daemon, s3] = await Promise.all([bootDaemon(), startS3Server()]);
  });
  afterEach(async () => {
    s3.trouble = undefined;
    for (const { name } of await list()) await daemon.call('DELETE', `/api/object-stores/${name}?confirm=${name}`);
  });
  after(async () => {
    await daemon[Symbol.asyncDispose]();
    await s3[Symbol.asyncDispose]();
  });

  const list = async (key?: string) => read<ObjectStore[]>('GET', '/api/object-stores', undefined, key);
  const linkOf = (fields: object = {}) => ({
    name: 'offsite',
    provider: 'generic',
    endpoint: s3.url,
    region: s3.region,
    access_key: s3.accessKey,
    secret_key: s3.secretKey,
    ...fields,
  });
  const link = (fields: object = {}, query = '', key?: string) =>
    daemon.call('POST', `/api/object-stores${query}`, linkOf(fields), key);
  const linked = async (fields: object = {}): Promise<ObjectStore> => {
    const { status, text } = await link(fields);
    assert.equal(status, 201, text);
    return JSON.parse(text) as ObjectStore;
  };
  async function read<T>(method: string, path: string, body?: object, key?: string): Promise<T> {
    const { status, text } = await daemon.call(method, path, body, key);
    assert.equal(status < 300, true, `${method} ${path}: ${status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const refused = async (method: string, path: string, body: object | undefined, status: number, words: RegExp) => {
    const answer = await daemon.call(method, path, body);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, words);
    assert.doesNotMatch(answer.text, /canary/);
  };

  it('are created if the credentials work, and the response contains no keys', async () => {
    const { status, headers, text } = await link({ description: 'Off the machine' });

    assert.equal(status, 201, text);
    assert.equal(headers.get('location'), '/api/object-stores/offsite');
    const store = JSON.parse(text) as ObjectStore;
    assert.deepEqual(await read('GET', '/api/object-stores/offsite'), store);
    assert.deepEqual(await list(), [store]);
    assert.equal(store.status, 'linked');
    assert.equal(store.endpoint, s3.url);
    assert.equal(typeof store.checked_at, 'string');
    assert.ok(!text.includes(s3.secretKey) && !text.includes(s3.accessKey));
  });

  it('are not linked to a project that is deleted during the check', async () => {
    const soon = await project(daemon);
    const { store, now } = daemon.core;
    s3.trouble = () => {
      const row = projectBySlug(store, soon);
      if (row !== undefined) store.tx((tx) => markProjectDeleted(tx, row, now()));
      store.tx((tx) => insertProject(tx, soon, now()));
      s3.trouble = undefined;
      return undefined;
    };

    assert.equal((await link({ project: soon })).status, 404);
    assert.deepEqual(await list(), []);
  });

  it('do not store their secret key on disk in plain text', async () => {
    await linked();
    const files = ['davit.db', 'davit.db-wal'].map((name) => readFile(join(daemon.dataDir, name)));
    for (const bytes of await Promise.all(files)) assert.ok(!bytes.includes(s3.secretKey));
  });

  it('show their credentials to a member but not to a viewer', async () => {
    await linked();
    const path = '/api/object-stores/offsite/credentials';

    const shown = await read<Record<string, string>>('GET', path, undefined, user(daemon, 'member').key);
    assert.equal(shown.secret_key, s3.secretKey);
    assert.equal((await daemon.call('GET', path, undefined, user(daemon, 'viewer').key)).status, 403);
  });

  it('are refused if the check fails, unless the check is skipped', async () => {
    const cases: [object, RegExp][] = [
      [{ access_key: 'AKIANOBODY' }, /does not know this access key/],
      [{ secret_key: 'canary-wrong-key' }, /secret key does not belong to the access key/],
      [{ region: 'us-east-1' }, /does not accept the region “us-east-1”\. Set/],
      [{ endpoint: 'http://127.0.0.1:9' }, /127\.0\.0\.1:9 refuses connections/],
      [{ bucket: 'nowhere' }, /The bucket “nowhere” does not exist/],
    ];
    for (const [fields, words] of cases) {
      const { status, text } = await link(fields);
      assert.equal(status, 409, text);
      assert.match(text, words);
      assert.match(text, /check=false/);
      assert.doesNotMatch(text, /canary/);
    }
    assert.deepEqual(await list(), []);

    assert.equal((await link({ secret_key: 'canary-wrong-key' }, '?check=false')).status, 201);
    assert.equal((await list())[0]?.checked_at, null);
  });

  it('are refused with invalid or unsupported settings', async () => {
    const cases: [object, RegExp][] = [
      [{ endpoint: 's3.example.com' }, /^endpoint: must be an http/],
      [{ endpoint: 'ftp://s3.example.com' }, /^endpoint: /],
      [{ endpoint: 'https://me:secret@s3.example.com' }, /^endpoint: /],
      [{ endpoint: 'https://s3.example.com/path' }, /^endpoint: /],
      [{ endpoint: 'http://169.254.169.254' }, /^endpoint: must not be a reserved IP address/],
      [{ endpoint: 'http://[::ffff:a9fe:a9fe]' }, /^endpoint: must not be a reserved IP address/],
      [{ public_endpoint: 'http://169.254.170.2' }, /^public_endpoint: /],
      [{ provider: 'aws' }, /^endpoint: Amazon S3 has a fixed value/],
      [{ provider: 'aws', endpoint: undefined, region: undefined }, /^region: This field is required for Amazon S3/],
      [{ provider: 'cloudflare', endpoint: undefined, region: undefined }, /^account: This field is required/],
      [{ provider: 'minio', endpoint: undefined }, /^endpoint: This field is required for MinIO/],
      [{ account: 'f'.repeat(32) }, /^account: .* has a fixed value/],
      [{ secret_key: 'line\nfeed and more' }, /^secret_key: /],
      [{ bucket: 'Not A Bucket' }, /^bucket: /],
      [{ colour: 'red' }, /colour/],
    ];
    for (const [fields, words] of cases) {
      const { status, text } = await link(fields, '?check=false');
      assert.equal(status, 400, `${JSON.stringify(fields)} ${text}`);
      assert.match(text, words, JSON.stringify(fields));
    }
  });

  it('get their endpoint, region and path style from the provider', async () => {
    const at = async (fields: object) => {
      const { text } = await link({ endpoint: undefined, region: undefined, ...fields }, '?check=false');
      const store = JSON.parse(text) as ObjectStore;
      await read('DELETE', '/api/object-stores/offsite?confirm=offsite');
      return [store.endpoint, store.region, store.path_style];
    };
    assert.deepEqual(await at({ provider: 'aws', region: 'eu-central-1' }), [
      'https://s3.eu-central-1.amazonaws.com',
      'eu-central-1',
      false,
    ]);
    assert.deepEqual(await at({ provider: 'cloudflare', account: 'ab'.repeat(16) }), [
      `https://${'ab'.repeat(16)}.r2.cloudflarestorage.com`,
      'auto',
      true,
    ]);
    assert.deepEqual(await at({ provider: 'digitalocean', region: 'fra1' }), [
      'https://fra1.digitaloceanspaces.com',
      'us-east-1',
      false,
    ]);
    assert.deepEqual(await at({ provider: 'backblaze', region: 'us-west-004' }), [
      'https://s3.us-west-004.backblazeb2.com',
      'us-west-004',
      true,
    ]);
    const providers = await read<{ provider: string }[]>('GET', '/api/object-store-providers');
    assert.equal(providers.length, 6);
  });

  it('are refused if the name is already in use', async () => {
    await linked();
    const { status, text } = await link();
    assert.equal(status, 409);
    assert.match(text, /has the name offsite/);
  });

  it('accept new credentials only if the check succeeds or is skipped', async () => {
    await linked();
    await refused(
      'PATCH',
      '/api/object-stores/offsite',
      { secret_key: 'canary-other-key' },
      409,
      /secret key does not belong to/,
    );
    assert.equal((await read<ObjectStoreCheck>('POST', '/api/object-stores/offsite/check')).ok, true);

    const changed = await read<ObjectStore>('PATCH', '/api/object-stores/offsite', {
      description: 'Mine',
      path_style: true,
    });
    assert.equal(changed.description, 'Mine');
    await read('PATCH', '/api/object-stores/offsite?check=false', { secret_key: 'canary-other-key' });
    const check = await read<ObjectStoreCheck>('POST', '/api/object-stores/offsite/check');
    assert.equal(check.ok, false);
    assert.match(check.steps[0]?.message ?? '', /secret key does not belong to/);
    await refused(
      'PATCH',
      '/api/object-stores/offsite',
      { endpoint: 'http://169.254.169.254' },
      400,
      /^endpoint: must not be/,
    );
    await refused('PATCH', '/api/object-stores/offsite', { limits: {} }, 400, /^limits: /);
  });

  it('are checked by writing, reading, listing and deleting an object', async () => {
    await linked();
    await read('POST', '/api/object-stores/offsite/buckets', { name: 'probed' });

    const { ok, steps } = await read<ObjectStoreCheck>('POST', '/api/object-stores/offsite/check?bucket=probed');
    assert.deepEqual([ok, steps.map(({ step }) => step)], [true, ['write', 'read', 'list', 'delete']]);
    assert.deepEqual(await read('GET', '/api/object-stores/offsite/buckets/probed/objects'), []);

    s3.trouble = ({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined);
    const other = await read<ObjectStoreCheck>('POST', '/api/object-stores/offsite/check?bucket=probed');
    assert.deepEqual(
      other.steps.map(({ ok: is }) => is),
      [true, true, true, false],
    );
    assert.match(other.steps[3]?.message ?? '', /no permission to delete objects in “probed”/);
    s3.trouble = undefined;
    await read(
      'DELETE',
      '/api/object-stores/offsite/buckets/probed/folders?prefix=.davit-check/&confirm=.davit-check/',
    );
    await read('DELETE', '/api/object-stores/offsite/buckets/probed?confirm=probed');
  });

  it('have buckets that can only be deleted when empty and with confirmation', async () => {
    await linked();
    const path = '/api/object-stores/offsite/buckets';
    const made = await daemon.call('POST', path, { name: 'pictures' });
    assert.equal(made.status, 201, made.text);
    assert.equal((await read<Bucket>('GET', made.headers.get('location') ?? '')).name, 'pictures');
    assert.deepEqual(
      (await read<Bucket[]>('GET', path)).map(({ name }) => name),
      ['pictures'],
    );
    await refused('POST', path, { name: 'Pictures' }, 400, /^name: /);
    await refused('POST', path, { name: '10.0.0.1' }, 400, /^name: /);
    await refused('GET', `${path}/nowhere`, undefined, 404, /The bucket “nowhere” does not exist/);
    for (const name of ['..', 'a%2F..%2Fb', 'x'.repeat(300)]) {
      assert.equal((await daemon.call('GET', `${path}/${name}/objects`)).status, 404, name);
    }

    await upload('pictures', 'one.txt', 'one');
    await refused('DELETE', `${path}/pictures?confirm=picture`, undefined, 400, /^confirm: /);
    await refused('DELETE', `${path}/pictures?confirm=pictures`, undefined, 409, /“pictures” is not empty/);
    await read('DELETE', `${path}/pictures/objects?key=one.txt`);
    await read('DELETE', `${path}/pictures?confirm=pictures`);
    assert.deepEqual(await read('GET', path), []);
  });

  it('list the contents of a bucket by folder and in pages', async () => {
    await linked();
    await read('POST', '/api/object-stores/offsite/buckets', { name: 'shown' });
    const path = '/api/object-stores/offsite/buckets/shown/objects';
    for (const key of ['a/1', 'a/2', 'a/b/3', 'ü & +.txt', 'z', '日']) await upload('shown', key, key);

    const entries = await read<ObjectEntry[]>('GET', path);
    assert.deepEqual(
      entries.map(({ kind, key }) => `${kind} ${key}`),
      ['folder a/', 'object z', 'object ü & +.txt', 'object 日'],
    );
    assert.equal(entries[1]?.size_bytes, 1);
    assert.deepEqual(
      (await read<ObjectEntry[]>('GET', `${path}?prefix=a/&flat=true`)).map(({ key }) => key),
      ['a/1', 'a/2', 'a/b/3'],
    );

    const keys: string[] = [];
    let next: string | undefined = `${path}?flat=true&limit=1`;
    while (next !== undefined) {
      const page = await daemon.call('GET', next);
      keys.push(...(JSON.parse(page.text) as ObjectEntry[]).map(({ key }) => key));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(keys, ['a/1', 'a/2', 'a/b/3', 'z', 'ü & +.txt', '日']);
    await refused('GET', `${path}?prefix=../other/`, undefined, 400, /^prefix: /);

    const folders = '/api/object-stores/offsite/buckets/shown/folders';
    await refused('DELETE', `${folders}?prefix=a/&confirm=b/`, undefined, 400, /^confirm: /);
    await refused('DELETE', `${folders}?prefix=a&confirm=a`, undefined, 400, /^prefix: /);
    assert.deepEqual(await read('DELETE', `${folders}?prefix=a/&confirm=a/`), { removed: 3, more: false });
    assert.equal((await read<ObjectEntry[]>('GET', path)).length, 3);
  });

  it('create presigned URLs for a single object and method', async () => {
    await linked();
    await read('POST', '/api/object-stores/offsite/buckets', { name: 'moved' });
    await upload('moved', 'here.txt', 'came past');

    const presign = '/api/object-stores/offsite/buckets/moved/objects/presign';
    const down = await read<PresignedObject>('POST', presign, { key: 'here.txt', method: 'GET', expires_s: 60 });
    assert.equal(await (await fetch(down.url)).text(), 'came past');
    assert.equal((await fetch(down.url, { method: 'DELETE' })).status, 403);
    for (const body of [
      { key: 'a', method: 'GET', expires_s: 7 * 86_400 + 1 },
      { key: 'a', method: 'DELETE' },
      { key: '../other/a', method: 'GET' },
      { key: '/a', method: 'GET' },
      { key: '', method: 'GET' },
    ]) {
      assert.equal((await daemon.call('POST', presign, body)).status, 400, JSON.stringify(body));
    }
    await read('PATCH', '/api/object-stores/offsite', { public_endpoint: 'https://files.example.com' });
    const outside = await read<PresignedObject>('POST', presign, { key: 'here.txt', method: 'GET' });
    assert.match(outside.url, /^https:\/\/files\.example\.com\/moved\/here\.txt\?/);
  });

  it('do not show or change other buckets if limited to a single bucket', async () => {
    await linked();
    for (const name of ['mine', 'theirs']) await read('POST', '/api/object-stores/offsite/buckets', { name });
    await read('PATCH', '/api/object-stores/offsite', { bucket: 'mine' });

    const path = '/api/object-stores/offsite/buckets';
    assert.deepEqual(
      (await read<Bucket[]>('GET', path)).map(({ name }) => name),
      ['mine'],
    );
    await refused('GET', `${path}/theirs/objects`, undefined, 404, /does not have this bucket/);
    await refused('DELETE', `${path}/theirs?confirm=theirs`, undefined, 404, /does not have this bucket/);
    await refused('POST', path, { name: 'third' }, 409, /are limited to the bucket mine/);
    await refused(
      'POST',
      '/api/object-stores/offsite/check?bucket=theirs',
      undefined,
      404,
      /does not have this bucket/,
    );
    assert.equal((await read<ObjectStoreCheck>('POST', '/api/object-stores/offsite/check')).ok, true);
  });

  it('answer 503 if the endpoint is unreachable', async () => {
    await link({ endpoint: 'http://127.0.0.1:9' }, '?check=false');
    const { status, text, headers } = await daemon.call('GET', '/api/object-stores/offsite/buckets');
    assert.equal(status, 503);
    assert.match(text, /127\.0\.0\.1:9 refuses connections/);
    assert.equal(headers.get('retry-after'), '30');
  });

  it('are not deleted while attached to an app, and the error names the app', async () => {
    await linked();
    const { reference } = await app(daemon);
    const apps = await read<{ id: number }>('GET', `/api/apps/${reference}`);
    assert.ok(apps);
    const row = storeByName(daemon.core.store, 'offsite');
    const [projectName = '', , name = ''] = reference.split('/');
    assert.ok(row && projectBySlug(daemon.core.store, projectName));
    daemon.core.store.tx((tx) => {
      insertAttachment(tx, appIdOf(reference, name), { storeId: row.id, bucket: 'used' }, '', daemon.core.now());
    });
    await refused(
      'DELETE',
      '/api/object-stores/offsite?confirm=offsite',
      undefined,
      409,
      new RegExp(`attached to ${reference}`),
    );
    await refused('DELETE', '/api/object-stores/offsite/buckets/used?confirm=used', undefined, 409, /attached to/);
    assert.deepEqual(
      (await list())[0]?.attachments.map(({ app: of, bucket }) => [of, bucket]),
      [[reference, 'used']],
    );
    await read('DELETE', `/api/apps/${reference}`);
    await refused('DELETE', '/api/object-stores/offsite?confirm=other', undefined, 400, /^confirm: /);
    assert.equal((await daemon.call('DELETE', '/api/object-stores/offsite?confirm=offsite')).status, 204);
  });

  it('are visible only with access to their project, or to all projects if unassigned', async () => {
    const [ours, theirs] = [await project(daemon), await project(daemon)];
    await linked();
    await linked({ name: 'ours', project: ours });
    const narrow = (role: 'viewer' | 'member' | 'admin', slug: string) => user(daemon, role, [slug]).key;

    assert.deepEqual(
      (await list(narrow('viewer', ours))).map(({ name }) => name),
      ['ours'],
    );
    assert.deepEqual(await list(narrow('viewer', theirs)), []);
    for (const role of ['viewer', 'member', 'admin'] as const) {
      for (const path of [
        '/api/object-stores/offsite',
        '/api/object-stores/offsite/credentials',
        '/api/object-stores/offsite/buckets',
      ]) {
        assert.equal((await daemon.call('GET', path, undefined, narrow(role, ours))).status, 404, `${role} ${path}`);
        assert.equal(
          (await daemon.call('GET', path.replace('offsite', 'ours'), undefined, narrow(role, theirs))).status,
          404,
        );
      }
    }
    const admin = narrow('admin', ours);
    assert.equal((await link({ name: 'third' }, '', admin)).status, 403);
    assert.equal((await link({ name: 'third', project: theirs }, '', admin)).status, 404);
    assert.equal((await link({ name: 'third', project: ours, ...PUBLIC }, '?check=false', admin)).status, 201);
    await refused('DELETE', `/api/projects/${ours}`, undefined, 409, /stores ours, third/);
  });

  it('can use private addresses only if linked by an admin of all projects', async () => {
    const ours = await project(daemon);
    const admin = user(daemon, 'admin', [ours]).key;
    const words =
      'endpoint: the host name cannot be resolved, or its address is private or belongs to this server. Only an admin with access to all projects can link an object store at such an address.\n';
    const { port } = new URL(s3.url);
    // Open and closed ports, addresses and names: the error reveals nothing about them.
    for (const host of [
      '127.0.0.1',
      '10.0.0.1',
      '[::1]',
      '[fd12::1]',
      '[::ffff:127.0.0.1]',
      '172.17.0.1',
      'localhost',
      'no-such-name.invalid',
    ]) {
      for (const at of [port, '9', '22']) {
        const endpoint = `http://${host}:${at}`;
        const answer = await link({ name: 'private', project: ours, endpoint }, '', admin);
        assert.deepEqual([answer.status, answer.text], [403, words], endpoint);
      }
    }
    assert.equal(
      (await link({ name: 'private', project: ours, endpoint: 'http://10.0.0.1' }, '?check=false', admin)).status,
      403,
    );

    // A host name may resolve to another address by the time of the request.
    await link({ name: 'rebound', project: ours, endpoint: `http://localhost:${port}` }, '?check=false', admin);
    const member = user(daemon, 'member', [ours]).key;
    for (const key of [member, daemon.key]) {
      const { ok, steps } = await read<ObjectStoreCheck>('POST', '/api/object-stores/rebound/check', undefined, key);
      assert.deepEqual([ok, steps[0]?.message], [false, words.trim()]);
      assert.equal((await daemon.call('GET', '/api/object-stores/rebound/buckets', undefined, key)).status, 403);
    }

    /*
     * A store that an admin of all projects has linked works for all users of the project. Other users cannot change
     * its endpoint.
     */
    await linked({ name: 'internal', project: ours });
    assert.equal(
      (await read<ObjectStoreCheck>('POST', '/api/object-stores/internal/check', undefined, member)).ok,
      true,
    );
    const moved = await daemon.call('PATCH', '/api/object-stores/internal', { endpoint: 'http://127.0.0.1:9' }, admin);
    assert.deepEqual([moved.status, moved.text], [403, words]);
    assert.equal(
      (await daemon.call('PATCH', '/api/object-stores/internal', { description: 'Ours' }, admin)).status,
      200,
    );
    assert.equal(
      (await read<ObjectStoreCheck>('POST', '/api/object-stores/internal/check', undefined, member)).ok,
      true,
    );
    /*
     * An admin of all projects who changes the endpoint allows private addresses. An unchanged endpoint in the request
     * does not.
     */
    const endpoint = `http://localhost:${port}`;
    for (const same of [endpoint, `HTTP://LOCALHOST:${port}/`])
      await read('PATCH', '/api/object-stores/rebound?check=false', { endpoint: same });
    await refused(
      'PATCH',
      '/api/object-stores/rebound',
      { endpoint },
      403,
      /can link an object store at such an address/,
    );
    assert.equal(
      (await read<ObjectStoreCheck>('POST', '/api/object-stores/rebound/check', undefined, member)).ok,
      false,
    );
    await read('PATCH', '/api/object-stores/rebound?check=false', { endpoint: 'https://s3.example.com' });
    await read('PATCH', '/api/object-stores/rebound', { endpoint });
    assert.equal(
      (await read<ObjectStoreCheck>('POST', '/api/object-stores/rebound/check', undefined, member)).ok,
      true,
    );
  });

  describe('with a hostname as the endpoint', () => {
    const PUBLIC_ADDRESS = '93.184.215.14';
    const addresses = new Map<string, string[]>();
    let lookup: { mock: { restore: () => void } };
    before(() => {
      const real = dns.lookup;
      lookup = mock.method(dns, 'lookup', (name: string, options: dns.LookupAllOptions, done: Found) => {
        if (!name.endsWith('.test')) return real(name, options, done);
        const found = (addresses.get(name) ?? []).map((address) => ({ address, family: 4 }));
        const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
        process.nextTick(done, found.length === 0 ? error : null, found);
      });
      syncBuiltinESMExports();
    });
    after(() => {
      lookup.mock.restore();
      syncBuiltinESMExports();
    });
    type Found = (error: NodeJS.ErrnoException | null, found: dns.LookupAddress[]) => void;
    const at = (name: string) => `http://${name}:${new URL(s3.url).port}`;
    const isAllowed = async (key: string) => {
      const { ok, steps } = await read<ObjectStoreCheck>('POST', '/api/object-stores/offsite/check', undefined, key);
      if (!ok) assert.match(steps[0]?.message ?? '', /has a private address|its address is private/);
      return ok;
    };
    const memberOf = async () => {
      const ours = await project(daemon);
      return { ours, member: user(daemon, 'member', [ours]).key };
    };

    for (const [when, found] of [
      ['resolved to a public address', [PUBLIC_ADDRESS]],
      ['could not be resolved', []],
      ['resolved to a link-local address', ['169.254.169.254']],
    ] as const) {
      it(`refuse a later private address if the hostname ${when} at link time`, async () => {
        const { ours, member } = await memberOf();
        addresses.set('moved.test', [...found]);
        assert.equal((await link({ project: ours, endpoint: at('moved.test') }, '?check=false')).status, 201);

        addresses.set('moved.test', ['127.0.0.1']);

        assert.equal(await isAllowed(member), false);
        const path = '/api/object-stores/offsite/buckets';
        assert.equal((await daemon.call('POST', path, { name: 'reached' }, member)).status, 403);
        const removed = await daemon.call('DELETE', `${path}/reached/objects?key=a`, undefined, member);
        assert.equal(removed.status, 403, removed.text);
      });
    }

    it('work at a private address if linked by an admin of all projects', async () => {
      const { ours, member } = await memberOf();
      addresses.set('inner.test', ['127.0.0.1']);
      await linked({ project: ours, endpoint: at('inner.test') });

      assert.equal(await isAllowed(member), true);
    });

    it('report an unresolvable hostname to an admin of all projects', async () => {
      const { status, text } = await link({ endpoint: at('unknown.test') });

      assert.equal(status, 409, text);
      assert.match(text, /cannot be resolved/);
    });

    it('keep the address restriction with the same endpoint, but not with a changed endpoint', async () => {
      const { ours, member } = await memberOf();
      addresses.set('moved.test', [PUBLIC_ADDRESS]).set('inner.test', ['127.0.0.1']);
      await link({ project: ours, endpoint: at('moved.test') }, '?check=false');
      const patch = (endpoint: string) => read('PATCH', '/api/object-stores/offsite?check=false', { endpoint });

      addresses.set('moved.test', ['127.0.0.1']);
      await patch(at('moved.test'));
      assert.equal(await isAllowed(member), false);
      await patch(at('inner.test'));
      assert.equal(await isAllowed(member), true);
      addresses.set('moved.test', [PUBLIC_ADDRESS]);
      await patch(at('moved.test'));
      addresses.set('moved.test', ['127.0.0.1']);
      assert.equal(await isAllowed(member), false);
    });

    it('keep access to a private address if a project admin resends the endpoint', async () => {
      const { ours, member } = await memberOf();
      addresses.set('inner.test', ['127.0.0.1']);
      const endpoint = at('inner.test');
      await linked({ project: ours, endpoint });

      const { key } = user(daemon, 'admin', [ours]);
      assert.equal((await daemon.call('PATCH', '/api/object-stores/offsite', { endpoint }, key)).status, 200);
      assert.equal(await isAllowed(member), true);
    });
  });

  it('are named in the audit log without their keys', async () => {
    await linked();
    const { text } = await daemon.call('GET', '/api/audit?outcome=ok&limit=20');
    assert.match(text, /linkObjectStore/);
    assert.match(text, /"target":"offsite"/);
    assert.ok(!text.includes(s3.secretKey) && !text.includes(s3.accessKey));
  });

  async function upload(bucket: string, key: string, text: string): Promise<void> {
    const path = `/api/object-stores/offsite/buckets/${bucket}/objects/presign`;
    const { url } = await read<PresignedObject>('POST', path, { key, method: 'PUT', expires_s: 60 });
    assert.equal((await fetch(url, { method: 'PUT', body: text })).status, 200);
  }

  function appIdOf(reference: string, name: string): number {
    const [projectName = '', environment = ''] = reference.split('/');
    const row = daemon.core.store.get(
      unchecked<{
        id: number;
      }>(`SELECT a.id FROM apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id
       WHERE p.slug = ? AND e.slug = ? AND a.name = ?`),
      projectName,
      environment,
      name,
    );
    return row?.id ?? assert.fail(`no app ${reference}`);
  }
});
