/** Resources that an installation leaves for the next one, and two installations in the same environment. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { environmentBySlugs } from '../../src/db/tables/environment.ts';
import { databaseByReference } from '../../src/db/tables/managed-database.ts';
import { projectBySlug } from '../../src/db/tables/project.ts';
import { resourcesOf } from '../../src/db/tables/template-install.ts';
import { fail, newest, numbered, requestInstall, requestUninstall, succeed } from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';

const DB = 'notes/staging/db';
const file = (app: string, version = '15') => `version: 1
project: notes
environment: staging
minCubeship: ">=0.9.0"
databases: [{key: db, engine: postgres, version: "${version}"}]
apps: [{key: ${app}, image: acme/${app}, tag: "1", port: 80, attach: [{database: db}]}]
`;
const bare = (app: string) => `version: 1
project: notes
environment: staging
apps: [{key: ${app}, image: acme/${app}, tag: "1", port: 80}]
`;
const ADOPT = { adopt: { databases: { db: DB } } };

describe('a database kept by an installation', () => {
  it('is adopted by only a single other installation', async () => {
    await using harness = await TaskHarness.make();
    await succeed(harness, await requestInstall(harness, file('web'), {}));
    const id = databaseByReference(harness.core.store, DB)?.id;
    const held = { code: 'conflict', message: /belongs to installation \d+\. Uninstall that installation first/ };
    await assert.rejects(requestInstall(harness, file('other'), ADOPT), held);
    await succeed(harness, await requestUninstall(harness));
    await succeed(harness, await requestInstall(harness, file('other'), ADOPT));
    assert.equal(databaseByReference(harness.core.store, DB)?.id, id);
    await assert.rejects(requestInstall(harness, file('third'), ADOPT), held);
  });

  it('is not adopted if too old or if chosen for two databases', async () => {
    await using harness = await TaskHarness.make();
    await succeed(harness, await requestInstall(harness, file('web'), {}));
    await succeed(harness, await requestUninstall(harness));
    await assert.rejects(requestInstall(harness, file('other', '17'), ADOPT), {
      message: /has version 15, .* needs 17/,
    });
    const two = file('other').replace('databases: [', 'databases: [{key: two, engine: postgres}, ');
    const both = { adopt: { databases: { db: DB, two: DB } } };
    await assert.rejects(requestInstall(harness, two, both), { message: /is chosen for two databases/ });
  });

  it('stays available for adoption after the adopting installation fails', async () => {
    await using harness = await TaskHarness.make();
    await succeed(harness, await requestInstall(harness, file('web'), {}));
    await succeed(harness, await requestUninstall(harness));
    const id = databaseByReference(harness.core.store, DB)?.id;
    harness.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    await fail(harness, await requestInstall(harness, file('other'), ADOPT));
    await succeed(harness, await requestInstall(harness, file('other'), ADOPT));
    assert.equal(databaseByReference(harness.core.store, DB)?.id, id);
  });
});

describe('two installations in the same environment', () => {
  it('cannot both succeed concurrently with the same resource names', async () => {
    await using harness = await TaskHarness.make();
    const ids = await Promise.all([requestInstall(harness, file('web'), {}), requestInstall(harness, file('web'), {})]);
    const ends = await Promise.all(ids.map(async (id) => (await harness.ended(id)).status));
    assert.deepEqual(ends.sort(), ['failed', 'succeeded']);
    await harness.reconcile();
    assert.equal(databaseByReference(harness.core.store, DB)?.state, 'made');
  });

  it('share a project and environment that are deleted with the last installation', async () => {
    await using harness = await TaskHarness.make();
    await succeed(harness, await requestInstall(harness, bare('web'), {}));
    await succeed(harness, await requestInstall(harness, bare('other'), {}));
    const states = (id: number) => resourcesOf(harness.core.store, id).map(({ kind, state }) => `${kind} ${state}`);
    await succeed(harness, await requestUninstall(harness, {}, numbered(harness, 1)));
    assert.deepEqual(states(1), []);
    assert.deepEqual(states(2).slice(0, 2), ['project made', 'environment made']);
    await succeed(harness, await requestUninstall(harness));
    assert.equal(projectBySlug(harness.core.store, 'notes'), undefined);
  });

  it('keep the shared environment if only the other installation fails', async () => {
    await using harness = await TaskHarness.make();
    harness.engine.controls.fail('start', { error: new EngineRefused('start container: port 80 is in use') });
    const failing = await requestInstall(harness, bare('web'), {});
    const other = await requestInstall(harness, file('other'), {});
    const ends = [await harness.ended(failing), await harness.ended(other)].map(({ status }) => status);
    assert.ok(ends.includes('succeeded'), JSON.stringify(ends));
    assert.notEqual(environmentBySlugs(harness.core.store, 'notes', 'staging'), undefined);
    assert.equal(newest(harness).project_id, projectBySlug(harness.core.store, 'notes')?.id);
  });
});
