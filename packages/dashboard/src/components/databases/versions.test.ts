import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseEngineOffer } from '@davit/api';
import { addable, newerVersions } from './versions.ts';

const offer = (...versions: string[]) =>
  ({
    versions: versions.map((version) => ({ version, image: version, made_here: false })),
    extensions: [
      { name: 'pg_trgm', needs: [], versions },
      { name: 'vector', needs: [], versions: [versions.at(-1)] },
    ],
  }) as unknown as DatabaseEngineOffer;

describe('database extensions and upgrades', () => {
  it('lists missing extensions available for the database’s version', () => {
    const names = (database: { version: string; extensions: string[] }) =>
      addable(database, offer('15', '17')).map(({ name }) => name);
    assert.deepEqual(names({ version: '15', extensions: [] }), ['pg_trgm']);
    assert.deepEqual(names({ version: '17', extensions: ['pg_trgm'] }), ['vector']);
    assert.deepEqual(addable({ version: '15', extensions: [] }, undefined), []);
  });

  it('lists only newer versions, sorted by number from highest to lowest', () => {
    assert.deepEqual(newerVersions({ version: '9.6' }, offer('10.1', '9.6', '15', '9.5')), ['15', '10.1']);
    assert.deepEqual(newerVersions({ version: '17' }, offer('15', '17')), []);
  });
});
