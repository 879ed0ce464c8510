/**
 * The published templates on a real engine. A registry of this machine replaces the public registries. Each image is
 * replaced by one that listens on the port of the template and answers its health path. Everything else is real.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Task } from '@davit/api';
import {
  answersTo,
  isOfImages,
  PUBLISHED,
  type Published,
} from '../../../packages/daemon/test/support/published-templates.ts';
import { customImage } from '../../support/docker-images.ts';
import { createdDatabase } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { OpenRegistry } from '../../support/open-registry.ts';
import { inLong } from '../../support/tiers.ts';

const WAITED = { wait: 'true' } as const;
/** Image that is built on this machine and replaces later versions. */
const MADE = 'davit/postgres:15';
const STOOD_IN = ['16', '17', '18'];

/** Script that serves one page at one path, whatever arguments it gets. */
const SERVE = [
  'page="/www$STUB_PATH"',
  'case "$page" in */) page="$page"index.html ;; esac',
  'mkdir -p "$(dirname "$page")"',
  'echo stub > "$page"',
  'exec httpd -f -p "$PORT" -h /www',
].join('; ');

describe('the published templates on a real engine', { skip: inLong.skip }, () => {
  let harness: LiveHarness;
  let registry: OpenRegistry;

  before(async () => {
    harness = await LiveHarness.create();
    registry = await OpenRegistry.start(harness.docker);
    const { client, docker, instance } = harness;
    await client.patchSettings({ body: { registries: { private_hosts: [new URL(registry.url).host] } } });
    // The creation of a database makes Davit build the image.
    await createdDatabase(
      { docker, client, instance },
      { project: await harness.project(), name: 'made', engine: 'postgres' },
    );
    await Promise.all(STOOD_IN.map((tag) => docker.getImage(MADE).tag({ repo: 'postgres', tag })));
  });
  after(async () => {
    await Promise.all(STOOD_IN.map((tag) => harness.docker.getImage(`postgres:${tag}`).remove({ noprune: true })));
    await registry[Symbol.asyncDispose]();
    await harness[Symbol.asyncDispose]();
  });

  for (const published of PUBLISHED.filter(isOfImages))
    it(`${published.name} installs, serves requests and is uninstalled`, { skip: whyNot(published) }, () =>
      installs(published),
    );

  async function installs(published: Published): Promise<void> {
    const { name, manifest } = published;
    const { client } = harness;
    const file = await stoodInFor(published);
    const body = { source: { file }, project: name, inputs: answersTo(published) };
    const task = (await client.installTemplateFile({ query: WAITED, body })) as Task;
    assert.equal(task.status, 'succeeded', `${task.error} ${task.log?.join('\n')}`);
    for (const { name: app, port, health } of manifest.apps) {
      const made = await client.getApp({ params: { project: name, environment: 'production', app } });
      assert.equal(made.status, 'running', app);
      if (port === null) continue;
      const answer = await harness.get(made.domains[0]?.host ?? made.suggested_host, health ?? '/');
      assert.deepEqual([answer.status, answer.text.trim()], [200, 'stub'], app);
    }
    for (const { name: database, engine } of manifest.databases) {
      const made = await client.getDatabase({ params: { project: name, environment: 'production', database } });
      assert.deepEqual([made.status, made.engine], ['running', engine], database);
    }
    const removal = { keep_data: false, confirm: `${name}/production` };
    const gone = await client.uninstallTemplate({
      params: { install: task.subject.name },
      query: WAITED,
      body: removal,
    });
    assert.equal(gone.status, 'succeeded', gone.error ?? '');
    assert.ok((await client.listProjects()).every(({ slug }) => slug !== name));
  }

  /** Returns the text of a template in which all images are in the registry of this machine. */
  async function stoodInFor({ file, manifest }: Published): Promise<string> {
    const host = new URL(registry.url).host;
    for (const { source, health } of manifest.apps) {
      if (source.type !== 'image') continue;
      const serve = `ENTRYPOINT ${JSON.stringify(['sh', '-c', SERVE])}`;
      const stub = await customImage(harness.docker, 'published', [`ENV STUB_PATH=${health ?? '/'}`, serve]);
      const [repo, tag] = [`${host}/${source.image}`, source.tag ?? 'latest'];
      await harness.docker.getImage(stub).tag({ repo, tag });
      const image = harness.docker.getImage(`${repo}:${tag}`);
      await pushed(await image.push({ authconfig: {} }));
      await image.remove({ noprune: true });
    }
    const text = file.replace(/^(\s*(?:- )?image:\s*["']?)(?=\S)/gm, (start) => `${start}${host}/`);
    // The older format does not support a registry with a port.
    return `minVersion: "0.1.0"\n${text}`;
  }

  function pushed(progress: NodeJS.ReadableStream): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    harness.docker.modem.followProgress(progress, (error, lines: { error?: string }[] | null) => {
      const failure = error?.message ?? lines?.find((line) => line.error !== undefined)?.error;
      if (failure === undefined) resolve();
      else reject(new Error(`push: ${failure}`));
    });
    return promise;
  }
});

function whyNot({ manifest }: Published): string | false {
  const missing = manifest.databases.find(({ engine }) => engine === 'mysql' || engine === 'mongodb');
  return missing === undefined
    ? false
    : `the image ${missing.engine}:${missing.version} is not at this engine, and no registry has it here`;
}
