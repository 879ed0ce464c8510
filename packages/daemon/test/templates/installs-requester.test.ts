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
  fail,
  newest,
  requestInstall,
  requestRetry,
  requestRollback,
  requestUninstall,
  requestUpdate,
  succeed,
  variablesOf,
} from '../support/install-steps.ts';
import { type Kinds, TaskHarness } from '../support/task-harness.ts';

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
class RequesterFixture implements AsyncDisposable {
  readonly world: TaskHarness;
  readonly paul: Asking;
  readonly userId: number;
  readonly other: AppTarget;

  private constructor(harness: TaskHarness) {
    this.world = harness;
    const { core, ctx } = harness;
    createProject(core, ctx, ProjectCreate.parse({ slug: 'other' }));
    this.other = this.app('other', 'secret');
    const limited = { username: 'paul', role: 'admin', projects: [this.shop] } as const;
    this.userId = core.store.tx((tx) => insertUser(tx, { ...limited, passwordHash: '', at: core.now() }));
    this.paul = this.as({ ...limited, via: 'api', userId: this.userId });
  }

  static async begin(): Promise<RequesterFixture> {
    return new RequesterFixture(await TaskHarness.make());
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
    const connection = { provider: 'generic', region: 'eu', endpoint: `https://${key}.example.com` };
    const input = { name: 'offsite', ...connection, access_key: key, secret_key: `secret-of-${key}`, project };
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
} satisfies Record<string, Parameters<RequesterFixture['end']>[0]>;

describe('resources replaced during an installation', () => {
  for (const [whose, project] of [
    ['of the whole instance', null],
    ['of the same project', 'shop'],
  ] as const) {
    it(`an object store ${whose} with the chosen name does not share its keys`, async () => {
      await using fixture = await RequesterFixture.begin();
      const { world: harness, paul } = fixture;
      await fixture.link('shop', 'pauls');
      let isDeployed = false;
      await fixture.before('databases', async () => {
        await fixture.unlink();
        await fixture.link(project, 'another');
      });
      const deploys = harness.deploys.request.bind(harness.deploys);
      harness.deploys.request = (app, ...rest) => {
        isDeployed = true;
        return deploys(app, ...rest);
      };
      const error = await fail(harness, await requestInstall(paul, STORED, { inputs: { s: 'offsite' } }));
      assert.doesNotMatch(error, /another/);
      assert.deepEqual([isDeployed, fixture.left()], [false, []]);
    });
  }

  it('an object store that became invisible to the user fails the installation', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness } = fixture;
    await fixture.link(null, 'instances');
    const ada = fixture.as({ ...fixture.paul.ctx.actor, projects: null });
    fixture.end((tx, id) => setUserRights(tx, id, 'admin', null, Date.now()));
    await fixture.before('apps', () =>
      fixture.end((tx, id) => setUserRights(tx, id, 'admin', [fixture.shop], Date.now())),
    );
    await fail(harness, await requestInstall(ada, STORED, { inputs: { s: 'offsite' } }));
    assert.deepEqual(fixture.left(), []);
  });

  it('a linked object store does not replace an object store of the template', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    const file = FILE({ rest: 'stores: [{key: files, name: offsite}]', app: '' }).replace(
      'attach: [{database: db}]',
      'attach: [{store: files, bucket: media}]',
    );
    await fixture.before('apps', async () => {
      await fixture.unlink();
      await fixture.unlink();
      await fixture.link(null, 'instances');
    });
    await fail(harness, await requestInstall(paul, file, {}));
    assert.equal(storeByName(harness.core.store, 'offsite')?.kind, 'linked');
  });

  it('a replaced database is not adopted, and the installation fails', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    const target = { project: 'shop', environment: 'production' };
    const make = async () => {
      const input = DatabaseCreate.parse({ ...target, name: 'kept', engine: 'redis' });
      await harness.core.tasks.succeeded(await createDatabase(harness.core, harness.ctx, input), patience());
      return databaseByReference(harness.core.store, 'shop/production/kept');
    };
    const first = await make();
    assert.ok(first);
    await fixture.before('databases', async () => {
      deleteDatabase(harness.core, harness.ctx, first, 'kept');
      await make();
    });
    const how = { adopt: { databases: { db: 'shop/production/kept' } } };
    assert.match(
      await fail(harness, await requestInstall(paul, FILE(), how)),
      /was chosen for the installation, does not exist anymore/,
    );
    assert.deepEqual(fixture.left(), ['kept']);
  });

  it('a replaced app fails the installation and stays unchanged', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    await fixture.before('variables', async () => {
      const target = { project: 'shop', environment: 'production', app: 'web' };
      await deleteApp(harness.core, harness.ctx, lookUp(harness.core.store, harness.ctx.actor, 'read', 'app', target));
      fixture.app('shop', 'web');
    });
    const file = FILE({ app: ', env: {WORD: secret}' });
    assert.match(await fail(harness, await requestInstall(paul, file, {})), /another app now has its name/);
    assert.deepEqual([fixture.left(), variablesOf(harness, 'shop/production/web')], [['web'], {}]);
  });

  for (const step of ['project', 'environment', 'databases', 'apps']) {
    it(`a project replaced before ${step} fails the installation`, async () => {
      await using fixture = await RequesterFixture.begin();
      const { world: harness } = fixture;
      const { core, ctx } = harness;
      await fixture.before(step, async () => {
        for (const { name } of allDatabases(core.store)) {
          const row = databaseByReference(core.store, `shop/production/${name}`);
          if (row !== undefined) deleteDatabase(core, ctx, row, name);
        }
        const project = lookUp(core.store, ctx.actor, 'read', 'project', { project: 'shop' });
        await deleteProject(core, ctx, project);
        createProject(core, ctx, ProjectCreate.parse({ slug: 'shop' }));
      });
      // This also applies to an admin of all projects, because they selected another project.
      assert.match(await fail(harness, await requestInstall(harness, FILE(), {})), /does not exist any more/);
      assert.deepEqual(fixture.left(), []);
    });
  }
});

describe('installation tasks and hidden resources', () => {
  it('do not name a hidden app as the owner of a host', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul, other } = fixture;
    const { core, ctx } = harness;
    const host = 'race.example.com';
    const take = () => addDomain(core, ctx, other, DomainCreate.parse({ host }));
    await fixture.before('variables', take);
    const file = FILE({
      inputs: '{key: host, type: domain, label: Host}',
      app: `, domains: [{host: "\${input.host}"}]`,
    });
    const task = await requestInstall(paul, file, { inputs: { host } });
    assert.equal(await fail(harness, task), `${host} is already in use. Choose another host.`);
    assert.equal(domainsOfApp(core.store, other.id).length, 1);
  });

  it('do not reveal apps of a new project with the deleted project’s name', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    const { core, ctx } = harness;
    await succeed(harness, await requestInstall(paul, FILE(), {}));
    const install = newest(harness);
    // This simulates that the project was deleted and created again.
    core.store.tx((tx) => tx.run("UPDATE projects SET slug = 'former' WHERE id = ?", fixture.shop));
    createProject(core, ctx, ProjectCreate.parse({ slug: 'shop' }));
    fixture.app('shop', 'payments');

    const answers = await Promise.all(
      ['payments', 'nothing'].map((key) => {
        const file = `${FILE()}  - {key: ${key}, image: registry.test/acme/web, tag: "1", port: 80}\n`;
        const request = { file, inputs: {}, keep_removed: false };
        return previewUpdate(core, paul.ctx, install, request).catch((error: Error) => error.message);
      }),
    );

    assert.match(String(answers[0]), /was deleted/);
    assert.equal(answers[0], answers[1]);
  });

  it('do not remove apps of a new project with the deleted project’s name', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    const { core, ctx } = harness;
    await succeed(harness, await requestInstall(paul, FILE(), {}));
    const { id: install_id } = newest(harness);
    core.store.tx((tx) => {
      const planned = { state: 'planned', key: 'payments', name: 'payments', thing_id: null } as const;
      putResource(tx, { install_id, kind: 'app', reference: 'shop/production/payments', ...planned }, core.now());
      tx.run("UPDATE projects SET slug = 'former' WHERE id = ?", fixture.shop);
    });
    createProject(core, ctx, ProjectCreate.parse({ slug: 'shop' }));
    fixture.app('shop', 'payments');

    await succeed(harness, await requestUninstall(paul));

    assert.equal(appsOfProject(core.store, fixture.shop).length, 1);
  });

  it('do not name a hidden app as the owner of a port', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul, other } = fixture;
    const { core, ctx } = harness;
    const input = { container_port: 25, host_port: 26_025 };
    await fixture.before('apps', () => addTcpPort(core, ctx, other, TcpPortCreate.parse(input)));
    const file = FILE({ app: ', tcp: [{port: 25, host: 26025}]' });
    assert.equal(
      await fail(harness, await requestInstall(paul, file, {})),
      'Port 26025 is in use. Choose another port.',
    );
  });

  it('respect the project limit of the API key instead of its owner’s rights', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul, other } = fixture;
    const { core, ctx } = harness;
    fixture.end((tx, id) => setUserRights(tx, id, 'admin', null, Date.now()));
    const host = 'race.example.com';
    await fixture.before('variables', () => addDomain(core, ctx, other, DomainCreate.parse({ host })));
    const file = FILE({
      inputs: '{key: host, type: domain, label: Host}',
      app: `, domains: [{host: "\${input.host}"}]`,
    });
    assert.match(
      await fail(harness, await requestInstall(paul, file, { inputs: { host } })),
      /is already in use\. Choose/,
    );
  });
});

describe('an installation task', () => {
  for (const [title, how] of Object.entries(ENDS)) {
    for (const step of ['project', 'environment', 'databases', 'apps', 'variables', 'deploy']) {
      it(`whose user ${title} stops before ${step} and rolls back`, async () => {
        await using fixture = await RequesterFixture.begin();
        const { world: harness, paul } = fixture;
        await fixture.before(step, () => fixture.end(how));
        assert.match(await fail(harness, await requestInstall(paul, FILE(), {})), ENDED);
        assert.deepEqual([fixture.left(), harness.errors], [[], []]);
      });
    }

    it(`whose user ${title} restores the previous release during an update`, async () => {
      await using fixture = await RequesterFixture.begin();
      const { world: harness, paul } = fixture;
      await fixture.link('shop', 'pauls');
      await succeed(harness, await requestInstall(paul, STORED, { inputs: { s: 'offsite' } }));
      const next = FILE({ tag: '2', app: ', env: {ADDED: "1"}' });
      const id = lookUp(harness.core.store, harness.ctx.actor, 'read', 'app', {
        ...{ project: 'shop', environment: 'production', app: 'web' },
      }).id;
      const state = () => [
        ...[currentApp(harness.core.store, id).spec.tag, currentApp(harness.core.store, id).liveTag],
        ...[variablesOf(harness, 'shop/production/web'), namedAttachmentsOfApp(harness.core.store, id)],
      ];
      const before = state();
      await fixture.before('deploy', () => fixture.end(how), 'install.update');
      assert.match(await fail(harness, await requestUpdate(paul, next)), ENDED);
      assert.deepEqual([state(), harness.errors], [before, []]);
    });

    it(`whose user ${title} stops an uninstallation, and an admin can finish`, async () => {
      await using fixture = await RequesterFixture.begin();
      const { world: harness, paul } = fixture;
      await succeed(harness, await requestInstall(paul, FILE(), {}));
      await fixture.before('apps', () => fixture.end(how), 'install.uninstall');
      assert.match(await fail(harness, await requestUninstall(paul)), ENDED);
      assert.ok(fixture.left().includes('web'));
      await succeed(harness, await requestUninstall(harness));
    });
  }

  it('deploys no further app after its user is blocked', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    const deployed: string[] = [];
    const request = harness.deploys.request.bind(harness.deploys);
    harness.deploys.request = async (app, ...rest) => {
      deployed.push(app.reference);
      const id = await request(app, ...rest);
      fixture.end(ENDS['is blocked']);
      return id;
    };
    const web = FILE({ app: ', depends_on: [first]', rest: 'minVersion: ">=0.1.0"' });
    const file = `${web}  - {key: first, image: registry.test/acme/first, tag: "1", port: 80}\n`;
    assert.match(await fail(harness, await requestInstall(paul, file, {})), ENDED);
    assert.deepEqual([deployed, fixture.left()], [['shop/production/first'], []]);
  });
});

describe('a resumed or later task of an installation', () => {
  it('succeeds with the rights of the retrying user if the original user is deleted', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    harness.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    await fail(harness, await requestInstall(paul, FILE(), { keep_failed: true }));
    fixture.end(ENDS['is deleted']);
    await succeed(harness, await requestRetry(harness));
  });

  it('is refused if another object store has the name of the chosen store', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    await fixture.link('shop', 'pauls');
    harness.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    await fixture.before('databases', () => fixture.unlink());
    await fail(harness, await requestInstall(paul, STORED, { inputs: { s: 'offsite' }, keep_failed: true }));
    await fixture.link(null, 'instances');
    await assert.rejects(requestRetry(harness), { code: 'conflict', message: /another object store now has its name/ });
  });

  it('succeeds for an old task without a recorded requester', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    harness.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    await fail(harness, await requestInstall(paul, FILE(), { keep_failed: true }));
    const { id } = newest(harness);
    const subject = { kind: 'install', name: String(id) } as const;
    const input = { install: id, keepFailed: true };
    const request = {
      kind: 'install.install',
      subject,
      projectId: fixture.shop,
      input,
      by: 'gone',
      via: 'api',
    } as const;
    await succeed(harness, harness.core.tasks.start(request));
  });

  it('uses the original store, and accepts a replacement only if named in the request', async () => {
    await using fixture = await RequesterFixture.begin();
    const { world: harness, paul } = fixture;
    await fixture.link('shop', 'pauls');
    await succeed(harness, await requestInstall(paul, STORED, { inputs: { s: 'offsite' } }));
    const next = STORED.replace('tag: "1"', 'tag: "2"');
    await succeed(harness, await requestUpdate(paul, next));
    await succeed(harness, await requestRollback(paul));
    const app = { project: 'shop', environment: 'production', app: 'web' };
    const row = storeByName(harness.core.store, 'offsite');
    assert.ok(row);
    changeAttachment(harness.core, harness.ctx, ofBucket(row, 'media', app, null));
    await fixture.unlink();
    await fixture.link('shop', 'another');
    await assert.rejects(requestUpdate(paul, next), { message: /inputs\.s: .* another object store now has its name/ });
    await succeed(harness, await requestUpdate(paul, next, { inputs: { s: 'offsite' } }));
  });
});
