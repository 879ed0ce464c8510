/**
 * Safe mode: an instance that cannot open its state still answers, and a command on the server repairs it. All
 * instances have a simulated engine.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import {
  type ExportReport,
  type RestoreReport,
  SAFE_MODE_PATHS,
  type SafeModeProblem,
  type StateReport,
} from '@davit/api';
import { type Answer, send } from '@davit/testkit';
import { MIGRATIONS } from '../../src/db/migrations/index.ts';
import { reasonOf } from '../../src/safe-mode/reason.ts';
import { DAMAGES, damagePage } from '../support/damages.ts';
import { StartedInstance } from '../support/started-instance.ts';

interface Fault {
  name: string;
  problem: SafeModeProblem;
  make: (dataDir: string) => void;
}

const damage = (name: string) => DAMAGES.find((one) => one.name === name)?.make ?? assert.fail(name);
const edit = (sql: string) => (dataDir: string) => {
  using db = new DatabaseSync(join(dataDir, 'davit.db'));
  db.exec(sql);
};

const FAULTS: readonly Fault[] = [
  { name: 'random bytes as its database', problem: 'damaged', make: damage('random bytes instead of the database') },
  { name: 'a damaged settings table', problem: 'damaged', make: damage('a wrong page type in the settings table') },
  { name: 'a missing database', problem: 'missing', make: damage('a missing database file') },
  { name: 'an empty database', problem: 'missing', make: damage('an empty database file') },
  {
    name: 'a database of a newer version',
    problem: 'newer',
    make: edit(`PRAGMA user_version = ${MIGRATIONS.length + 1}`),
  },
  { name: 'a database without a table', problem: 'mismatched', make: edit('ALTER TABLE runs RENAME TO lost') },
  { name: 'a missing master key', problem: 'key', make: damage('a missing key file') },
  { name: 'another master key', problem: 'key', make: damage('the key of another instance') },
  {
    name: 'a damaged write-ahead log',
    problem: 'log damaged',
    make: (dataDir) => writeFileSync(join(dataDir, 'davit.db-wal'), Buffer.alloc(9_000, 7)),
  },
];

const json = <T>({ text }: Answer) => JSON.parse(text) as T;

describe('an instance in safe mode', () => {
  let folder: string;
  let whole: string;
  let copies = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'davit-safe-'));
    whole = join(folder, 'whole');
    const started = new StartedInstance(whole);
    await started.ready();
    for (const slug of ['shop', 'blog', 'docs']) {
      const answer = await started.sendLocally({
        method: 'POST',
        path: '/api/projects',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ slug }),
      });
      assert.equal(answer.status, 201, answer.text);
    }
    await started[Symbol.asyncDispose]();
  });
  after(() => rmSync(folder, { recursive: true }));

  function copyOf(make: (dataDir: string) => void = () => undefined): string {
    copies += 1;
    const dataDir = join(folder, String(copies));
    cpSync(whole, dataDir, { recursive: true });
    make(dataDir);
    return dataDir;
  }

  const verify = async (started: StartedInstance) =>
    json<StateReport>(await started.sendLocally({ path: SAFE_MODE_PATHS.verify }));
  const restore = (started: StartedInstance, file: string, query = '') =>
    started.sendLocally({
      method: 'PUT',
      path: `${SAFE_MODE_PATHS.restore}${query}`,
      body: readFileSync(file),
    });
  const projectsOf = async (started: StartedInstance) => {
    const answer = await started.sendLocally({ path: '/api/projects' });
    return json<{ slug: string }[]>(answer)
      .map(({ slug }) => slug)
      .sort();
  };

  for (const { name, problem, make } of FAULTS)
    it(`because of ${name} answers 503 on all API routes, and keeps its documentation`, async () => {
      await using started = new StartedInstance(copyOf(make));
      const { url } = await started.safeMode();
      const get = (path: string, accept = '*/*') => send({ url }, { path, headers: { accept } });

      const api = await get('/api/projects', 'application/problem+json');
      const plain = await send({ url }, { method: 'POST', path: '/api/unknown', body: 'x'.repeat(100_000) });
      const [live, ready, docs, openApi] = await Promise.all(
        ['/healthz', '/readyz', '/docs', '/openapi.json'].map((path) => get(path)),
      );
      const page = await get('/', 'text/html');

      assert.deepEqual([api.status, json<{ code: string }>(api).code], [503, 'storage_unavailable']);
      assert.equal(plain.status, 503);
      assert.deepEqual([live?.status, ready?.status, docs?.status, openApi?.status], [200, 503, 200, 200]);
      assert.equal(ready?.text, plain.text);
      assert.deepEqual([page.status, page.headers.get('content-type')], [503, 'text/html; charset=utf-8']);
      assert.match(page.headers.get('content-security-policy') ?? '', /style-src 'sha256-/);
      for (const { text } of [api, plain, page]) assert.ok(!text.includes(started.dataDir), text);
      assert.equal((await verify(started)).problem, problem);
    });

  it('accepts repair requests only on its Unix socket, which only its owner can use', async () => {
    await using started = new StartedInstance(copyOf(damage('a missing key file')));
    const { url } = await started.safeMode();

    for (const path of Object.values(SAFE_MODE_PATHS))
      for (const method of ['GET', 'POST', 'PUT'])
        assert.equal((await send({ url }, { method, path })).status, 503, `${method} ${path}`);
    assert.equal(statSync(join(started.dataDir, 'davit.sock')).mode & 0o777, 0o600);
  });

  it('verifies each file', async () => {
    await using started = new StartedInstance(
      copyOf((dataDir) => {
        damage('the key of another instance')(dataDir);
        damagePage('projects', (bytes) => bytes.fill(0))(dataDir);
      }),
    );
    await started.safeMode();

    const { files } = await verify(started);

    assert.deepEqual(
      files.map(({ state }) => state),
      ['damaged', 'good', 'damaged', 'good'],
    );
    assert.ok(files.filter(({ state }) => state !== 'good').every(({ findings }) => findings.length > 0));
  });

  it('starts after the master key was restored', async () => {
    await using started = new StartedInstance(copyOf(damage('a missing key file')));
    await started.safeMode();
    const resume = () => started.sendLocally({ method: 'POST', path: SAFE_MODE_PATHS.resume });

    assert.equal(json<{ problem: string | null }>(await resume()).problem, 'key');
    cpSync(join(whole, 'master.key'), join(started.dataDir, 'master.key'));
    assert.equal(json<{ problem: string | null }>(await resume()).problem, null);

    await started.ready();
    assert.deepEqual(await projectsOf(started), ['blog', 'docs', 'shop']);
  });

  it('exports all readable rows of a damaged database, and starts with them after the restore', async () => {
    const dataDir = copyOf(damagePage('dns_providers', (bytes) => bytes.fill(0)));
    damagePage('tasks', (bytes) => bytes.fill(0))(dataDir);
    writeFileSync(join(dataDir, 'davit.db-damaged'), '');
    await using started = new StartedInstance(dataDir);
    await started.safeMode();

    const report = json<ExportReport>(await started.sendLocally({ method: 'POST', path: SAFE_MODE_PATHS.export }));
    const saved = join(folder, 'rescued.db');
    cpSync(join(dataDir, 'davit.db-export'), saved);
    const damaged = readFileSync(join(dataDir, 'davit.db'));
    const answer = await restore(started, saved);
    const { previous, problem } = json<RestoreReport>(answer);

    assert.deepEqual(report.lost.map(({ table }) => table).sort(), ['dns_providers', 'tasks']);
    assert.equal(problem, null, answer.text);
    await started.ready();
    assert.deepEqual(await projectsOf(started), ['blog', 'docs', 'shop']);
    assert.deepEqual(readFileSync(join(previous, 'davit.db')), damaged);
    assert.ok(!existsSync(join(dataDir, 'davit.db-export')));
  });

  it('sends the exported file through the Unix socket', async () => {
    const dataDir = copyOf(damage('a missing key file'));
    await using started = new StartedInstance(dataDir);
    await started.safeMode();

    const missing = await started.sendLocally({ path: SAFE_MODE_PATHS.exported });
    const report = json<ExportReport>(await started.sendLocally({ method: 'POST', path: SAFE_MODE_PATHS.export }));
    const sent = await started.sendLocally({ path: SAFE_MODE_PATHS.exported });

    assert.equal(missing.status, 404);
    assert.deepEqual([sent.status, report.lost], [200, []]);
    assert.equal(statSync(join(dataDir, 'davit.db-export')).size, report.size_bytes);
    assert.match(sent.text, /^SQLite format 3/);
  });

  it('refuses a copy that is damaged, belongs to another instance or needs another key', async () => {
    const dataDir = copyOf(damage('a missing database file'));
    await using started = new StartedInstance(dataDir);
    await started.safeMode();
    const other = join(folder, 'other');
    await using foreign = new StartedInstance(other);
    await foreign.ready();
    await foreign[Symbol.asyncDispose]();
    const copies = [
      copyOf(damagePage('tasks', (bytes) => bytes.fill(0))),
      copyOf(damage('text instead of the database')),
      copyOf(edit(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)),
      other,
    ];

    for (const copy of copies) {
      const { status } = await restore(started, join(copy, 'davit.db'));
      assert.equal(status, 409, copy);
    }
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.startsWith('davit.db')),
      [],
    );
    assert.equal((await restore(started, join(whole, 'davit.db'))).status, 200);
    await started.ready();
  });

  it('restores a copy whose newest changes are only in its write-ahead log', async () => {
    const killed = join(folder, 'killed');
    await using running = new StartedInstance(copyOf());
    await running.ready();
    await running.sendLocally({
      method: 'POST',
      path: '/api/projects',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ slug: 'newest' }),
    });
    cpSync(running.dataDir, killed, { recursive: true });
    await running[Symbol.asyncDispose]();
    await using started = new StartedInstance(copyOf(damage('a missing database file')));
    await started.safeMode();

    const log = readFileSync(join(killed, 'davit.db-wal'));
    assert.ok(log.length > 0);
    await started.sendLocally({ method: 'PUT', path: SAFE_MODE_PATHS.receiveLog, body: log });
    await restore(started, join(killed, 'davit.db'), '?log=true');

    await started.ready();
    assert.ok((await projectsOf(started)).includes('newest'));
  });

  it('does not merge the write-ahead log of another copy, and refuses a copy without its log', async () => {
    await using started = new StartedInstance(copyOf(damage('a missing database file')));
    await started.safeMode();
    const copy = join(whole, 'davit.db');
    const strayLog = Buffer.alloc(4_096, 1);

    assert.equal((await restore(started, copy, '?log=true')).status, 409);
    await started.sendLocally({ method: 'PUT', path: SAFE_MODE_PATHS.receiveLog, body: strayLog });
    assert.ok(readdirSync(started.dataDir).includes('davit.db-received-wal'));
    const restored = await restore(started, copy);

    assert.equal(restored.status, 200, restored.text);
    await started.ready();
    assert.deepEqual(await projectsOf(started), ['blog', 'docs', 'shop']);
  });

  it('names a protected row that was changed, and starts when the operator accepts it', async () => {
    const dataDir = copyOf(edit("UPDATE projects SET slug = 'sh0p' WHERE slug = 'shop'"));
    await using started = new StartedInstance(dataDir);
    const { lines } = await started.safeMode();

    const { files } = await verify(started);
    const refused = await restore(started, join(dataDir, 'davit.db'));
    const accepted = await started.sendLocally({
      method: 'POST',
      path: `${SAFE_MODE_PATHS.resume}?accept_rows=true`,
    });

    assert.match(lines[0] ?? '', /row 1 of the table projects/);
    assert.match(files[0]?.findings[0] ?? '', /row 1 of the table projects/);
    assert.equal(refused.status, 409);
    assert.equal(json<{ problem: string | null }>(accepted).problem, null);
    await started.ready();
    assert.deepEqual(await projectsOf(started), ['blog', 'docs', 'sh0p']);
    await started[Symbol.asyncDispose]();
    await using again = new StartedInstance(dataDir);
    await again.ready();
  });

  it('is stopped like a running instance', async () => {
    const started = new StartedInstance(copyOf(damage('a missing key file')));
    await started.safeMode();

    await started[Symbol.asyncDispose]();

    await using again = new StartedInstance(started.dataDir);
    await again.safeMode();
  });
});

it('an error about a full disk is a reason for safe mode, and other errors are not', () => {
  const sqlite = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  const file = Object.assign(new Error('no space left'), { code: 'ENOSPC' });

  assert.equal(reasonOf(sqlite, '/nowhere')?.problem, 'full');
  assert.equal(reasonOf(file, '/nowhere')?.problem, 'full');
  assert.equal(reasonOf(new Error('Docker does not respond'), '/nowhere'), null);
});
