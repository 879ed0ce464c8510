/** Manifests of installations that earlier versions of Davit stored in plain text. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { checkTemplate, type Manifest } from '@davit/template';
import { openState, type State } from '../../src/composition/state.ts';
import { openDatabase } from '../../src/db/database.ts';
import { sealedManifests } from '../../src/db/migrations/052-sealed-manifests.ts';
import { MIGRATIONS } from '../../src/db/migrations/index.ts';
import { SealBroken } from '../../src/db/seal.ts';
import { hasPlainManifests, type InstallRow, installById } from '../../src/db/tables/template-install.ts';
import { manifestOf } from '../../src/resources/templates/install/record.ts';
import { sha256Of } from '../../src/resources/templates/manifest/same.ts';

const SECRET = 'secret-in-a-mounted-file';

/** Returns a manifest with a secret at the end of a file. SQLite stores a large manifest in overflow pages. */
function manifestWith(padding: number): Manifest {
  const { manifest } = checkTemplate(`version: 1
project: shop
minCubeship: ">=0.9.0"
minVersion: ">=0.1.0"
apps:
  - {key: web, image: acme/web, tag: "1", port: 80, files: [{path: /a, content: ${'x'.repeat(padding)}${SECRET}}]}
`);
  assert.ok(manifest);
  return manifest;
}

const MANIFESTS = [manifestWith(0), manifestWith(20_000)];

describe('manifests in plain text', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'davit-manifests-'));
    using old = openDatabase(join(dataDir, 'davit.db'), MIGRATIONS.slice(0, MIGRATIONS.indexOf(sealedManifests)));
    const insert = old.prepare(`INSERT INTO template_installs
        (title, project, environment, origin, manifest, names, adopt, answers, asked_by, asked_via, created_at, updated_at)
        VALUES ('Web', 'shop', 'production', ?, ?, '', '', '', 'ada', 'api', 1, 1)`);
    for (const manifest of MANIFESTS)
      insert.run(JSON.stringify({ sha256: sha256Of(manifest) }), JSON.stringify(manifest));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const open = () => openState({ dataDir, masterKeyFile: join(dataDir, 'master.key') });
  const isInFile = () => readFileSync(join(dataDir, 'davit.db')).includes(SECRET);
  function rowOf({ store }: State, id: number): InstallRow {
    const row = installById(store, id);
    assert.ok(row);
    return row;
  }

  it('are encrypted at the next start, and the database file no longer contains their text', () => {
    assert.ok(isInFile());
    open()[Symbol.dispose]();
    assert.equal(isInFile(), false);

    using state = open();
    for (const [index, manifest] of MANIFESTS.entries())
      assert.equal(sha256Of(manifestOf(state, rowOf(state, index + 1))), sha256Of(manifest));
  });

  it('are not accepted after this start', () => {
    {
      using state = open();
      assert.equal(hasPlainManifests(state.store), false);
      const plain = JSON.stringify(MANIFESTS[0]);
      state.store.tx((tx) => tx.run('UPDATE template_installs SET manifest = ? WHERE id = 1', plain));
    }

    using state = open();
    assert.throws(() => manifestOf(state, rowOf(state, 1)), SealBroken);
  });

  it('cannot be decrypted for another installation', () => {
    using state = open();
    const [first, second] = [rowOf(state, 1), rowOf(state, 2)];
    assert.throws(() => manifestOf(state, { ...first, manifest: second.manifest, origin: second.origin }), SealBroken);
  });
});
