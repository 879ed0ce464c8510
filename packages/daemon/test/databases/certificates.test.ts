/** Certificates of databases: names, renewal, and loading them into running servers. */
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, it, test } from 'node:test';
import { DatabaseCreate } from '@davit/api';
import { createLogger } from '@davit/service';
import { instanceAuthority } from '../../src/auth/instance-authority.ts';
import { fingerprintOf } from '../../src/auth/issue-certificate.ts';
import { type DatabaseRow, databaseById, setDatabase } from '../../src/db/tables/managed-database.ts';
import { writeSetting } from '../../src/db/tables/settings.ts';
import { databaseCertificatesTask } from '../../src/reconcilers/database-certificates.ts';
import { deleteDatabase, exposeDatabase, stopDatabase } from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { databaseTls, newTlsKey } from '../../src/resources/databases/secrets.ts';
import { restoreDatabase } from '../../src/resources/databases/trash.ts';
import { TaskHarness } from '../support/task-harness.ts';

const DAY_MS = 86_400_000;
const INTERNAL = 'db.db.production.shop.internal';
const LOCAL = ['localhost', '127.0.0.1'];

async function made(engine = 'postgres'): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  const input = DatabaseCreate.parse({ project: 'shop', name: 'db', engine });
  assert.equal((await harness.ended(await createDatabase(harness.core, harness.ctx, input))).error, null);
  return harness;
}

const row = (harness: TaskHarness, id = 1): DatabaseRow =>
  databaseById(harness.core.store, id) ?? assert.fail('the database is gone');
const certificateOf = (harness: TaskHarness) =>
  new X509Certificate(databaseTls(harness.core.sealer, row(harness)).certificate);
const namesOf = (certificate: X509Certificate) =>
  (certificate.subjectAltName ?? '').split(', ').map((name) => name.slice(name.indexOf(':') + 1));
const authorityOf = async (harness: TaskHarness) =>
  new X509Certificate((await instanceAuthority(harness.core)).certificate);

/** Returns the certificate in the files of the container. */
function inContainer(harness: TaskHarness): string {
  const [container] = harness.engine.controls.containers();
  const file = container?.files.find(({ path }) => path === '/etc/davit/tls.crt');
  return Buffer.from(file?.bytes ?? '').toString();
}

/** Runs the reconciler once, and returns the programs that it ran in the container with their input. */
async function renewed(harness: TaskHarness): Promise<string[]> {
  const ran: string[] = [];
  for (const [program, output] of [
    ...([
      ['cp', ''],
      ['tee', ''],
      ['mv', ''],
      ['psql', 't\n'],
      ['mariadb', ''],
      ['mysql', ''],
      ['redis-cli', 'OK\nOK\n'],
    ] as const),
    ...([['mongosh', 'davit: done\n']] as const),
  ])
    harness.engine.controls.program(program, async ({ command, stdin, write }) => {
      const said = Buffer.concat(await Array.fromAsync(stdin)).toString();
      ran.push(['cp', 'tee', 'mv'].includes(program) ? command.join(' ') : `${program}: ${said}`);
      if (program === 'tee') ran.push(said);
      await write(output);
      return 0;
    });
  const task = databaseCertificatesTask(harness.core, harness.ctx.log);
  await task.run(new AbortController().signal);
  await task.settled?.();
  return ran;
}

const changeDomain = (harness: TaskHarness, domain: string) =>
  Object.defineProperty(harness.core.facts, 'domain', { value: domain });

test('all calls get the same CA, also concurrent ones and those of a later process', async () => {
  await using harness = await TaskHarness.make();

  const [one, other] = await Promise.all([instanceAuthority(harness.core), instanceAuthority(harness.core)]);

  assert.deepEqual(one, other);
  assert.deepEqual(await instanceAuthority(harness.core), one);
});

test('a new CA is logged only if it replaces a CA whose key cannot be decrypted', async () => {
  await using harness = await TaskHarness.make();
  const { store, sealer, facts, now } = harness.core;
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', destination: { write: (line: string) => void lines.push(line) } });
  const base = { store, sealer, facts, now, log };
  await instanceAuthority(base);
  assert.deepEqual(lines, []);
  store.tx((tx) => writeSetting(tx, 'instance.authority', 'v1.changed'));

  const [made] = await Promise.all([instanceAuthority(base), instanceAuthority(base)]);

  assert.equal(lines.length, 1);
  assert.equal(JSON.parse(lines[0] ?? '').fingerprint, fingerprintOf(made.certificate));
  assert.doesNotMatch(lines.join(''), /PRIVATE KEY/);
});

test('the stored key of the CA is encrypted', async () => {
  await using harness = await TaskHarness.make();

  const { key } = await instanceAuthority(harness.core);

  const rows = harness.core.store.all<{ value: string }>({ sql: 'SELECT value FROM settings', columns: null });
  const [secret = ''] = key.split('\n').slice(1);
  assert.ok(rows.some(({ value }) => value.startsWith('v1.')));
  assert.ok(rows.every(({ value }) => !value.includes(secret) && !value.includes('PRIVATE KEY')));
});

describe('a new database', () => {
  it('has a certificate of the CA for its internal name and this computer, and its server uses it', async () => {
    await using harness = await made();
    const certificate = certificateOf(harness);

    assert.ok(certificate.verify((await authorityOf(harness)).publicKey));
    assert.deepEqual(namesOf(certificate), [INTERNAL, ...LOCAL]);
    assert.equal(inContainer(harness), certificate.toString());
    assert.deepEqual(await renewed(harness), []);
  });

  it('has the domain in its certificate after a port was published', async () => {
    await using harness = await made();
    const { key } = databaseTls(harness.core.sealer, row(harness));

    const { error } = await harness.ended(await exposeDatabase(harness.core, harness.ctx, row(harness)));

    assert.equal(error, null);
    assert.deepEqual(namesOf(certificateOf(harness)), [INTERNAL, 'davit.test', ...LOCAL]);
    assert.equal(inContainer(harness), certificateOf(harness).toString());
    assert.equal(databaseTls(harness.core.sealer, row(harness)).key, key);
    assert.deepEqual(await renewed(harness), []);
  });
});

describe('the reconciler of certificates', () => {
  const LOADS: Record<string, RegExp> = {
    postgres: /^psql: SELECT pg_reload_conf\(\);/,
    mariadb: /^mariadb: .*FLUSH SSL;/s,
    mysql: /^mysql: .*ALTER INSTANCE RELOAD TLS;/s,
    redis: /^redis-cli: .*CONFIG SET tls-cert-file \/etc\/davit\/tls\.crt tls-key-file \/etc\/davit\/tls\.key/s,
  };
  for (const [engine, load] of Object.entries(LOADS))
    it(`replaces a self-signed certificate of ${engine} in the running server without a new container`, async () => {
      await using harness = await made(engine);
      // An earlier version of Davit left no facts about the certificate.
      harness.core.store.tx((tx) => setDatabase(tx, 1, { certificate: null, served_certificate: null }));
      const [container] = harness.engine.controls.containers();

      const ran = await renewed(harness);

      assert.equal(ran[0], 'tee /etc/davit/tls.crt.new');
      assert.equal(ran[1], certificateOf(harness).toString());
      assert.equal(ran[2], 'mv -f /etc/davit/tls.crt.new /etc/davit/tls.crt');
      assert.match(ran[3] ?? '', load);
      assert.equal(harness.engine.controls.containers()[0]?.id, container?.id);
      assert.deepEqual(await renewed(harness), []);
    });

  it('replaces the file of mongodb with the certificate and the key in one step', async () => {
    await using harness = await made('mongodb');
    harness.core.store.tx((tx) => setDatabase(tx, 1, { certificate: null, served_certificate: null }));

    const ran = await renewed(harness);

    const { key, certificate } = databaseTls(harness.core.sealer, row(harness));
    assert.deepEqual(ran.slice(0, 4), [
      'cp -p /etc/davit/tls.pem /etc/davit/tls.pem.new',
      ...['tee /etc/davit/tls.pem.new', `${key}${certificate}`],
      'mv -f /etc/davit/tls.pem.new /etc/davit/tls.pem',
    ]);
    assert.match(ran[4] ?? '', /rotateCertificates: 1/);
  });

  it('renews a certificate 180 days before it expires, and not earlier', async () => {
    await using harness = await made();
    const first = certificateOf(harness);

    harness.clock = first.validToDate.getTime() - 181 * DAY_MS;
    assert.deepEqual(await renewed(harness), []);
    harness.clock = first.validToDate.getTime() - 179 * DAY_MS;
    assert.notDeepEqual(await renewed(harness), []);

    assert.ok(certificateOf(harness).validToDate > first.validToDate);
  });

  it('issues a certificate with the new domain of an exposed database', async () => {
    await using harness = await made();
    await harness.ended(await exposeDatabase(harness.core, harness.ctx, row(harness)));
    changeDomain(harness, 'davit.example.com');

    await renewed(harness);

    assert.deepEqual(namesOf(certificateOf(harness)), [INTERNAL, 'davit.example.com', ...LOCAL]);
  });

  it('loads the certificate in a later run if the server refuses the command', async () => {
    await using harness = await made();
    harness.core.store.tx((tx) => setDatabase(tx, 1, { certificate: null, served_certificate: null }));
    harness.engine.controls.program('tee', async () => 1);
    const task = databaseCertificatesTask(harness.core, harness.ctx.log);
    await task.run(new AbortController().signal);
    await task.settled?.();
    assert.equal(row(harness).served_certificate, null);

    assert.notDeepEqual(await renewed(harness), []);

    assert.notEqual(row(harness).served_certificate, null);
  });

  it('leaves a stopped database alone', async () => {
    await using harness = await made();
    await harness.ended(stopDatabase(harness.core, harness.ctx, row(harness)));
    harness.core.store.tx((tx) => setDatabase(tx, 1, { certificate: null, served_certificate: null }));

    assert.deepEqual(await renewed(harness), []);
    assert.equal(row(harness).certificate, null);
  });

  it('issues certificates of a new CA if the stored CA cannot be decrypted', async () => {
    await using harness = await made();
    const before = await authorityOf(harness);
    harness.core.store.tx((tx) => writeSetting(tx, 'instance.authority', 'v1.changed'));

    await renewed(harness);

    const now = await authorityOf(harness);
    assert.notEqual(now.fingerprint256, before.fingerprint256);
    assert.ok(certificateOf(harness).verify(now.publicKey));
  });
});

test('a database whose TLS key was replaced in the trash has a certificate for the new key after the restore', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  deleteDatabase(core, ctx, row(harness), 'db');
  await harness.reconcile();
  core.store.tx((tx) => setDatabase(tx, 1, { tls: newTlsKey(core.sealer, 1), certificate: null }));

  const { error } = await harness.ended(restoreDatabase(core, ctx, '1'));

  assert.equal(error, null);
  const { key } = databaseTls(core.sealer, row(harness));
  assert.ok(certificateOf(harness).checkPrivateKey(createPrivateKey(key)));
  assert.equal(inContainer(harness), certificateOf(harness).toString());
});
