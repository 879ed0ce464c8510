/**
 * A template from a catalog on a real engine. Its database and its app start. An update keeps the data of the database,
 * and so does the removal of the app unless the user requests the deletion of the data.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Task } from '@davit/api';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import { EXAMPLES, makeExampleRepositories } from '../../../scripts/example-catalog.ts';
import { belongingsOf } from '../../support/instance-removal.ts';
import { done, psql } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

const TEMPLATE = (image: string, tag: string, memory: string) => `version: 1
name: Guestbook
minCubeship: "0.6.0"
project: guestbook
inputs:
  - {key: token, type: secret, label: Token, generate: 24}
databases:
  - {key: db, name: book, engine: postgres, version: "15", limits: {memory: ${memory}}}
apps:
  - key: web
    image: ${image}
    tag: ${tag}
    port: 8080
    attach: [{database: db}]
    limits: {cpu: 0.5, memory: 64Mi}
    env: {TOKEN: "\${input.token}", BOOK_HOST: "\${db.db.host}"}
`;

const BOOK = 'guestbook/production/book';
const INSTALL = { install: '1' };
const WAITED = { wait: 'true' } as const;

describe('a template on a real engine', { skip: inLong.skip }, () => {
  let harness: LiveHarness;
  let catalog: TestCatalog;
  let folder: string;

  before(async () => {
    harness = await LiveHarness.create();
    folder = mkdtempSync(join(tmpdir(), 'davit-live-templates-'));
    writeTemplate(join(folder, 'sources/acme/guestbook-template'), {
      'v1.0.0': TEMPLATE(harness.image, 'v1', '256Mi'),
      'v2.0.0': TEMPLATE(harness.image, 'v2', '384Mi'),
    });
    await makeExampleRepositories(join(folder, 'repositories'), join(folder, 'sources'));
    catalog = await bootCatalog({ source: join(folder, 'repositories') });
    await catalog.passOnce();
    await harness.client.patchSettings({ body: { catalog: { url: catalog.url } } });
  });
  after(async () => {
    await catalog[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
    await harness[Symbol.asyncDispose]();
  });

  const limitOf = async () => {
    const own = `davit.instance=${harness.instance.id}`;
    const filters = { label: [own, 'davit.kind=database', `davit.app=${BOOK}`] };
    const [container] = await harness.docker.listContainers({ filters });
    const { HostConfig } = await harness.docker.getContainer(container?.Id ?? '').inspect();
    return HostConfig.Memory;
  };
  const words = () => psql(harness, BOOK, 'book', 'SELECT word FROM kept');

  it('installs with its database, keeps data through updates and removals, and uninstalls completely', async () => {
    const { client } = harness;
    const path = { owner: 'acme', name: 'guestbook-template' };
    await done(client.installTemplate({ params: path, query: WAITED, body: { release: 'v1.0.0' } }));
    const app = await client.getApp({ params: { project: 'guestbook', environment: 'production', app: 'web' } });
    assert.equal(app.status, 'running');
    assert.equal((await harness.get(app.suggested_host)).status, 200);
    assert.equal(await limitOf(), 256 * 1024 ** 2);
    await psql(harness, BOOK, 'book', "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('here')");

    await done(client.updateTemplateInstall({ params: INSTALL, query: WAITED }));
    assert.match((await harness.get(app.suggested_host)).text, /v2/);
    assert.equal(await limitOf(), 384 * 1024 ** 2);
    assert.equal((await words()).trim(), 'here');

    await done(client.uninstallTemplate({ params: INSTALL, query: WAITED }));
    assert.equal((await harness.get(app.suggested_host)).status, 404);
    assert.equal((await words()).trim(), 'here');

    const again = { adopt: { databases: { db: BOOK } } };
    await done(client.installTemplate({ params: path, query: WAITED, body: again }));
    assert.equal((await harness.get(app.suggested_host)).status, 200);
    assert.equal((await words()).trim(), 'here');

    const gone = { keep_data: false, confirm: 'guestbook/production' };
    await done(client.uninstallTemplate({ params: { install: '2' }, query: WAITED, body: gone }));
    assert.ok((await client.listProjects()).every(({ slug }) => slug !== 'guestbook'));
    const trash = await client.listTrashedDatabases();
    assert.deepEqual(
      trash.map(({ name }) => name),
      ['book'],
    );
    await client.destroyDatabase({ params: { trashed: String(trash[0]?.id) }, query: { confirm: 'book' } });
    const { containers, networks, volumes } = await belongingsOf(harness.docker, harness.instance.id ?? '');
    const left = containers.filter(({ kind }) => kind === 'app' || kind === 'database');
    assert.deepEqual([left, networks, volumes], [[], [], []]);
  });

  it('leaves no project or database after a failed installation', async () => {
    const source = { file: TEMPLATE(harness.image, 'crash', '256Mi') };
    const body = { source, project: 'broken' };
    const task = (await harness.client.installTemplateFile({ query: WAITED, body })) as Task;
    assert.equal(task.status, 'failed');
    assert.match(task.error ?? '', /^broken\/production\/web could not be deployed: /);
    const projects = await harness.client.listProjects();
    assert.ok(projects.every(({ slug }) => slug !== 'broken'));
    assert.deepEqual(await harness.client.listTrashedDatabases(), []);
  });
});

function writeTemplate(folder: string, releases: Record<string, string>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'repository.json'), JSON.stringify({ id: 1, topics: ['davit-template'] }));
  for (const [at, [tag, file]] of Object.entries(releases).entries()) {
    mkdirSync(join(folder, tag));
    const published_at = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString().replace('.000Z', 'Z');
    writeFileSync(join(folder, tag, 'release.json'), JSON.stringify({ published_at }));
    writeFileSync(join(folder, tag, 'template.yaml'), file);
    writeFileSync(join(folder, tag, 'README.md'), `# ${tag}\n`);
    copyFileSync(join(EXAMPLES, 'davit-examples/hello-template/v1.0.0/icon.png'), join(folder, tag, 'icon.png'));
  }
}
