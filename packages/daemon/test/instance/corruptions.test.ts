/**
 * Random damage of a filled database file: 16 bytes at a random position. The instance starts with correct rows, or in
 * safe mode. It never exits.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { bootDaemon, seed, seedData } from '@davit/testkit';
import { IS_LONG } from '../../../../test/support/tiers.ts';
import { checkDatabase } from '../../src/db/check.ts';
import { PROTECTED_TABLES } from '../../src/db/macs/protected.ts';
import { StartedInstance } from '../support/started-instance.ts';

const DAMAGES = IS_LONG ? 200 : 12;
const BYTES = 16;
/** Tables that the start of an instance and its background work do not change. */
const UNCHANGED = PROTECTED_TABLES.filter(
  ({ name }) => !['settings', 'instances', 'deployments', 'apps', 'databases', 'object_stores'].includes(name),
);

/** Returns all protected values of the unchanged tables. */
function valuesOf(dataDir: string): Record<string, unknown[]> {
  using db = new DatabaseSync(join(dataDir, 'davit.db'), { readOnly: true });
  return Object.fromEntries(
    UNCHANGED.map(({ name, columns }) => {
      const names = columns.map((column) => `"${column}"`).join(', ');
      return [name, db.prepare(`SELECT ${names} FROM "${name}" ORDER BY ${names}`).all()];
    }),
  );
}

describe('random damage of a database file', () => {
  let folder: string;
  let whole: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'davit-corruptions-'));
    whole = join(folder, 'whole');
    await using daemon = await bootDaemon();
    await seed(daemon);
    await seedData(daemon);
    await daemon.settled();
    await daemon.stop();
    cpSync(daemon.dataDir, whole, { recursive: true });
  });
  after(() => rmSync(folder, { recursive: true }));

  it(`is noticed, or the instance has all its rows: ${DAMAGES} times`, async (context) => {
    const expected = valuesOf(whole);
    const counts = { 'safe mode': 0, 'found by the full check': 0, unnoticed: 0 };
    for (let n = 0; n < DAMAGES; n += 1) {
      const dataDir = join(folder, String(n));
      cpSync(whole, dataDir, { recursive: true });
      const file = join(dataDir, 'davit.db');
      const bytes = readFileSync(file);
      const at = randomInt(bytes.length - BYTES);
      randomBytes(BYTES).copy(bytes, at);
      writeFileSync(file, bytes);

      const outcome = await startedWith(dataDir, `damage at byte ${at}`, expected);

      counts[outcome] += 1;
      rmSync(dataDir, { recursive: true });
    }
    context.diagnostic(JSON.stringify(counts));
    assert.equal(
      Object.values(counts).reduce((sum, count) => sum + count),
      DAMAGES,
    );
  });

  async function startedWith(dataDir: string, what: string, expected: Record<string, unknown[]>) {
    await using started = new StartedInstance(dataDir);
    const stage = await started.next().catch((error: Error) => assert.fail(`${what}: ${error.stack}`));
    if ('safeMode' in stage) return 'safe mode';
    const found = await checkDatabase(join(dataDir, 'davit.db'), new AbortController().signal);
    if (found.length > 0) return 'found by the full check';
    assert.deepEqual(valuesOf(dataDir), expected, what);
    return 'unnoticed';
  }
});
