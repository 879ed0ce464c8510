/** Installations whose apps wait for a database that cannot be created. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { patience, until } from '@davit/testkit/waiting';
import { EngineProblem } from '../../src/adapters/engine/engine-problem.ts';
import { lastTaskOfKind } from '../../src/db/tables/task.ts';
import { requestInstall } from '../support/install-steps.ts';
import { TaskHarness } from '../support/task-harness.ts';

/** Davit pulls the image of the database `slow`, and builds the image of the database `broken`. */
const TWO = `version: 1
project: shop
databases:
  - {key: slow, engine: postgres, version: "16"}
  - {key: broken, engine: postgres, version: "15"}
apps: [{key: web, image: acme/web, tag: "1", port: 80, attach: [{database: slow}]}]
`;
const REFERENCE = 'shop/production/broken';
const ERROR = /^The database shop\/production\/broken could not be created: The disk .* of Docker is full\./;

function breakDatabase(harness: TaskHarness): void {
  harness.engine.controls.fail('makeImage', { error: new EngineProblem('disk_full', 'make image', 'no space left') });
}

it('a failed installation names the database, and has the reason and the code of its task', async () => {
  await using harness = await TaskHarness.make();
  breakDatabase(harness);

  const { status, error, error_code: code } = await harness.ended(await requestInstall(harness, TWO, {}));

  assert.deepEqual([status, code], ['failed', 'disk_full']);
  assert.match(error ?? '', ERROR);
});

it('a failed installation has the reason even if the database failed during the wait for another one', async () => {
  await using harness = await TaskHarness.make();
  breakDatabase(harness);
  const gate = harness.engine.controls.pause('findImage');
  const install = await requestInstall(harness, TWO, {});
  await gate.reached;
  const creation = await until('the second database has a task', () =>
    lastTaskOfKind(harness.core.store, 'database.create', 'database', REFERENCE),
  );
  await harness.tasks.ended(creation.id, patience());
  gate.open();

  const { error, error_code: code } = await harness.ended(install);

  assert.equal(code, 'disk_full');
  assert.match(error ?? '', ERROR);
});
