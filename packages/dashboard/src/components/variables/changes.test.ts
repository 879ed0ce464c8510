import assert from 'node:assert/strict';
import test from 'node:test';
import {
  attachedEntries,
  differences,
  type Edits,
  type Entry,
  edited,
  entriesOf,
  requestFor,
  withEdit,
} from './changes.ts';

const open = (value: string): Entry => ({ value, secret: false });
const hidden = (value: string | null): Entry => ({ value, secret: true });
const own = entriesOf({ vars: { A: '1', B: '2', TOKEN: 's3cret' }, secret: ['TOKEN'] });
const edits = (changes: Record<string, Entry | null>): Edits => new Map(Object.entries(changes));
const said = (changes: Edits) => differences(own, edited(own, changes)).map(({ key, change }) => `${key} ${change}`);

test('lists variables as added, changed, removed, marked or unmarked by name', () => {
  const changes = edits({ C: open('3'), A: open('one'), B: null, TOKEN: open('s3cret') });

  assert.deepEqual(said(changes), ['A changed', 'B removed', 'C added', 'TOKEN unmarked']);
  assert.deepEqual(said(edits({ A: hidden('1') })), ['A marked']);
});

test('drops an edit equal to the stored value', () => {
  const changed = withEdit(own, new Map(), 'A', open('one'));

  assert.equal(changed.size, 1);
  assert.equal(withEdit(own, changed, 'A', open('1')).size, 0);
  assert.equal(withEdit(own, new Map(), 'NEW', null).size, 0);
});

test('sends all edits as a merge without unchanged variables', () => {
  const changes = edits({ C: hidden('3'), A: open('one'), B: null, TOKEN: hidden('new') });

  assert.deepEqual(requestFor(own, changes), {
    kind: 'merge',
    body: { set: { A: 'one', C: '3', TOKEN: 'new' }, unset: ['B'], secret: ['C'] },
  });
});

test('marks a variable as secret without sending the value again', () => {
  assert.deepEqual(requestFor(own, edits({ A: hidden('1') })), {
    kind: 'merge',
    body: { set: {}, unset: [], secret: ['A'] },
  });
});

test('replaces the whole level if a secret mark is removed', () => {
  const changes = edits({ TOKEN: open('s3cret'), A: null, C: hidden('3') });

  assert.deepEqual(requestFor(own, changes), {
    kind: 'replace',
    body: { vars: { B: null, TOKEN: 's3cret', C: '3' }, secret: ['C'] },
  });
});

test('keeps an unreadable secret in a replace request', () => {
  const masked = entriesOf({ vars: { A: '1', X: null }, secret: ['A', 'X'] });

  assert.deepEqual(requestFor(masked, edits({ A: open('1') })), {
    kind: 'replace',
    body: { vars: { A: '1', X: null }, secret: ['X'] },
  });
});

test('sends __proto__ as an ordinary variable name', () => {
  const request = requestFor(own, new Map([['__proto__', open('1')]]));

  assert.equal(JSON.stringify(request.body), '{"set":{"__proto__":"1"},"unset":[],"secret":[]}');
});

test('separates variables of attachments from variables of levels', () => {
  const effective = [
    { key: 'A', value: '1', source: 'app', secret: false },
    { key: 'DATABASE_URL', value: null, source: 'attachment', secret: true },
    { key: 'DATABASE_HOST', value: 'main.db', source: 'attachment', secret: false },
  ] as const;
  assert.deepEqual(
    [...attachedEntries({ effective: [...effective] })],
    [
      ['DATABASE_URL', hidden(null)],
      ['DATABASE_HOST', open('main.db')],
    ],
  );
});
