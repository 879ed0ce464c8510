/** Tests the commands for the operator while the indexer writes to the database. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { bootCatalog } from '@davit/testkit/catalog';
import { runCommand } from '../src/commands.ts';

test('the block command waits for the indexer to finish writing and shows a message', async () => {
  await using catalog = await bootCatalog();
  using writer = new DatabaseSync(join(catalog.dataDir, 'catalog.db'));
  writer.exec('BEGIN IMMEDIATE');
  const lines: string[] = [];

  await runCommand(['block', 'acme', 'a', 'reason', '--data-dir', catalog.dataDir], (line) => {
    lines.push(line);
    if (writer.isTransaction) writer.exec('ROLLBACK');
  });

  assert.deepEqual(lines, [
    'Waiting until the indexer has written the index.',
    'acme is blocked. The next indexing run removes it from the list.',
  ]);
  assert.deepEqual([...catalog.records.blocked()], ['acme']);
});
