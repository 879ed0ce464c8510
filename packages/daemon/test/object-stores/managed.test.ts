/** Managed object stores, with the simulated engine. */

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type {
  ObjectEntry,
  ObjectStore,
  ObjectStoreCheck,
  ObjectStoreCredentials,
  PresignedObject,
  Task,
} from '@davit/api';
import { bootDaemon, project, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

describe('managed object stores', () => {
  let daemon: TestDaemon;
  let shop: string;
  before(async () => {
    daemon = await bootDaemon();
    shop = await project(daemon);
  });
  afterEach(async () => {
    for (const { name, status } of await read<ObjectStore[]>('GET', '/api/object-stores')) {
      if (status !== 'trash') await read('DELETE', `/api/object-stores/${name}?confirm=${name}`);
      await read('DELETE', `/api/object-stores/${name}?confirm=${name}`);
    }
  });
  after(() => daemon[Symbol.asyncDispose]());

  async function read<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await daemon.call(method, path, body);
    assert.equal(status < 300, true, `${method} ${path}: ${status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  const stores = () => `/api/projects/${shop}/environments/production/object-stores`;
  const done = async (method: string, path: string, body?: object): Promise<Task> => {
    const task = await read<Task>(method, `${path}?wait=true`, body);
    assert.equal(task.status, 'succeeded', task.error ?? '');
    return task;
  };
  const make = async (body: object = { name: 'files' }) => {
    await done('POST', stores(), body);
    return read<ObjectStore>('GET', '/api/object-stores/files');
  };
  const containers = () => daemon.engine.controls.containers().filter(({ kind }) => kind === 'store');
  const refused = async (method: string, path: string, body: object | undefined, status: number, words: RegExp) => {
    const answer = await daemon.call(method, path, body);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, words);
  };

  it('are created by a task, with a hostname on the network and a volume', async () => {
    const accepted = await daemon.call('POST', stores(), { name: 'files', description: 'Pictures' });
    assert.equal(accepted.status, 202, accepted.text);
    const { id, kind, subject } = JSON.parse(accepted.text) as Task;
    assert.equal(accepted.headers.get('location'), `/api/tasks/${id}`);
    assert.deepEqual([kind, subject], ['object_store.create', { kind: 'object_store', name: 'files' }]);
    await read('GET', `/api/tasks/${id}?wait=true`);

    const store = await read<ObjectStore>('GET', '/api/object-stores/files');
    const host = `files.store.production.${shop}.internal`;
    assert.deepEqual(
      [store.kind, store.status, store.project, store.environment, store.endpoint, store.public_endpoint, store.task],
      ['managed', 'running', shop, 'production', `http://${host}:8333`, null, null],
    );
    const [container] = containers();
    assert.deepEqual(daemon.engine.controls.resolve(host), [container?.address]);
    assert.deepEqual(
      (await daemon.engine.volumes()).map(({ app, owner }) => [app, owner]),
      [['files', 'store']],
    );
  });

  it('get their keys only through a file for the container’s user', async () => {
    await make();
    const { access_key, secret_key, endpoint } = await read<ObjectStoreCredentials>(
      'GET',
      '/api/object-stores/files/credentials',
    );
    const [container] = containers();
    const inspected = JSON.stringify([container?.env, container?.args, container?.command]);
    assert.ok(!inspected.includes(secret_key) && !inspected.includes(access_key));
    assert.match(endpoint, /:8333$/);
    const [file] = container?.files ?? [];
    assert.deepEqual([file?.path, file?.mode, file?.uid], ['/etc/davit/s3.json', 0o400, 1_000]);
    const { identities } = JSON.parse(Buffer.from(file?.bytes ?? []).toString());
    assert.deepEqual(identities[0].credentials, [{ accessKey: access_key, secretKey: secret_key }]);
    const viewer = user(daemon, 'viewer').key;
    assert.equal((await daemon.call('GET', '/api/object-stores/files/credentials', undefined, viewer)).status, 403);
    assert.ok(!daemon.log.lines.some((line) => line.includes(secret_key)));
  });

  it('leave no container or volume if the creation fails', async () => {
    daemon.engine.controls.fail('createGroup');
    const task = await read<Task>('POST', `${stores()}?wait=true`, { name: 'files' });
    assert.equal(task.status, 'failed');
    assert.match(task.error ?? '', /simulated failure of Docker/);
    assert.deepEqual(await read('GET', '/api/object-stores'), []);
    assert.deepEqual([containers(), await daemon.engine.volumes()], [[], []]);
  });

  it('are refused with a duplicate name, a reserved name or invalid settings', async () => {
    await make();
    await refused('POST', stores(), { name: 'files' }, 409, /has the name files/);
    await refused('POST', stores(), { name: 'settings' }, 400, /^name: /);
    await refused('POST', stores(), { name: 'a', limits: { memory_bytes: 1 } }, 400, /^limits\.memory_bytes: /);
    const other = `/api/projects/${shop}/environments/nowhere/object-stores`;
    await refused('POST', other, { name: 'b' }, 404, /This environment does not exist/);
  });

  it('keep their buckets when they are stopped and started', async () => {
    await make();
    await read('POST', '/api/object-stores/files/buckets', { name: 'kept' });
    await done('POST', '/api/object-stores/files/stop');
    assert.equal((await read<ObjectStore>('GET', '/api/object-stores/files')).status, 'stopped');
    await refused('GET', '/api/object-stores/files/buckets', undefined, 409, /is not running\. Start it first/);
    await refused(
      'POST',
      '/api/object-stores/files/stop',
      undefined,
      409,
      /cannot be stopped because its status is stopped/,
    );
    await done('POST', '/api/object-stores/files/start');
    assert.equal((await read<{ name: string }[]>('GET', '/api/object-stores/files/buckets'))[0]?.name, 'kept');
  });

  it('are restarted after a crash and recreated after the removal of their container', async () => {
    await make();
    for (const end of [(id: string) => daemon.engine.controls.kill(id), (id: string) => daemon.engine.remove(id)]) {
      await end(containers()[0]?.id ?? '');
      daemon.core.nudgeStores();
      await until('the store runs again', async () => {
        const { status } = await read<ObjectStore>('GET', '/api/object-stores/files');
        return status === 'running' && containers()[0]?.state === 'running';
      });
    }
    assert.equal(containers().length, 1);
  });

  it('get a public port and presigned URLs when exposed, and then lose the port', async () => {
    await make();
    const presign = '/api/object-stores/files/buckets/public/objects/presign';
    await read('POST', '/api/object-stores/files/buckets', { name: 'public' });
    await refused('POST', presign, { key: 'a', method: 'GET' }, 409, /Expose the object store first/);

    await done('POST', '/api/object-stores/files/expose', {});
    const { exposed, public_endpoint } = await read<ObjectStore>('GET', '/api/object-stores/files');
    assert.ok(exposed && exposed.port >= 16_000 && exposed.port <= 16_999);
    assert.deepEqual(containers()[0]?.tcpPorts, [{ hostPort: exposed.port, containerPort: 8_333 }]);
    const { url } = await read<PresignedObject>('POST', presign, { key: 'a', method: 'GET' });
    assert.ok(public_endpoint !== null && url.startsWith(`${public_endpoint}/public/a?`), url);
    await refused('POST', '/api/object-stores/files/expose', undefined, 409, /is already exposed on port/);

    await done('DELETE', '/api/object-stores/files/expose');
    assert.equal((await read<ObjectStore>('GET', '/api/object-stores/files')).exposed, null);
    assert.deepEqual(containers()[0]?.tcpPorts, []);
    await refused('DELETE', '/api/object-stores/files/expose', undefined, 409, /is not exposed/);
  });

  it('apply new limits immediately, and refuse a custom endpoint or secret key', async () => {
    await make();
    const limits = { cpu: 0.5, memory_bytes: 512 * 1024 ** 2 };
    assert.deepEqual((await read<ObjectStore>('PATCH', '/api/object-stores/files', { limits })).limits, limits);
    assert.deepEqual(containers()[0]?.limits, { cpu: 0.5, memoryBytes: 512 * 1024 ** 2, pids: 4_096 });
    await refused('PATCH', '/api/object-stores/files', { endpoint: 'https://s3.example.com' }, 400, /^endpoint: /);
    await refused('PATCH', '/api/object-stores/files', { secret_key: 'canary-own-key' }, 400, /^secret_key: /);
  });

  it('keep their buckets in the trash until they are restored or deleted permanently', async () => {
    await make();
    await read('POST', '/api/object-stores/files/buckets', { name: 'kept' });
    const trashed = await read<ObjectStore>('DELETE', '/api/object-stores/files?confirm=files');
    assert.equal(trashed.status, 'trash');
    assert.equal(typeof trashed.deleted?.expires_at, 'string');
    await until('its container is gone', async () => containers().length === 0);
    assert.equal((await daemon.engine.volumes()).length, 1);
    await refused('GET', '/api/object-stores/files/buckets', undefined, 409, /is not running/);
    await refused(
      'POST',
      '/api/object-stores/files/start',
      undefined,
      409,
      /cannot be started because its status is trash/,
    );

    await done('POST', '/api/object-stores/files/restore');
    assert.equal((await read<{ name: string }[]>('GET', '/api/object-stores/files/buckets'))[0]?.name, 'kept');
    await refused('POST', '/api/object-stores/files/restore', undefined, 409, /cannot be restored/);

    await read('DELETE', '/api/object-stores/files?confirm=files');
    assert.equal((await daemon.call('DELETE', '/api/object-stores/files?confirm=files')).status, 204);
    assert.deepEqual([await daemon.engine.volumes(), containers()], [[], []]);
    assert.equal((await daemon.call('GET', '/api/object-stores/files')).status, 404);
  });

  it('prevent the deletion of their project', async () => {
    await make();
    await refused('DELETE', `/api/projects/${shop}`, undefined, 409, /has the object stores files/);
    assert.equal((await read<ObjectStore>('GET', '/api/object-stores/files')).status, 'running');
  });

  it('pass the check of a bucket, and the check leaves no objects', async () => {
    await make();
    await read('POST', '/api/object-stores/files/buckets', { name: 'probed' });
    const { ok, steps } = await read<ObjectStoreCheck>('POST', '/api/object-stores/files/check?bucket=probed');
    assert.deepEqual([ok, steps.length], [true, 4]);
    assert.deepEqual(await read<ObjectEntry[]>('GET', '/api/object-stores/files/buckets/probed/objects'), []);
  });

  it('refuse start, stop, restore and expose for a linked object store', async () => {
    const link = { name: 'far', provider: 'generic', endpoint: 'http://127.0.0.1:9', access_key: 'abc' };
    await read('POST', '/api/object-stores?check=false', { ...link, secret_key: 'canary-far-key' });
    for (const what of ['start', 'stop', 'restore', 'expose']) {
      await refused('POST', `/api/object-stores/far/${what}`, undefined, 409, /is a linked object store/);
    }
    await read('DELETE', '/api/object-stores/far?confirm=far');
  });
});
