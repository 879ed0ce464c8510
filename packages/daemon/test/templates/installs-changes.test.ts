/** Manual changes of an installation, and the effects of its updates, failures and removal on them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppCreate, DavitError } from '@davit/api';
import type { Manifest } from '@davit/template';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { namedAttachmentsOfApp } from '../../src/db/tables/attachment.ts';
import { databaseByReference } from '../../src/db/tables/managed-database.ts';
import { managedStoreById, managedStoreByName } from '../../src/db/tables/managed-store.ts';
import { changeInstall } from '../../src/db/tables/template-install.ts';
import { createApp, deleteApp, patchApp } from '../../src/resources/apps/settings.ts';
import { deleteObjectStore } from '../../src/resources/object-stores/deletion.ts';
import { patchObjectStore } from '../../src/resources/object-stores/patch.ts';
import { appOf } from '../../src/resources/templates/install/apps.ts';
import { presentInstall } from '../../src/resources/templates/install/present.ts';
import { manifestOf, sealManifest } from '../../src/resources/templates/install/record.ts';
import { sha256Of } from '../../src/resources/templates/manifest/same.ts';
import { patchingVariables } from '../../src/resources/variables/level.ts';
import { changeVariables, ofApp } from '../../src/resources/variables/variables.ts';
import {
  fail,
  newest,
  previewUpdate,
  requestInstall,
  requestRollback,
  requestUninstall,
  requestUpdate,
  succeed,
  variablesOf,
} from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';

const HEAD = 'version: 1\nproject: notes\nminCubeship: ">=0.9.0"\n';
const WEB = 'notes/production/web';
const WORKER = 'notes/production/worker';
const DB = 'notes/production/db';

const withDatabase = (tag: string, more = '') => `${HEAD}databases: [{key: db, engine: postgres, version: "15"${more}}]
apps:
  - {key: web, image: acme/web, tag: "${tag}", port: 80, attach: [{database: db}], env: {MODE: "${tag}", SAME: x}}
  - {key: worker, image: acme/worker, tag: "${tag}", port: 81}
`;
const bare = (tag: string) => `${HEAD}apps:
  - {key: web, image: acme/web, tag: "${tag}", port: 80, env: {MODE: "${tag}", SAME: x}}
  - {key: worker, image: acme/worker, tag: "${tag}", port: 81}
`;

async function installed(file: string): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  await succeed(harness, await requestInstall(harness, file, {}));
  return harness;
}

const failNextStart = ({ engine }: TaskHarness) =>
  engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });

function setVariable({ core, ctx }: TaskHarness, reference: string, set: Record<string, string>): void {
  const patch = patchingVariables({ set, unset: [], secret: [] });
  changeVariables(core, ctx, ofApp(appOf(core, reference)), patch);
}

async function replaced(harness: TaskHarness): Promise<number> {
  const { core, ctx } = harness;
  await deleteApp(core, ctx, appOf(core, WORKER));
  const [project, environment, name] = WORKER.split('/');
  createApp(core, ctx, AppCreate.parse({ project, environment, name, source: 'image', image: 'mine/worker' }));
  return appOf(core, WORKER).id;
}

async function preview(harness: TaskHarness, file: string) {
  return previewUpdate(harness.core, harness.ctx, newest(harness), { file, inputs: {}, keep_removed: false });
}

describe('a database that a release drops', () => {
  it('is detached, keeps its data, and is attached again by a rollback', async () => {
    await using harness = await installed(withDatabase('1'));
    const { id } = databaseByReference(harness.core.store, DB) ?? {};
    await succeed(harness, await requestUpdate(harness, bare('2')));
    assert.deepEqual(namedAttachmentsOfApp(harness.core.store, appOf(harness.core, WEB).id), []);
    assert.equal(databaseByReference(harness.core.store, DB)?.id, id);
    await succeed(harness, await requestRollback(harness));
    assert.equal(databaseByReference(harness.core.store, DB)?.id, id);
    assert.equal(namedAttachmentsOfApp(harness.core.store, appOf(harness.core, WEB).id).length, 1);
  });

  it('is kept if the rollback fails', async () => {
    await using harness = await installed(withDatabase('1'));
    const { id } = databaseByReference(harness.core.store, DB) ?? {};
    await succeed(harness, await requestUpdate(harness, bare('2')));
    failNextStart(harness);
    await fail(harness, await requestRollback(harness));
    await harness.reconcile();
    assert.equal(databaseByReference(harness.core.store, DB)?.id, id);
    assert.deepEqual(variablesOf(harness, WEB), { MODE: '2', SAME: 'x' });
  });
});

describe('manual changes of an installation', () => {
  it('are named in the preview if an update overwrites the changes', async () => {
    await using harness = await installed(bare('1'));
    setVariable(harness, WEB, { MODE: 'mine', SAME: 'mine' });
    await patchApp(harness.core, harness.ctx, appOf(harness.core, WORKER), { image: 'mine/worker' });
    const { changes } = await preview(harness, bare('2').replace('acme/worker', 'acme/other'));
    const details = Object.fromEntries(changes.map(({ name, detail }) => [name, detail]));
    assert.match(details.web ?? '', /overwrites changes on this instance: MODE$/);
    assert.match(details.worker ?? '', /overwrites changes on this instance: image$/);
  });

  it('are kept if an update does not affect the changed variables', async () => {
    await using harness = await installed(bare('1'));
    setVariable(harness, WEB, { SAME: 'mine', OWN: 'mine' });
    await succeed(harness, await requestUpdate(harness, bare('2')));
    assert.deepEqual(variablesOf(harness, WEB), { MODE: '2', SAME: 'mine', OWN: 'mine' });
  });

  it('are restored if an update fails', async () => {
    await using harness = await installed(withDatabase('1'));
    setVariable(harness, WEB, { MODE: 'mine' });
    await patchApp(harness.core, harness.ctx, appOf(harness.core, WORKER), { image: 'mine/worker' });
    failNextStart(harness);
    await fail(harness, await requestUpdate(harness, withDatabase('2').replace('acme/worker', 'acme/other')));
    assert.deepEqual(variablesOf(harness, WEB), { MODE: 'mine', SAME: 'x' });
    assert.equal(appOf(harness.core, WORKER).spec.image, 'mine/worker');
  });

  it('a deleted app is reported in the preview and skipped by the update', async () => {
    await using harness = await installed(bare('1'));
    await deleteApp(harness.core, harness.ctx, appOf(harness.core, WORKER));
    const { changes } = await preview(harness, bare('2'));
    assert.match(changes.find(({ name }) => name === 'worker')?.detail ?? '', /do(es)? not exist anymore/);
    await succeed(harness, await requestUpdate(harness, bare('2')));
    assert.equal(appOf(harness.core, WEB).liveTag, '2');
  });

  it('a deleted app, or one that a user created again, is no resource of the installation', async () => {
    await using harness = await installed(bare('1'));
    const apps = () => {
      const { resources } = presentInstall(harness.core, newest(harness));
      return resources.filter(({ kind }) => kind === 'app').map(({ name }) => name);
    };
    assert.deepEqual(apps(), ['web', 'worker']);
    await replaced(harness);
    assert.deepEqual(apps(), ['web']);
    await deleteApp(harness.core, harness.ctx, appOf(harness.core, WEB));
    assert.deepEqual(apps(), []);
  });

  it('a recreated app with the same name survives an update and the uninstallation', async () => {
    await using harness = await installed(bare('1'));
    const id = await replaced(harness);
    await succeed(harness, await requestUpdate(harness, bare('2')));
    assert.deepEqual([appOf(harness.core, WORKER).id, appOf(harness.core, WORKER).spec.image], [id, 'mine/worker']);
    await succeed(harness, await requestUninstall(harness));
    assert.equal(appOf(harness.core, WORKER).id, id);
    assert.throws(() => appOf(harness.core, WEB), { code: 'not_found' });
  });
});

describe('an installation with an image that is now refused', () => {
  // An earlier version, which accepted the name, installed it.
  const REFUSED = 'davit/web';
  async function older(): Promise<TaskHarness> {
    const harness = await installed(bare('1'));
    const { core } = harness;
    const row = newest(harness);
    const text = JSON.stringify(manifestOf(core, row)).replace('acme/web', REFUSED);
    const manifest = JSON.parse(text) as Manifest;
    const origin = { ...JSON.parse(row.origin), sha256: sha256Of(manifest) };
    core.store.tx((tx) => {
      const change = { manifest: sealManifest(core, row.id, text), origin: JSON.stringify(origin) };
      changeInstall(tx, row.id, change, core.now());
      for (const table of ['apps', 'revisions'])
        tx.run(`UPDATE ${table} SET spec = replace(spec, 'acme/web', ?)`, REFUSED);
    });
    assert.equal(appOf(core, WEB).spec.image, REFUSED);
    return harness;
  }

  it('can be updated to a release with an accepted image', async () => {
    await using harness = await older();
    const { changes } = await preview(harness, bare('2'));
    assert.doesNotMatch(changes.find(({ name }) => name === 'web')?.detail ?? '', /overwrites/);
    await succeed(harness, await requestUpdate(harness, bare('2')));
    assert.equal(appOf(harness.core, WEB).spec.image, 'acme/web');
    assert.equal(appOf(harness.core, WEB).liveTag, '2');
  });

  it('stays unchanged after a failed update, and a later rollback is refused', async () => {
    await using harness = await older();
    failNextStart(harness);
    await fail(harness, await requestUpdate(harness, bare('2')));
    assert.equal(appOf(harness.core, WEB).spec.image, REFUSED);
    await succeed(harness, await requestUpdate(harness, bare('2')));
    await assert.rejects(requestRollback(harness), DavitError);
    await succeed(harness, await requestUninstall(harness));
  });
});

describe('the limits of an object store', () => {
  const withStore = (tag: string, limits: string) =>
    `${bare(tag)}stores: [{key: files, limits: {memory: ${limits}}}]\n`;
  const MIB = 1024 * 1024;
  const memoryOf = ({ core }: TaskHarness) => managedStoreByName(core.store, 'files')?.memory_bytes;
  const previewedStore = async (harness: TaskHarness, file: string) =>
    (await preview(harness, file)).changes.find(({ kind }) => kind === 'object_store');

  it('change to the limits of the new release, and the preview shows the change', async () => {
    await using harness = await installed(withStore('1', '128Mi'));
    assert.equal(memoryOf(harness), 128 * MIB);
    assert.equal((await previewedStore(harness, withStore('2', '256Mi')))?.detail, 'limits');
    await succeed(harness, await requestUpdate(harness, withStore('2', '256Mi')));
    assert.equal(memoryOf(harness), 256 * MIB);
  });

  it('return to the manual values if an update fails', async () => {
    await using harness = await installed(withStore('1', '128Mi'));
    const row = managedStoreByName(harness.core.store, 'files');
    assert.ok(row);
    await patchObjectStore(harness.core, harness.ctx, row, { limits: { memory_bytes: 512 * MIB } }, false);
    assert.match((await previewedStore(harness, withStore('2', '256Mi')))?.detail ?? '', /overwrites .*: limits$/);
    failNextStart(harness);
    await fail(harness, await requestUpdate(harness, withStore('2', '256Mi')));
    assert.equal(memoryOf(harness), 512 * MIB);
  });

  it('are not changed while the object store is in the trash', async () => {
    await using harness = await installed(withStore('1', '128Mi'));
    const row = managedStoreByName(harness.core.store, 'files');
    assert.ok(row);
    await deleteObjectStore(harness.core, harness.ctx, row, 'files');
    assert.match((await previewedStore(harness, withStore('2', '256Mi')))?.detail ?? '', /do(es)? not exist anymore/);
    await succeed(harness, await requestUpdate(harness, withStore('2', '256Mi')));
    assert.equal(managedStoreById(harness.core.store, row.id)?.memory_bytes, 128 * MIB);
  });
});

describe('an incompatible release', () => {
  it('is refused if a database would change its engine', async () => {
    await using harness = await installed(withDatabase('1'));
    const other = withDatabase('2').replace('engine: postgres, version: "15"', 'engine: mariadb');
    await assert.rejects(requestUpdate(harness, other), { code: 'invalid_input', message: /is a postgres database/ });
  });

  it('shows in the preview that a database keeps its older version', async () => {
    await using harness = await installed(withDatabase('1'));
    const { changes } = await preview(harness, withDatabase('2').replace('version: "15"', 'version: "17"'));
    const databaseChange = changes.find(({ kind }) => kind === 'database');
    assert.equal(databaseChange?.action, 'keep');
    assert.match(databaseChange?.detail ?? '', /version: .* has 17.* keeps 15/);
  });
});

describe('an update from a repository', () => {
  it('refuses a release name that leads outside the repository', async () => {
    await using harness = await installed(bare('1'));
    const { id, origin } = newest(harness);
    const from = { ...JSON.parse(origin), kind: 'repository', repository: 'https://github.com/acme/notes' };
    harness.core.store.tx((tx) => changeInstall(tx, id, { origin: JSON.stringify(from) }, harness.core.now()));
    for (const release of ['../../evil/notes/HEAD', 'v1/../../x', 'v1?x=y', 'v1#x']) {
      const pendingPreview = previewUpdate(harness.core, harness.ctx, newest(harness), {
        release,
        inputs: {},
        keep_removed: false,
      });
      await assert.rejects(
        pendingPreview,
        { code: 'invalid_input', message: /must be a tag, a branch or a commit/ },
        release,
      );
    }
  });
});

describe('a job that its own app depends on', () => {
  const gate = 'minVersion: ">=0.1.0"\n';
  const file = (tag: string, on: string, word = tag) => `${HEAD}${gate}apps:
  - {key: web, image: acme/web, tag: "${tag}", port: 80, depends_on: [migrate]}
  - {key: constructor, name: other, image: acme/other, tag: "${tag}", port: 81}
jobs:
  - {key: migrate, app: web, command: [migrate, "${word}"], on: ${on}}
`;

  it('becomes the app’s release command and changes with each release', async () => {
    await using harness = await installed(file('1', 'always'));
    assert.deepEqual(appOf(harness.core, WEB).spec.release_command, ['migrate', '1']);
    await succeed(harness, await requestUpdate(harness, file('2', 'always')));
    assert.deepEqual(appOf(harness.core, WEB).spec.release_command, ['migrate', '2']);
    assert.equal(appOf(harness.core, 'notes/production/other').liveTag, '2');
  });

  it('does not block the installation or update if limited to updates', async () => {
    await using harness = await installed(file('1', 'update'));
    assert.equal(appOf(harness.core, WEB).spec.release_command, null);
    await succeed(harness, await requestUpdate(harness, file('2', 'update')));
    assert.equal(appOf(harness.core, WEB).liveTag, '2');
  });
});

describe('a template that differs from the planned template', () => {
  it('is refused for an installation and for an update', async () => {
    await using harness = await TaskHarness.make();
    const refused = { code: 'conflict', message: /^sha256: .* Plan the installation again\.$/ };
    await assert.rejects(requestInstall(harness, bare('1'), { sha256: 'a'.repeat(64) }), refused);
    await succeed(harness, await requestInstall(harness, bare('1'), {}));
    const { sha256 } = await preview(harness, bare('2'));
    await assert.rejects(requestUpdate(harness, bare('3'), { sha256 }), refused);
    await succeed(harness, await requestUpdate(harness, bare('2'), { sha256 }));
  });
});
