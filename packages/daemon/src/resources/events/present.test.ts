import assert from 'node:assert/strict';
import test from 'node:test';
import { Store } from '../../db/store.ts';
import { eventsAfter } from '../../db/tables/event.ts';
import { presentEvent } from './present.ts';

/** Returns the data of stored events in the form that clients get. */
function shown(rows: readonly { kind: string; data: object }[]): unknown[] {
  using store = new Store(':memory:');
  store.tx((tx) => {
    for (const { kind, data } of rows)
      tx.run('INSERT INTO events (at, kind, data) VALUES (0, ?, ?)', kind, JSON.stringify(data));
  });
  return eventsAfter(store, 0, 10).map((event) => presentEvent(event).event.data);
}

const app = { at: '1970-01-01T00:00:00.000Z', app: null, project: null, environment: null, deployment: null };

test('an event about a live release has the same form for both storage formats', () => {
  const rows = [{ live: 7 }, { change: 'live', live: 7 }].map((data) => ({ kind: 'app', data }));

  assert.deepEqual(shown(rows), [
    { ...app, seq: 1, change: 'live', revision: null },
    { ...app, seq: 2, change: 'live', revision: null },
  ]);
});

test('a project change is shown as an app change without internal details', () => {
  const rows = [
    { kind: 'project', data: { project: 'shop', environment: 'production', change: 'deleted' } },
    { kind: 'app', data: { change: 'settings', revision: 3, added: 'a.example' } },
  ];

  assert.deepEqual(shown(rows), [
    { ...app, seq: 1, project: 'shop', environment: 'production', change: 'deleted', revision: null },
    { ...app, seq: 2, change: 'settings', revision: 3 },
  ]);
});

test('a replica event has a state, and a Davit instance event has a change', () => {
  const rows = [
    { kind: 'instance', data: { name: 'web-1', state: 'running' } },
    { kind: 'instance', data: { change: 'engine' } },
  ];
  const common = { at: app.at, app: null, deployment: null };

  assert.deepEqual(shown(rows), [
    { ...common, seq: 1, replica: 'web-1', state: 'ready', change: null },
    { ...common, seq: 2, replica: null, state: null, change: 'engine' },
  ]);
});
