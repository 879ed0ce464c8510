/** Releases on a whole instance: pushed with Docker, listed, deleted, collected, gone back to. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Deployment, RegistryCollection } from '@davit/api';
import Docker from 'dockerode';
import { customImage } from '../support/docker-images.ts';
import { type AppParams, type Instance, startInstance, until } from '../support/instance.ts';
import { whyNoEngine } from '../support/live-world.ts';

const SERVE = 'CMD ["sh", "-c", "exec httpd -f -p $PORT -h /www"]';
const KEPT = 2;

describe('releases on an instance', { skip: whyNoEngine() ?? false }, () => {
  const docker = new Docker();
  const run = randomBytes(3).toString('hex');
  const built = new Map<string, string>();
  let instance: Instance;
  let host: string;
  before(async () => {
    instance = await startInstance();
    host = `localhost:${(await instance.client.getInstance()).ports.registry}`;
    await instance.client.createProject({ body: { slug: 'shop' } });
    await instance.client.patchSettings({ body: { images: { keep: KEPT }, registry: { push_minutes: 0 } } });
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
    for (const { Id } of await imagesIn('')) await docker.getImage(Id).remove({ force: true });
    // One of them was lost on purpose.
    for (const image of built.values())
      await docker
        .getImage(image)
        .remove({ force: true })
        .catch(() => null);
  });

  /** An image that serves this word, with a layer of its own that is not worth compressing. */
  async function imageOf(word: string): Promise<string> {
    const make = `head -c 300000 /dev/urandom > /www/blob; echo ${run} ${word} > /www/index.html`;
    const lines = ['EXPOSE 8080', `RUN ${JSON.stringify(['/bin/sh', '-c', make])}`, SERVE];
    const image = built.get(word) ?? (await customImage(docker, 'releases', lines));
    built.set(word, image);
    return image;
  }

  /** @throws Error with what a person would read */
  async function push(app: AppParams, tag: string, word: string): Promise<void> {
    const repo = `${host}/${app.project}/${app.environment}/${app.app}`;
    await docker.getImage(await imageOf(word)).tag({ repo, tag });
    const named = docker.getImage(`${repo}:${tag}`);
    try {
      const stream = await named.push({
        authconfig: { username: 'admin', password: instance.key, serveraddress: host },
      });
      await new Promise<void>((resolve, reject) => {
        docker.modem.followProgress(stream, (error, messages: { error?: string }[] | null) => {
          const failure = error?.message ?? messages?.find((message) => message.error !== undefined)?.error;
          if (failure === undefined) resolve();
          else reject(new Error(failure));
        });
      });
    } finally {
      await named.remove({ noprune: true });
    }
  }

  /** Whether the registry runs, or is about to run, without taking pushes. */
  async function isReadOnly(): Promise<boolean> {
    const { storage } = JSON.parse(await readFile(join(instance.dataDir, 'registry/config/config.yml'), 'utf8'));
    return storage.maintenance.readonly.enabled;
  }

  /** What the engine has under names of the registry that begin so. */
  async function imagesIn(path: string): Promise<Docker.ImageInfo[]> {
    const isNamed = (name: string) => name.startsWith(`${host}/${path}`);
    return (await docker.listImages()).filter(({ RepoDigests }) => RepoDigests?.some(isNamed));
  }

  /** Takes an image away from the engine, with all its names. */
  async function lose(digest: string): Promise<void> {
    for (const { Id, RepoDigests } of await docker.listImages()) {
      if (RepoDigests?.some((name) => name.endsWith(`@${digest}`))) await docker.getImage(Id).remove({ force: true });
    }
  }

  async function newApp(name: string): Promise<AppParams> {
    const body = { project: 'shop', name, source: 'registry' as const };
    const { environment } = await instance.client.createApp({ body });
    return { project: 'shop', environment, app: name };
  }

  /** Pushes and waits until what was pushed is live. */
  async function release(app: AppParams, tag: string, word: string): Promise<Deployment> {
    const [last] = (await instance.client.listDeployments({ params: app, query: {} })) as Deployment[];
    await push(app, tag, word);
    return until(`${word} is live`, 60_000, async () => {
      const [newest] = (await instance.client.listDeployments({ params: app, query: { limit: '1' } })) as Deployment[];
      if (newest === undefined || newest.id === last?.id) return null;
      assert.notEqual(newest.status, 'failed', newest.error ?? '');
      return newest.live ? newest : null;
    });
  }

  const releasesOf = (app: AppParams) => instance.client.listReleases({ params: app, query: {} });
  const collect = () => instance.client.collectRegistry({ query: { dry_run: 'false' } }) as Promise<RegistryCollection>;
  async function answer(app: AppParams): Promise<string> {
    const url = `http://127.0.0.1:${instance.httpPort}/`;
    return until('the app answers', 10_000, async () => {
      const { request } = await import('node:http');
      const { promise, resolve } = Promise.withResolvers<string | null>();
      request(url, { agent: false, headers: { host: instance.hostOf(app) } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(response.statusCode === 200 ? text.trim() : null));
      })
        .on('error', () => resolve(null))
        .end();
      return promise;
    });
  }

  test('are listed after their pushes, and ten of them leave as many images as are kept', {
    timeout: 300_000,
  }, async () => {
    const app = await newApp('many');
    const deployments: Deployment[] = [];
    for (let number = 1; number <= 10; number++) {
      deployments.push(await release(app, `v${number}`, `many ${number}`));
    }
    for (const image of built.values()) await docker.getImage(image).remove({ force: true });
    built.clear();

    const listed = await until('all sizes are known', 30_000, async () => {
      const releases = await releasesOf(app);
      return releases.every((one) => one.bytes !== null) ? releases : null;
    });
    await instance.atRest(app);
    assert.deepEqual(
      listed.map(({ tag, live, deployment, pushed_by }) => [tag, live, deployment, pushed_by]),
      deployments.map(({ id, tag, live }, index) => [tag, index === 9 && live, id, 'admin']).reverse(),
    );
    assert.ok(listed.every((one) => (one.bytes ?? 0) > 300_000 && one.media_type?.includes('manifest')));
    // Releases that are being drained keep their image until they are gone.
    const images = await until('the images of old releases are gone', 90_000, async () => {
      await instance.client.collectImages({ query: { dry_run: 'false' } });
      const named = await imagesIn('shop/production/many');
      return named.length <= KEPT + 1 ? named : null;
    });
    assert.equal(images.length, KEPT + 1);
  });

  test('lose tags beyond the number that is kept, and their bytes', { timeout: 120_000 }, async () => {
    const app = { project: 'shop', environment: 'production', app: 'many' };
    await instance.client.patchSettings({ body: { registry: { keep_tags: 1 } } });

    const done = await collect();

    await instance.client.patchSettings({ body: { registry: { keep_tags: null } } });
    assert.deepEqual(done.tags.map(({ tag }) => tag).toSorted(), ['v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7']);
    assert.ok(done.freed_bytes > 7 * 300_000, String(done.freed_bytes));
    assert.deepEqual(
      (await releasesOf(app)).map(({ tag }) => tag),
      ['v10', 'v9', 'v8'],
    );
    const { client } = instance;
    await assert.rejects(client.deployApp({ params: app, query: {}, body: { tag: 'v1' } }), /There is no image/);
  });

  test('can be gone back to when their tag has moved on and the engine has lost their image', {
    timeout: 120_000,
  }, async () => {
    const app = await newApp('moved');
    const first = await release(app, 'latest', 'first');
    const second = await release(app, 'latest', 'second');
    await collect();
    await instance.atRest(app);
    await lose(first.digest ?? '');
    await assert.rejects(docker.getImage(`${host}/shop/production/moved@${first.digest}`).inspect(), {
      statusCode: 404,
    });
    assert.equal(await answer(app), `${run} second`);

    const back = (await instance.client.rollBackApp({
      params: app,
      query: { wait: 'true' },
      body: { deployment: first.id },
    })) as Deployment;

    assert.deepEqual([back.status, back.error, back.digest], ['succeeded', null, first.digest]);
    assert.notEqual(second.digest, first.digest);
    assert.equal(await answer(app), `${run} first`);
  });

  test('are deleted by their tag, unless that is live', { timeout: 120_000 }, async () => {
    const app = await newApp('deleted');
    await release(app, 'v1', 'deleted');
    await push(app, 'latest', 'deleted');
    await until('both are listed', 60_000, async () => ((await releasesOf(app)).length === 2 ? true : null));
    const live = await until('the app is at rest', 60_000, async () => {
      const [newest] = (await instance.client.listDeployments({ params: app, query: {} })) as Deployment[];
      return newest?.live ? newest.tag : null;
    });
    const other = live === 'v1' ? 'latest' : 'v1';

    await assert.rejects(instance.client.deleteRelease({ params: { ...app, tag: live } }), /is live/);
    await instance.client.deleteRelease({ params: { ...app, tag: other } });

    assert.deepEqual(
      (await releasesOf(app)).map(({ tag }) => tag),
      [live],
    );
    await push(app, other, 'deleted');
    await until('it is back', 60_000, async () => ((await releasesOf(app)).length === 2 ? true : null));
  });

  test('are pushed whole or refused in words while the registry takes no pushes', { timeout: 300_000 }, async () => {
    const app = await newApp('windows');
    const failures: string[] = [];
    let over = false;
    let pushed = 0;
    const pushing = (async () => {
      for (let round = 0; !over; round++) {
        await push(app, 'latest', `windows ${round % 2}`).then(
          () => {
            pushed += 1;
          },
          (error: Error) => failures.push(error.message),
        );
      }
    })();
    await until('something was pushed', 60_000, async () => (pushed > 0 ? true : null));

    const windows = process.env.DAVIT_TEST_LONG === '1' ? 20 : 4;
    for (let window = 0; window < windows; window++) {
      await collect();
      const before = pushed;
      await until('a push succeeded after it', 60_000, async () => (pushed > before ? true : null));
    }
    over = true;
    await pushing;

    console.log(`${pushed} pushes, ${failures.length} refused:`, [...new Set(failures)]);
    assert.deepEqual(
      failures.filter((text) => /blob unknown|BLOB_UNKNOWN/i.test(text)),
      [],
    );
    await push(app, 'latest', 'windows 2');
  });

  test('are pulled and deployed while something is removed', { timeout: 120_000 }, async () => {
    const app = await newApp('pulled');
    const digests = new Map<string, string | null>();
    for (const tag of ['v1', 'v2']) digests.set(tag, (await release(app, tag, `pulled ${tag}`)).digest);
    await using watch = watching(`http://${host}/v2/`);

    for (const tag of ['v1', 'v2', 'v1', 'v2']) {
      // A release that is being drained keeps its image.
      await until('the engine has lost it', 60_000, () =>
        lose(digests.get(tag) ?? '').then(
          () => true,
          () => null,
        ),
      );
      const [record] = await Promise.all([instance.deploy(app, tag), collect()]);
      assert.deepEqual([record.status, record.error], ['succeeded', null]);
    }

    console.log(`in four collections the registry was away for ${watch.longestMs()} ms at a time at most`);
  });

  test('can be pushed after the daemon was killed while the registry took none', { timeout: 120_000 }, async () => {
    const app = await newApp('killed');
    const collecting = collect().catch(() => null);
    await until('the registry takes no pushes', 30_000, async () => ((await isReadOnly()) ? true : null));

    await instance.kill();
    assert.equal(await isReadOnly(), true, 'it was killed in the middle');
    await collecting;
    await instance.start();

    await until('the registry takes pushes', 60_000, async () =>
      (await instance.client.getOwnRegistry()).status === 'running' ? true : null,
    );
    await release(app, 'v1', 'killed');
    assert.equal(await answer(app), `${run} killed`);
  });
});

/** Watches an address until it is disposed. `longestMs`: the longest time so far in which nobody was there. */
function watching(url: string): AsyncDisposable & { longestMs(): number } {
  let longest = 0;
  let over = false;
  const looking = (async () => {
    for (let seen = performance.now(); !over; await new Promise((resolve) => setTimeout(resolve, 5))) {
      if ((await fetch(url).catch(() => null)) === null) continue;
      longest = Math.max(longest, performance.now() - seen);
      seen = performance.now();
    }
  })();
  return {
    longestMs: () => Math.round(longest),
    async [Symbol.asyncDispose]() {
      over = true;
      await looking;
    },
  };
}
