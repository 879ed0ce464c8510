import assert from 'node:assert/strict';
import test from 'node:test';
import { columnsOf, oneOf, orNull, pick, required, select, selectFrom, sql, withValues } from './select.ts';
import { Store, type Tx } from './store.ts';
import { insert, insertOrIgnore, insertOrReplace, update } from './write.ts';

function open() {
  const store = new Store(':memory:');
  const id = store.tx((tx) => insert(tx, 'projects', { slug: 'shop', created_at: 7 }));
  return { store, id, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

test('selectFrom returns only the selected columns', () => {
  using harness = open();
  const project = selectFrom('projects', 'id, slug');

  assert.deepEqual(harness.store.all(project.from('projects')), [{ id: harness.id, slug: 'shop' }]);
});

test('unknown columns and tables and wrong values do not compile', () => {
  // @ts-expect-error: the table has no such column
  assert.throws(() => selectFrom('projects', 'id, name'));
  // @ts-expect-error: there is no such table
  assert.throws(() => selectFrom('project', 'id'));
  // @ts-expect-error: a column without a default is missing
  assert.equal(typeof ((tx: Tx) => insert(tx, 'projects', { slug: 'shop' })), 'function');
  // @ts-expect-error: the value is of another type
  assert.equal(typeof ((tx: Tx) => update(tx, 'projects', 1, { slug: 1 })), 'function');
});

test('select names the values of a selection from several tables', () => {
  using harness = open();
  harness.store.tx((tx) => insert(tx, 'environments', { project_id: harness.id, slug: 'production', created_at: 8 }));
  const e = columnsOf('environments', 'e');
  const row = select({ ...pick(e, 'id, slug'), project: columnsOf('projects', 'p').slug });

  assert.deepEqual(harness.store.get(row.from('environments e JOIN projects p ON p.id = e.project_id')), {
    id: 1,
    slug: 'production',
    project: 'shop',
  });
});

test('the store refuses a statement whose columns differ from its selection', () => {
  using harness = open();
  const wrongTable = select({ slug: columnsOf('environments', 'p').slug });
  const wrongName = select({ name: columnsOf('projects', 'p').slug });

  assert.throws(
    () => harness.store.all(wrongTable.from('projects p')),
    /returns projects\.slug as slug, not environments/,
  );
  assert.throws(() => harness.store.all(wrongName.as('SELECT slug FROM projects p')), /returns slug instead of name/);
  assert.throws(() => harness.store.all(wrongName.as('SELECT slug AS name, id FROM projects p')), /returns 2 columns/);
});

test('the store checks values in each row that the schema does not guarantee', () => {
  using harness = open();
  const p = columnsOf('projects', 'p');
  const read = (selection: ReturnType<typeof select>) => () => harness.store.all(selection.from('projects p'));

  assert.throws(read(select({ n: sql.integer('max(deleted_at)') })), /returns null as n/);
  assert.throws(read(select({ n: sql.text('count(*)') })), /returns a number as n/);
  assert.throws(read(select({ at: required(p.deleted_at) })), /returns null as at/);
  assert.throws(read(select({ slug: oneOf(p.slug, 'other') })), /returns a string as slug/);
  assert.deepEqual(read(select({ n: orNull(sql.integer('max(deleted_at)')) }))(), [{ n: null }]);
  assert.throws(
    () => harness.store.all(select({ slug: columnsOf('apps', 'a').name }).from('projects p LEFT JOIN apps a ON 0')),
    /returns null as slug/,
  );
});

test('withValues refuses a row with null in a required column', () => {
  assert.deepEqual(withValues({ a: 1, b: null }, ['a']), { a: 1, b: null });
  assert.throws(() => withValues({ a: 1, b: null }, ['a', 'b']), /b is null/);
});

test('insert, insertOrIgnore, insertOrReplace and update change rows of the schema’s tables', () => {
  using harness = open();
  const { store } = harness;
  const setting = selectFrom('settings', 'key, value');

  store.tx((tx) => {
    insert(tx, 'settings', { key: 'a', value: '1' });
    insertOrIgnore(tx, 'settings', { key: 'a', value: '2' });
    insertOrReplace(tx, 'settings', { key: 'b', value: '3' });
    insertOrReplace(tx, 'settings', { key: 'b', value: '4' });
    assert.equal(update(tx, 'projects', harness.id, { slug: 'other' }), 1);
    assert.equal(update(tx, 'projects', harness.id, {}), 0);
    assert.equal(update(tx, 'projects', 99, { slug: 'none' }), 0);
  });

  assert.deepEqual(store.all(setting.from('settings ORDER BY key')), [
    { key: 'a', value: '1' },
    { key: 'b', value: '4' },
  ]);
  assert.ok(store.exists('SELECT 1 FROM projects WHERE slug = ?', 'other'));
});
