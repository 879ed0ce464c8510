/**
 * A task of an installation has the rights that its requester has at the time of each step, and names no other
 * resources to them.
 */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppCreate, DatabaseCreate, DomainCreate, ObjectStoreLink, ProjectCreate, TcpPortCreate } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import type { AppTarget } from '../../src/app-spec/app-target.ts';
import type { OpContext } from '../../src/auth/context.ts';
import { currentApp, lookUp } from '../../src/authorization/lookup.ts';
import { TASK_KINDS } from '../../src/composition/task-kinds.ts';
import { appsOfProject } from '../../src/db/tables/app.ts';
import { namedAttachmentsOfApp } from '../../src/db/tables/attachment.ts';
import { domainsOfApp } from '../../src/db/tables/domain.ts';
import { allDatabases, databaseByReference } from '../../src/db/tables/managed-database.ts';
import { storeByName } from '../../src/db/tables/object-store.ts';
import { projectBySlug } from '../../src/db/tables/project.ts';
import { putResource } from '../../src/db/tables/template-install.ts';
import { deleteUser, insertUser, setUserBlocked, setUserRights } from '../../src/db/tables/user.ts';
import { createApp, deleteApp } from '../../src/resources/apps/settings.ts';
import { changeAttachment } from '../../src/resources/attachments/attachment.ts';
import { ofBucket } from '../../src/resources/attachments/targets.ts';
import { deleteDatabase } from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { addDomain } from '../../src/resources/domains/domain.ts';
import { deleteObjectStore } from '../../src/resources/object-stores/deletion.ts';
import { linkObjectStore } from '../../src/resources/object-stores/object-store.ts';
import { createProject, deleteProject } from '../../src/resources/projects/project.ts';
import { addTcpPort } from '../../src/resources/tcp-ports/tcp-port.ts';
import { previewUpdate } from '../../src/resources/templates/install/update.ts';
import {
  type Asking,
  askInstall,
  askRetry,
  askRollback,
  askUninstall,
  askUpdate,
  fail,
  newest,
  succeed,
  variablesOf,
} from '../support/install-steps.ts';
import { type Kinds, TaskWorld } from '../support/task-world.ts';

const FILE = (more: { tag?: string; inputs?: string; app?: string; rest?: string } = {}) => `version: 1
project: shop
minCubeship: ">=0.9.0"
inputs: [${more.inputs ?? ''}]
databases: [{key: db, engine: redis}]
${more.rest ?? ''}
apps:
  - {key: web, image: registry.test/acme/web, tag: "${more.tag ?? '1'}", port: 80, attach: [{database: db}]${more.app ?? ''}}
`;

/** Template with an object store from an input, and its address in a variable. */
const STORED = `version: 1
project: shop
minCubeship: ">=0.9.0"
inputs: [{key: s, type: store, label: Store}]
databases: [{key: db, engine: redis}]
apps:
  - key: web
    image: registry.test/acme/web
    tag: "1"
    port: 80
    attach: [{store: s, bucket: media}]
    env: {ENDPOINT: "\${store.s.endpoint}"}
`;

const ENDED = /is not allowed to change this installation any more/;

/** An environment with an admin of only the project `shop`, next to another user's project `other`. */
class Asked implements AsyncDisposable {
  readonly world: TaskWorld;
  readonly paul: Asking;
  readonly userId: number;
  readonly other: AppTarget;

  private constructor(world: TaskWorld) {
    this.world = world;
    const { core, ctx } = world;
    createProject(core, ctx, ProjectCreate.parse({ slug: 'other' }));
    this.other = this.app('other', 'secret');
    const limited = { username: 'paul', role: 'admin', projects: [this.shop] } as const;
    this.userId = core.store.tx((tx) => insertUser(tx, { ...limited, passwordHash: '', at: core.now() }));
    this.paul = this.as({ ...limited, via: 'api', userId: this.userId });
  }

  static async begin(): Promise<Asked> {
    return new Asked(await TaskWorld.make());
  }

  get shop(): number {
    return projectBySlug(this.world.core.store, 'shop')?.id ?? 0;
  }

  as(actor: OpContext['actor']): Asking {
    const { core, ctx } = this.world;
    return { core, ctx: { ...ctx, actor } };
  }

  app(project: string, name: string): AppTarget {
    const { core, ctx } = this.world;
    createApp(
      core,
      ctx,
      AppCreate.parse({ project, environment: 'production', name, source: 'image', image: 'acme/x' }),
    );
    return lookUp(core.store, ctx.actor, 'read', 'app', { project, environment: 'production', app: name });
  }

  /** Runs an action between the checks of the request and a step of its task. */
  async before(step: string, act: () => unknown, kind = 'install.install'): Promise<void> {
    let isDone = false;
    const kinds: Kinds = TASK_KINDS.map((one) => ({
      ...one,
      steps: (work) =>
        one.steps(work).map((each) => ({
          ...each,
          run: async (...given) => {
            if (!isDone && one.kind === kind && each.name === step) {
              isDone = true;
              await act();
            }
            await each.run(...given);
          },
        })),
    }));
    await this.world.crash(kinds);
  }

  async link(project: string | null, key: string): Promise<void> {
    const { core, ctx } = this.world;
    const place = { provider: 'generic', region: 'eu', endpoint: `https://${key}.example.com` };
    const input = { name: 'offsite', ...place, access_key: key, secret_key: `secret-of-${key}`, project };
    await linkObjectStore(
      core,
      ctx,
      ObjectStoreLink.parse(project === null ? { ...input, project: undefined } : input),
      false,
    );
  }

  async unlink(): Promise<void> {
    const { core, ctx } = this.world;
    const row = storeByName(core.store, 'offsite');
    if (row !== undefined) await deleteObjectStore(core, ctx, row, 'offsite');
  }

  /** Returns the apps and databases of the project, one line each. */
  left(): string[] {
    const { store } = this.world.core;
    const databases = allDatabases(store).filter((row) => row.project === 'shop' && row.deleted_at === null);
    return [...appsOfProject(store, this.shop).map(({ name }) => name), ...databases.map(({ name }) => name)];
  }

  end(how: (tx: Parameters<typeof deleteUser>[0], id: number) => void): void {
    this.world.core.store.tx((tx) => how(tx, this.userId));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

const ENDS = {
  'is limited to other projects': (tx, id) => setUserRights(tx, id, 'admin', [], Date.now()),
  'is no admin any more': (tx, id) => setUserRights(tx, id, 'member', null, Date.now()),
  'is blocked': (tx, id) => setUserBlocked(tx, id, true),
  'is deleted': (tx, id) => deleteUser(tx, id),
} satisfies Record<string, Parameters<Asked['end']>[0]>;

describe('resources replaced during an installation', () => {
  for (const [whose, project] of [
    ['of the whole instance', null],
    ['of the same project', 'shop'],
  ] as const) {
    it(`an object store ${whose} with the chosen name does not share its keys`, async () => {
      await using asked = await Asked.begin();
      const { world, paul } = asked;
      await asked.link('shop', 'pauls');
      let isDeployed = false;
      await asked.before('databases', async () => {
        await asked.unlink();
        await asked.link(project, 'another');
      });
      const deploys = world.deploys.request.bind(world.deploys);
      world.deploys.request = (app, ...rest) => {
        isDeployed = true;
        return deploys(app, ...rest);
      };
      const error = await fail(world, await askInstall(paul, STORED, { inputs: { s: 'offsite' } }));
      assert.doesNotMatch(error, /another/);
      assert.deepEqual([isDeployed, asked.left()], [false, []]);
    });
  }

  it('an object store that became invisible to the user fails the installation', async () => {
    await using asked = await Asked.begin();
    const { world } = asked;
    await asked.link(null, 'instances');
    const ada = asked.as({ ...asked.paul.ctx.actor, projects: null });
    asked.end((tx, id) => setUserRights(tx, id, 'admin', null, Date.now()));
    await asked.before('apps', () => asked.end((tx, id) => setUserRights(tx, id, 'admin', [asked.shop], Date.now())));
    await fail(world, await askInstall(ada, STORED, { inputs: { s: 'offsite' } }));
    assert.deepEqual(asked.left(), []);
  });

  it('a linked object store does not replace an object store of the template', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    const file = FILE({ rest: 'stores: [{key: files, name: offsite}]', app: '' }).replace(
      'attach: [{database: db}]',
      'attach: [{store: files, bucket: media}]',
    );
    await asked.before('apps', async () => {
      await asked.unlink();
      await asked.unlink();
      await asked.link(null, 'instances');
    });
    await fail(world, await askInstall(paul, file, {}));
    assert.equal(storeByName(world.core.store, 'offsite')?.kind, 'linked');
  });

  it('a replaced database is not adopted, and the installation fails', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    const place = { project: 'shop', environment: 'production' };
    const make = async () => {
      const input = DatabaseCreate.parse({ ...place, name: 'kept', engine: 'redis' });
      await world.core.tasks.succeeded(await createDatabase(world.core, world.ctx, input), patience());
      return databaseByReference(world.core.store, 'shop/production/kept');
    };
    const first = await make();
    assert.ok(first);
    await asked.before('databases', async () => {
      deleteDatabase(world.core, world.ctx, first, 'kept');
      await make();
    });
    const how = { adopt: { databases: { db: 'shop/production/kept' } } };
    assert.match(
      await fail(world, await askInstall(paul, FILE(), how)),
      /was chosen for the installation, does not exist anymore/,
    );
    assert.deepEqual(asked.left(), ['kept']);
  });

  it('a replaced app fails the installation and stays unchanged', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    await asked.before('variables', async () => {
      const ask = { project: 'shop', environment: 'production', app: 'web' };
      await deleteApp(world.core, world.ctx, lookUp(world.core.store, world.ctx.actor, 'read', 'app', ask));
      asked.app('shop', 'web');
    });
    const file = FILE({ app: ', env: {WORD: secret}' });
    assert.match(await fail(world, await askInstall(paul, file, {})), /another app now has its name/);
    assert.deepEqual([asked.left(), variablesOf(world, 'shop/production/web')], [['web'], {}]);
  });

  for (const step of ['project', 'environment', 'databases', 'apps']) {
    it(`a project replaced before ${step} fails the installation`, async () => {
      await using asked = await Asked.begin();
      const { world } = asked;
      const { core, ctx } = world;
      await asked.before(step, async () => {
        for (const { name } of allDatabases(core.store)) {
          const row = databaseByReference(core.store, `shop/production/${name}`);
          if (row !== undefined) deleteDatabase(core, ctx, row, name);
        }
        const project = lookUp(core.store, ctx.actor, 'read', 'project', { project: 'shop' });
        await deleteProject(core, ctx, project);
        createProject(core, ctx, ProjectCreate.parse({ slug: 'shop' }));
      });
      // This also applies to an admin of all projects, because they selected another project.
      assert.match(await fail(world, await askInstall(world, FILE(), {})), /does not exist any more/);
      assert.deepEqual(asked.left(), []);
    });
  }
});

describe('installation tasks and hidden resources', () => {
  it('do not name a hidden app as the owner of a host', async () => {
    await using asked = await Asked.begin();
    const { world, paul, other } = asked;
    const { core, ctx } = world;
    const host = 'race.example.com';
    const take = () => addDomain(core, ctx, other, DomainCreate.parse({ host }));
    await asked.before('variables', take);
    const file = FILE({
      inputs: '{key: host, type: domain, label: Host}',
      app: `, domains: [{host: "\${input.host}"}]`,
    });
    const task = await askInstall(paul, file, { inputs: { host } });
    assert.equal(await fail(world, task), `${host} is already in use. Choose another host.`);
    assert.equal(domainsOfApp(core.store, other.id).length, 1);
  });

  it('do not reveal apps of a new project with the deleted project’s name', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    const { core, ctx } = world;
    await succeed(world, await askInstall(paul, FILE(), {}));
    const install = newest(world);
    // This simulates that the project was deleted and created again.
    core.store.tx((tx) => tx.run("UPDATE projects SET slug = 'former' WHERE id = ?", asked.shop));
    createProject(core, ctx, ProjectCreate.parse({ slug: 'shop' }));
    asked.app('shop', 'payments');

    const answers = await Promise.all(
      ['payments', 'nothing'].map((key) => {
        const file = `${FILE()}  - {key: ${key}, image: registry.test/acme/web, tag: "1", port: 80}\n`;
        const ask = { file, inputs: {}, remove: true };
        return previewUpdate(core, paul.ctx, install, ask).catch((error: Error) => error.message);
      }),
    );

    assert.match(String(answers[0]), /was deleted/);
    assert.equal(answers[0], answers[1]);
  });

  it('do not remove apps of a new project with the deleted project’s name', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    const { core, ctx } = world;
    await succeed(world, await askInstall(paul, FILE(), {}));
    const { id: install_id } = newest(world);
    core.store.tx((tx) => {
      const planned = { state: 'planned', key: 'payments', name: 'payments', thing_id: null } as const;
      putResource(tx, { install_id, kind: 'app', reference: 'shop/production/payments', ...planned }, core.now());
      tx.run("UPDATE projects SET slug = 'former' WHERE id = ?", asked.shop);
    });
    createProject(core, ctx, ProjectCreate.parse({ slug: 'shop' }));
    asked.app('shop', 'payments');

    await succeed(world, await askUninstall(paul));

    assert.equal(appsOfProject(core.store, asked.shop).length, 1);
  });

  it('do not name a hidden app as the owner of a port', async () => {
    await using asked = await Asked.begin();
    const { world, paul, other } = asked;
    const { core, ctx } = world;
    const ask = { container_port: 25, host_port: 26_025 };
    await asked.before('apps', () => addTcpPort(core, ctx, other, TcpPortCreate.parse(ask)));
    const file = FILE({ app: ', tcp: [{port: 25, host: 26025}]' });
    assert.equal(await fail(world, await askInstall(paul, file, {})), 'Port 26025 is in use. Choose another port.');
  });

  it('respect the project limit of the API key instead of its owner’s rights', async () => {
    await using asked = await Asked.begin();
    const { world, paul, other } = asked;
    const { core, ctx } = world;
    asked.end((tx, id) => setUserRights(tx, id, 'admin', null, Date.now()));
    const host = 'race.example.com';
    await asked.before('variables', () => addDomain(core, ctx, other, DomainCreate.parse({ host })));
    const file = FILE({
      inputs: '{key: host, type: domain, label: Host}',
      app: `, domains: [{host: "\${input.host}"}]`,
    });
    assert.match(await fail(world, await askInstall(paul, file, { inputs: { host } })), /is already in use\. Choose/);
  });
});

describe('an installation task', () => {
  for (const [title, how] of Object.entries(ENDS)) {
    for (const step of ['project', 'environment', 'databases', 'apps', 'variables', 'deploy']) {
      it(`whose user ${title} stops before ${step} and rolls back`, async () => {
        await using asked = await Asked.begin();
        const { world, paul } = asked;
        await asked.before(step, () => asked.end(how));
        assert.match(await fail(world, await askInstall(paul, FILE(), {})), ENDED);
        assert.deepEqual([asked.left(), world.errors], [[], []]);
      });
    }

    it(`whose user ${title} restores the previous release during an update`, async () => {
      await using asked = await Asked.begin();
      const { world, paul } = asked;
      await asked.link('shop', 'pauls');
      await succeed(world, await askInstall(paul, STORED, { inputs: { s: 'offsite' } }));
      const next = FILE({ tag: '2', app: ', env: {ADDED: "1"}' });
      const id = lookUp(world.core.store, world.ctx.actor, 'read', 'app', {
        ...{ project: 'shop', environment: 'production', app: 'web' },
      }).id;
      const state = () => [
        ...[currentApp(world.core.store, id).spec.tag, currentApp(world.core.store, id).liveTag],
        ...[variablesOf(world, 'shop/production/web'), namedAttachmentsOfApp(world.core.store, id)],
      ];
      const before = state();
      await asked.before('deploy', () => asked.end(how), 'install.update');
      assert.match(await fail(world, await askUpdate(paul, next)), ENDED);
      assert.deepEqual([state(), world.errors], [before, []]);
    });

    it(`whose user ${title} stops an uninstallation, and an admin can finish`, async () => {
      await using asked = await Asked.begin();
      const { world, paul } = asked;
      await succeed(world, await askInstall(paul, FILE(), {}));
      await asked.before('apps', () => asked.end(how), 'install.uninstall');
      assert.match(await fail(world, await askUninstall(paul)), ENDED);
      assert.ok(asked.left().includes('web'));
      await succeed(world, await askUninstall(world));
    });
  }

  it('deploys no further app after its user is blocked', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    const deployed: string[] = [];
    const request = world.deploys.request.bind(world.deploys);
    world.deploys.request = async (app, ...rest) => {
      deployed.push(app.reference);
      const id = await request(app, ...rest);
      asked.end(ENDS['is blocked']);
      return id;
    };
    const web = FILE({ app: ', depends_on: [first]', rest: 'minVersion: ">=0.1.0"' });
    const file = `${web}  - {key: first, image: registry.test/acme/first, tag: "1", port: 80}\n`;
    assert.match(await fail(world, await askInstall(paul, file, {})), ENDED);
    assert.deepEqual([deployed, asked.left()], [['shop/production/first'], []]);
  });
});

describe('a resumed or later task of an installation', () => {
  it('succeeds with the rights of the retrying user if the original user is deleted', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    world.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    await fail(world, await askInstall(paul, FILE(), { keep_failed: true }));
    asked.end(ENDS['is deleted']);
    await succeed(world, await askRetry(world));
  });

  it('is refused if another object store has the name of the chosen store', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    await asked.link('shop', 'pauls');
    world.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    await asked.before('databases', () => asked.unlink());
    await fail(world, await askInstall(paul, STORED, { inputs: { s: 'offsite' }, keep_failed: true }));
    await asked.link(null, 'instances');
    await assert.rejects(askRetry(world), { code: 'conflict', message: /another object store now has its name/ });
  });

  it('succeeds for an old task without a recorded requester', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    world.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    await fail(world, await askInstall(paul, FILE(), { keep_failed: true }));
    const { id } = newest(world);
    const subject = { kind: 'install', name: String(id) } as const;
    const input = { install: id, keepFailed: true };
    const asking = { kind: 'install.install', subject, projectId: asked.shop, input, by: 'gone', via: 'api' } as const;
    await succeed(world, world.core.tasks.start(asking));
  });

  it('uses the original store, and accepts a replacement only if named in the request', async () => {
    await using asked = await Asked.begin();
    const { world, paul } = asked;
    await asked.link('shop', 'pauls');
    await succeed(world, await askInstall(paul, STORED, { inputs: { s: 'offsite' } }));
    const next = STORED.replace('tag: "1"', 'tag: "2"');
    await succeed(world, await askUpdate(paul, next));
    await succeed(world, await askRollback(paul));
    const app = { project: 'shop', environment: 'production', app: 'web' };
    const row = storeByName(world.core.store, 'offsite');
    assert.ok(row);
    changeAttachment(world.core, world.ctx, ofBucket(row, 'media', app, null));
    await asked.unlink();
    await asked.link('shop', 'another');
    await assert.rejects(askUpdate(paul, next), { message: /inputs\.s: .* another object store now has its name/ });
    await succeed(world, await askUpdate(paul, next, { inputs: { s: 'offsite' } }));
  });
});
