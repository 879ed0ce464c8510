/** Tests `davit up -f compose.yaml` against a complete daemon with a simulated engine. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
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

  it('uses the files beside the Compose file, and updates the app when one changes', async () => {
    const project = slug('shop');
    const params = { project, environment: 'production', app: 'web' };
    const write = (name: string, text: string) => on.davit.write(`${project}/${name}`, text);
    await write(
      'compose.yaml',
      'services: { web: { image: "acme/web:v1", env_file: web.env, volumes: ["./site.conf:/etc/site.conf:ro"] } }',
    );
    await write('web.env', 'COLOUR=green\n');
    await write('site.conf', 'listen 80;\n');
    const upThere = () => on.davit.run(['up', '-f', `${project}/compose.yaml`]);

    const first = await upThere();

    assert.equal(first.code, 0, first.stderr);
    const app = await on.daemon.client.getApp({ params });
    assert.deepEqual(
      app.files.map(({ path }) => path),
      ['/etc/site.conf'],
    );
    assert.deepEqual((await on.daemon.client.getAppEnv({ params })).vars?.COLOUR, 'green');
    assert.match((await upThere()).stdout, /nothing to do/);

    await write('site.conf', 'listen 8080;\n');
    const second = await upThere();
    assert.equal(second.code, 0, second.stderr);
    const changed = await on.daemon.client.getApp({ params });
    assert.notEqual(changed.files[0]?.version, app.files[0]?.version);
  });

  const services = (...names: string[]) =>
    ['services:', ...names.map((name) => `  ${name}: { image: acme/${name}:v1 }`), ''].join('\n');
  const appsOf = async (project: string) =>
    (await on.daemon.client.listApps())
      .filter((one) => one.project === project)
      .map(({ name }) => name)
      .sort();

  it('refuses another Compose file for the same project, unless the user names the installation', async () => {
    const project = slug('shop');
    for (const folder of ['one', 'two'])
      await on.davit.write(`${folder}/${project}/compose.yaml`, services('web', folder));
    const upIn = (folder: string, ...words: string[]) =>
      on.davit.run(['up', '-f', `${folder}/${project}/compose.yaml`, ...words]);
    const first = await upIn('one');
    assert.equal(first.code, 0, first.stderr);
    assert.deepEqual(await appsOf(project), ['one', 'web']);

    const other = await upIn('two', '--yes');
    assert.equal(other.code, 6, other.stderr);
    const install = /--install (\d+)/.exec(other.stderr)?.[1] ?? '';
    assert.match(other.stderr, /Another Compose file is already installed in .*: installation \d+ with .*web/);
    assert.deepEqual(await appsOf(project), ['one', 'web']);
    const again = await upIn('two', '--yes');
    assert.equal(again.code, 6, 'a refused file does not get an ID');

    const unasked = await upIn('two', '--install', install, '--remove', 'one');
    assert.equal(unasked.code, 2, unasked.stderr);
    assert.match(unasked.stderr, /installed from a Compose file with another ID/);
    assert.deepEqual(await appsOf(project), ['one', 'web']);

    const bound = await upIn('two', '--install', install, '--yes', '--remove', 'one');
    assert.equal(bound.code, 0, bound.stderr);
    assert.deepEqual(await appsOf(project), ['two', 'web']);
    const same = await upIn('two');
    assert.match(same.stdout, /nothing to do/);
  });

  it('removes an app only after its name was confirmed, and never all apps', async () => {
    const project = slug('shop');
    await on.davit.write('compose.yaml', services('web', 'worker', 'mail'));
    assert.equal((await up('-p', project)).code, 0);

    await on.davit.write('compose.yaml', services('web'));
    for (const words of [[], ['--yes'], ['--yes', '--remove', 'worker'], ['--remove', 'worker', '--remove', 'mail']]) {
      const refused = await up('-p', project, ...words);
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, /--yes .*--remove/);
    }
    assert.deepEqual(await appsOf(project), ['mail', 'web', 'worker']);
    const removed = await up('-p', project, '--yes', '--remove', 'worker', '--remove', 'mail');
    assert.equal(removed.code, 0, removed.stderr);
    assert.deepEqual(await appsOf(project), ['web']);

    await on.davit.write('compose.yaml', services('api'));
    const all = await up('-p', project, '--yes', '--remove', 'web');
    assert.equal(all.code, 6, all.stderr);
    assert.match(all.stderr, /remove all of them: web\..*davit template uninstall/);
    assert.deepEqual(await appsOf(project), ['web']);
  });

  it('refuses to start without the data of an earlier installation, and adopts it on request', async () => {
    const project = slug('shop');
    const file = compose(project, 'v1').replace('privileged: true', 'volumes: [files:/data]');
    await on.davit.write(`${project}/compose.yaml`, file);
    const upHere = (...words: string[]) => on.davit.run(['up', '-f', `${project}/compose.yaml`, ...words]);
    const first = await upHere();
    assert.equal(first.code, 0, first.stderr);
    const ids = async () => {
      const databases = (await on.daemon.client.listDatabases()).filter((one) => one.project === project);
      const volumes = (await on.daemon.client.listVolumes()).filter(({ app }) => app.startsWith(`${project}/`));
      return [...databases, ...volumes].map(({ id }) => id);
    };
    const before = await ids();
    assert.equal(before.length, 2);
    const [install] = await on.daemon.client.listTemplateInstalls();
    const removed = await on.davit.run(['template', 'uninstall', String(install?.id), '--yes']);
    assert.equal(removed.code, 0, removed.stderr);

    const refused = await upHere();
    assert.equal(refused.code, 6, refused.stderr);
    assert.match(
      refused.stderr,
      new RegExp(`the database ${project}/production/${project}-db, the volume /data of ${project}/production/web`),
    );
    assert.match(refused.stderr, /--adopt-data/);
    assert.deepEqual(await appsOf(project), []);

    const adopted = await upHere('--adopt-data');
    assert.equal(adopted.code, 0, adopted.stderr);
    assert.deepEqual(await appsOf(project), ['web']);
    assert.deepEqual(await ids(), before);
  });

  it('names the project after the folder of a file without a name', async () => {
    const project = slug('shop');
    await on.davit.write(`${project}/compose.yaml`, services('web'));
    const { code, stderr } = await on.davit.run(['up', '-f', `${project}/compose.yaml`]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await appsOf(project), ['web']);
  });

  it('refuses a file that is installed in another project, unless the user names a project', async () => {
    const [first, second] = [slug('shop'), slug('shop')];
    await on.davit.write('compose.yaml', services('web'));
    assert.equal((await up('-p', first)).code, 0);

    await on.davit.write('compose.yaml', `name: ${second}\n${services('web')}`);
    const moved = await up();
    assert.equal(moved.code, 6, moved.stderr);
    assert.match(moved.stderr, new RegExp(`already installed in ${first}/production .*--project ${second}`));
    assert.deepEqual(await appsOf(second), []);
    assert.equal((await up('-p', second)).code, 0);
    assert.deepEqual(await appsOf(second), ['web']);
  });

  it('does not write through links of a repository', async () => {
    const project = slug('shop');
    const victim = join(on.davit.folder, `victim-${project}`);
    await on.davit.write(`victim-${project}/kept`, 'kept');
    await on.davit.write(`${project}/compose.yaml`, services('web'));
    await symlink(victim, join(on.davit.folder, project, '.davit'));
    const linkedFolder = await on.davit.run(['up', '-f', `${project}/compose.yaml`]);
    assert.equal(linkedFolder.code, 1, linkedFolder.stderr);
    assert.deepEqual(await readdir(victim), ['kept']);
    assert.deepEqual(await appsOf(project), []);

    await rm(join(on.davit.folder, project, '.davit'));
    await mkdir(join(on.davit.folder, project, '.davit'));
    await symlink(join(victim, 'kept'), join(on.davit.folder, project, '.davit/compose.json'));
    const linkedFile = await on.davit.run(['up', '-f', `${project}/compose.yaml`]);
    assert.equal(linkedFile.code, 2, linkedFile.stderr);
    assert.equal(await readFile(join(victim, 'kept'), 'utf8'), 'kept');
  });

  it('refuses a damaged ID file before it changes anything', async () => {
    const project = slug('shop');
    await on.davit.write(`${project}/compose.yaml`, services('web'));
    for (const text of [
      '{"files": {"compose.yaml": 7}}',
      '{"files": {"$(id)": "12345678"}}',
      '[]',
      'x'.repeat(100_000),
    ]) {
      await on.davit.write(`${project}/.davit/compose.json`, text);
      const { code, stderr } = await on.davit.run(['up', '-f', `${project}/compose.yaml`]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /compose\.json is not a list of file IDs/);
    }
    assert.deepEqual(await appsOf(project), []);
  });

  const WEB = '  web: { image: "acme/web:v1" }';
  for (const [fault, text, says] of [
    ['no YAML mapping', '- web\n', /is not a Compose file/],
    ['an unknown key instead of services', 'hello: there\n', /it has no `services`/],
    ['an unknown key instead of image', 'services: { web: { imge: "acme/web:v1" } }', /neither an image nor a build/],
    ['only a build', 'services: { web: { build: . } }', /web: build: .*\n.*“web” has no `image`.* add `image`/],
    ['a service with only a build', `services:\n${WEB}\n  a: { build: ./a }\n`, /“a” has no `image`/],
    ['an invalid image', 'services: { web: { image: "not an image" } }', /is not a valid image name/],
    ['an unsupported value', 'services: { web: { image: a, command: "serve $APP_SECRET" } }', /contains the secret/],
    ['only databases', 'services: { db: { image: "postgres:17" } }', /only databases/],
  ] as const)
    it(`ends with the exit code of an invalid value for a file with ${fault}`, async () => {
      const folder = slug('faulty');
      await on.davit.write(`${folder}/compose.yaml`, text);

      const refused = await on.davit.run(['up', '-f', `${folder}/compose.yaml`]);

      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, says);
      assert.match(refused.stderr, /error: \S+compose\.yaml cannot be used: .* Nothing was changed\./);
      assert.doesNotMatch(refused.stderr, /example\.com|template that uses/, 'the file contains no template');
      assert.deepEqual(await readdir(join(on.davit.folder, folder)), ['compose.yaml']);
      assert.deepEqual(await appsOf(folder), []);
    });

  it('shows the line and column of invalid YAML like for a davit.yaml', async () => {
    const folder = slug('broken');
    const lines = ['web:', '  image: [', 'ports: x', ''];
    await on.davit.write(`${folder}/compose.yaml`, `services:\n  ${lines.join('\n  ')}`);
    await on.davit.write(`${folder}/davit.yaml`, `settings:\n  ${lines.join('\n  ')}`);

    const compose = await on.davit.run(['up', '-f', `${folder}/compose.yaml`]);
    const davit = await on.davit.run(['up', '-f', `${folder}/davit.yaml`]);

    assert.deepEqual([compose.code, davit.code], [2, 2], compose.stderr);
    assert.match(compose.stderr, /compose\.yaml:\d:\d+: .*\n {2}\d \| /);
    const asDavit = compose.stderr.replaceAll('compose.yaml', 'davit.yaml').replaceAll('services:', 'settings:');
    assert.equal(asDavit, davit.stderr);
  });

  it('recognizes a Compose file with another name by its content', async () => {
    const project = slug('shop');
    await on.davit.write('stack.yml', services('web'));

    const first = await on.davit.run(['up', '-f', 'stack.yml', '-p', project]);

    assert.equal(first.code, 0, first.stderr);
    assert.deepEqual(await appsOf(project), ['web']);
    const again = await on.davit.run(['up', '-f', 'stack.yml', '-p', project]);
    assert.match(again.stdout, /nothing to do/, again.stderr);
    for (const name of ['missing.yml', 'missing.compose.yaml']) {
      const missing = await on.davit.run(['up', '-f', name, '-p', project]);
      assert.deepEqual([missing.code, missing.stderr], [2, `error: ${name} not found. Check the path in --file.\n`]);
    }
  });

  it('refuses a wrong input or an unsupported option before creating anything', async () => {
    const before = await on.daemon.client.listTemplateInstalls();
    const folder = slug('shop');
    await on.davit.write(`${folder}/compose.yaml`, compose(folder, 'v1'));
    const wrong = await on.davit.run(['up', '-f', `${folder}/compose.yaml`, '-i', 'domain=no host']);
    assert.equal(wrong.code, 2, wrong.stderr);
    assert.match(wrong.stderr, /error: --input \w*[dD]omain: /);
    assert.deepEqual(await readdir(join(on.davit.folder, folder)), ['compose.yaml'], 'the file gets no ID');

    await on.davit.write('compose.yaml', compose(slug('shop'), 'v1'));
    for (const words of [['--tag', 'v3'], ['--registry', 'r.example'], ['--allow-outside-paths']])
      assert.equal((await up(...words)).code, 2);
    assert.equal((await on.davit.run(['up', '-f', 'missing.compose.yaml'])).code, 2);
    assert.equal((await on.daemon.client.listTemplateInstalls()).length, before.length);
  });
});
