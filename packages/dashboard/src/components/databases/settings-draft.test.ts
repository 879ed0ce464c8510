import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseEngineOffer } from '@davit/api';
import { addable, newerVersions, settingsOf, settingsPatch, settingsProblem } from './settings-draft.ts';

const DATABASE = { description: 'orders', limits: { cpu: 0.5, memory_bytes: 512 * 1024 ** 2 } };
const offer = (...versions: string[]) =>
  ({
    versions: versions.map((version) => ({ version, image: version, made_here: false })),
    extensions: [
      { name: 'pg_trgm', needs: [], versions },
      { name: 'vector', needs: [], versions: [versions.at(-1)] },
    ],
  }) as unknown as DatabaseEngineOffer;

describe('the settings of a database', () => {
  it('are shown as people write them', () => {
    assert.deepEqual(settingsOf(DATABASE), { description: 'orders', cpu: '0.5', memory: '512 MiB' });
    assert.deepEqual(settingsOf({ description: null, limits: { cpu: null, memory_bytes: null } }), {
      ...{ description: '', cpu: '', memory: '' },
    });
  });

  it('are sent where they are changed alone', () => {
    assert.equal(settingsPatch(DATABASE, {}), null);
    assert.equal(settingsPatch(DATABASE, { cpu: '0.5', description: 'orders ' }), null);
    assert.deepEqual(settingsPatch(DATABASE, { cpu: '2' }), { limits: { cpu: 2 } });
    assert.deepEqual(settingsPatch(DATABASE, { memory: '' }), { limits: { memory_bytes: null } });
    assert.deepEqual(settingsPatch(DATABASE, { description: ' ' }), { description: null });
  });

  it('are not sent where they cannot be read', () => {
    assert.equal(settingsProblem({ memory: '1 GiB' }), null);
    assert.match(settingsProblem({ memory: 'much' }) ?? '', /512 MiB/);
  });

  it('offer extensions that are not there yet, of its version', () => {
    const names = (database: { version: string; extensions: string[] }) =>
      addable(database, offer('15', '17')).map(({ name }) => name);
    assert.deepEqual(names({ version: '15', extensions: [] }), ['pg_trgm']);
    assert.deepEqual(names({ version: '17', extensions: ['pg_trgm'] }), ['vector']);
    assert.deepEqual(addable({ version: '15', extensions: [] }, undefined), []);
  });

  it('offer newer versions alone, by their numbers', () => {
    assert.deepEqual(newerVersions({ version: '9.6' }, offer('10.1', '9.6', '15', '9.5')), ['15', '10.1']);
    assert.deepEqual(newerVersions({ version: '17' }, offer('15', '17')), []);
  });
});
