/** `davit up -f compose.yaml` against a whole daemon on a simulated engine. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slug } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

const compose = (name: string, tag: string) => `name: ${name}
services:
  web:
    image: acme/web:${tag}
    ports: ["8080:8080"]
    environment:
      DATABASE_URL: postgres://shop:a-long-password@db:5432/shop
    privileged: true
    depends_on: [db]
  db:
    image: postgres:15
    environment: { POSTGRES_USER: shop, POSTGRES_PASSWORD: a-long-password, POSTGRES_DB: shop }
    volumes: [data:/var/lib/postgresql/data]
volumes: { data: {} }
`;

describe('davit up with a Compose file', () => {
  const on = withDavit();
  const up = (...words: string[]) => on.davit.run(['up', '-f', 'compose.yaml', ...words]);

  it('creates apps and databases, updates them on change, and does nothing otherwise', async () => {
    const project = slug('shop');
    const params = { project, environment: 'production', app: 'web' };
    await on.davit.write('compose.yaml', compose(project, 'v1'));

    const first = await up();

    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /All services are running.* web: http:\/\//);
    assert.match(first.stderr, /- web: privileged: /);
    assert.match(first.stderr, /install\.install/);
    const databases = await on.daemon.client.listDatabases();
    assert.deepEqual(
      databases.filter((one) => one.project === project).map(({ name, engine }) => [name, engine]),
      [[`${project}-db`, 'postgres']],
    );
    const { vars = {} } = await on.daemon.client.getAppEnv({ params });
    assert.doesNotMatch(JSON.stringify(vars), /a-long-password/);
    assert.equal((await on.daemon.client.getApp({ params })).tag, 'v1');

    const again = await up();
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /nothing to do/);

    await on.davit.write('compose.yaml', compose(project, 'v2'));
    const second = await up('--json');
    assert.equal(second.code, 0, second.stderr);
    assert.equal(JSON.parse(second.stdout).task.kind, 'install.update');
    const app = await on.daemon.client.getApp({ params });
    assert.deepEqual([app.tag, app.status], ['v2', 'running']);
    assert.equal((await on.daemon.client.listDatabases()).filter((one) => one.project === project).length, 1);
  });

  it('keeps the apps of another Compose file and reports the apps to be removed', async () => {
    const project = slug('shop');
    const services = (...names: string[]) =>
      ['services:', ...names.map((name) => `  ${name}: { image: acme/${name}:v1 }`), ''].join('\n');
    const apps = async () =>
      (await on.daemon.client.listApps()).filter((one) => one.project === project).map(({ name }) => name);
    await on.davit.write('compose.yaml', services('web', 'worker'));
    assert.equal((await up('-p', project)).code, 0);

    await on.davit.write('other.compose.yaml', services('mail'));
    const other = await on.davit.run(['up', '-f', 'other.compose.yaml', '-p', project]);
    assert.equal(other.code, 0, other.stderr);
    assert.match(other.stderr, /install\.install/);
    assert.deepEqual((await apps()).sort(), ['mail', 'web', 'worker']);

    await on.davit.write('compose.yaml', services('web'));
    const less = await up('-p', project);
    assert.equal(less.code, 0, less.stderr);
    assert.match(less.stderr, /- worker is no longer in the file. Davit removes the app/);
    assert.deepEqual((await apps()).sort(), ['mail', 'web']);
  });

  it('refuses an invalid file, a wrong input or an unsupported option before creating anything', async () => {
    const before = await on.daemon.client.listTemplateInstalls();
    await on.davit.write('compose.yaml', 'hello: there\n');
    const none = await up();
    assert.equal(none.code, 6, none.stderr);

    await on.davit.write('compose.yaml', compose(slug('shop'), 'v1'));
    const wrong = await up('-i', 'domain=no host');
    assert.equal(wrong.code, 2, wrong.stderr);
    assert.match(wrong.stderr, /inputs\.\w*[dD]omain/);
    for (const words of [['--tag', 'v3'], ['--registry', 'r.example'], ['--allow-outside-paths']])
      assert.equal((await up(...words)).code, 2);
    assert.equal((await on.davit.run(['up', '-f', 'missing.compose.yaml'])).code, 2);
    assert.equal((await on.daemon.client.listTemplateInstalls()).length, before.length);
  });
});
