import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseEngineOffer } from '@davit/api';
import {
  databaseBody,
  draftAgain,
  extensionsOf,
  keepDraft,
  missingIn,
  newDatabase,
  originOf,
  withEngine,
  withVersion,
} from './database-draft.ts';

const POSTGRES: DatabaseEngineOffer = {
  ...{ engine: 'postgres', port: 5432, stem: 'DATABASE', named: true, only_user: null, refused_users: [] },
  versions: [
    { version: '15', image: 'davit/postgres:15', made_here: true },
    { version: '17', image: 'postgres:17', made_here: false },
  ],
  extensions: [
    { name: 'pg_trgm', needs: [], versions: ['15', '17'] },
    { name: 'vector', needs: [], versions: ['17'] },
  ],
};

describe('new database draft', () => {
  it('omits empty fields from the request', () => {
    assert.deepEqual(databaseBody({ ...newDatabase('shop/production'), name: 'main' }), {
      ...{ project: 'shop', environment: 'production', name: 'main', engine: 'postgres' },
      limits: { cpu: null, memory_bytes: null },
    });
  });

  it('sends all completed fields in the request', () => {
    const draft = { ...newDatabase('shop/production'), name: 'main', version: '17', extensions: ['vector'] };
    const body = databaseBody({ ...draft, username: 'me', cpu: '0.5', memory: '1 GiB', isExposed: true });
    assert.deepEqual(
      [body.version, body.extensions, body.username, body.limits, body.expose],
      ['17', ['vector'], 'me', { cpu: 0.5, memory_bytes: 1024 ** 3 }, 0],
    );
  });

  it('shows if Davit builds or pulls the image of a version', () => {
    assert.match(originOf(POSTGRES, ''), /builds the image/);
    assert.match(originOf(POSTGRES, '17'), /pulls the image postgres:17/);
    assert.match(originOf({ ...POSTGRES, versions: [] }, ''), /No version/);
  });

  it('keeps only extensions supported by the new version or engine', () => {
    const draft = { ...newDatabase('shop/production'), version: '17', extensions: ['vector', 'pg_trgm'] };
    assert.deepEqual(withVersion(draft, '15', POSTGRES).extensions, ['pg_trgm']);
    assert.deepEqual(withEngine(draft, 'redis').extensions, []);
    assert.deepEqual(
      extensionsOf(POSTGRES, '').map(({ name }) => name),
      ['pg_trgm'],
    );
  });

  it('reports a missing project or name and an invalid memory limit', () => {
    const draft = { ...newDatabase('shop/production'), name: 'main' };
    assert.equal(missingIn(draft), null);
    assert.match(missingIn({ ...draft, place: '' }) ?? '', /project/);
    assert.match(missingIn({ ...draft, name: '' }) ?? '', /name/);
    assert.match(missingIn({ ...draft, memory: 'a lot' }) ?? '', /512 MiB/);
  });

  it('returns with all values after a failed creation, or with the name if the values are unknown', () => {
    const draft = { ...newDatabase('shop/production'), name: 'main', version: '17' };
    const unknown = { ...newDatabase('shop/staging'), name: 'main' };
    keepDraft(draft);
    assert.deepEqual(draftAgain('shop/production/main'), draft);
    assert.deepEqual(draftAgain('shop/staging/main'), unknown);
  });
});
