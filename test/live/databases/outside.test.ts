/**
 * Connection lines of exposed databases, run as printed by real clients: psql, mariadb and redis-cli of Debian, and the
 * libraries pg, mysql2, ioredis, TypeORM, drizzle-kit and Prisma's driver adapters.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import type { DatabaseEngine } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { newAuthority } from '../../../packages/daemon/src/auth/issue-certificate.ts';
import { createdDatabase, done, inDatabase, pathOf, projectOf } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { type Exposed, NODE_PATH, OutsideClients, RUNNABLE } from '../../support/outside-clients.ts';
import { inLong } from '../../support/tiers.ts';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Clients of each engine whose lines must work. The lines of Redis are left to the long tier. */
const CLIENTS: Partial<Record<DatabaseEngine, string[]>> = {
  postgres: ['psql', 'node-postgres (pg)', 'Prisma Client'],
  mariadb: ['mariadb', 'mysql2', 'Prisma Client'],
  redis: ['redis-cli', 'ioredis'],
};

describe('databases from outside', () => {
  let harness: LiveHarness;
  let project: string;
  before(async () => {
    // Clients on this computer can resolve only this domain.
    harness = await LiveHarness.create({ flags: ['--domain', 'localhost'] });
    project = await projectOf(harness);
  });
  after(() => harness?.[Symbol.asyncDispose]());

  const exposedOf = async (reference: string): Promise<Exposed> => {
    const { exposed } = await harness.client.getDatabaseCredentials({ params: pathOf(reference) });
    return exposed ?? assert.fail(`${reference} is not exposed`);
  };

  const shared = new Map<DatabaseEngine, Promise<string>>();

  /** Returns the exposed database of an engine. The cases share it, because its start takes longer than a case. */
  function exposedDatabase(engine: DatabaseEngine): Promise<string> {
    const reference = shared.get(engine) ?? exposeNew(engine);
    shared.set(engine, reference);
    return reference;
  }

  async function exposeNew(engine: DatabaseEngine): Promise<string> {
    const reference = await createdDatabase(harness, { project, name: `${engine}-lines`, engine });
    await done(harness.client.exposeDatabase({ params: pathOf(reference), query: { wait: 'true' } }));
    return reference;
  }

  for (const [engine, clients] of Object.entries(CLIENTS) as [DatabaseEngine, string[]][])
    it(
      `each printed line connects to ${engine} with the CA of the instance, and refuses another CA`,
      engine === 'redis' ? inLong : {},
      () => connects(engine, clients),
    );

  async function connects(engine: DatabaseEngine, clients: string[]): Promise<void> {
    const reference = await exposedDatabase(engine);
    const exposed = await exposedOf(reference);
    const lines = exposed.clients.filter(({ client }) => RUNNABLE.includes(client));
    assert.deepEqual(lines.map(({ client }) => client).sort(), [...clients].sort());
    await using outside = await OutsideClients.start(harness, reference, exposed);

    await outside.saveCa(await harness.client.getInstanceCa());
    for (const line of lines) {
      const { code, stdout, stderr } = await outside.run(line);
      assert.deepEqual([code, stdout.trim()], [0, '42'], `${line.client}: ${stderr}`);
    }

    await outside.saveCa((await newAuthority('another CA', Date.now())).certificate);
    for (const line of lines) {
      const { code, stdout, stderr } = await outside.run(line);
      assert.notEqual(code, 0, `${line.client} accepts another CA`);
      assert.ok(!stdout.includes('42'), line.client);
      assert.match(stderr, /certificate|self.signed|verify|SSL/i, line.client);
    }
  }

  it('TypeORM and drizzle-kit connect with the printed address, and refuse another CA', inLong, async () => {
    const reference = await exposedDatabase('postgres');
    const exposed = await exposedOf(reference);
    await using outside = await OutsideClients.start(harness, reference, exposed);
    const psql = exposed.clients.find(({ client }) => client === 'psql') ?? assert.fail();
    await outside.saveCa(exposed.certificate);
    await outside.run({ ...psql, line: `${psql.line} -c 'create table if not exists answers (n int)'` });

    const typeorm = await outside.typeorm(exposed.url);
    assert.deepEqual([typeorm.code, typeorm.stdout.trim()], [0, '42'], typeorm.stderr);
    const drizzle = await outside.drizzleKit(exposed.url);
    assert.equal(drizzle.code, 0, drizzle.stderr);
    assert.match(drizzle.stdout, /answers = pgTable\("answers"/);

    await outside.saveCa((await newAuthority('another CA', Date.now())).certificate);
    const refused = await outside.typeorm(exposed.url);
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, /certificate|self.signed|verify|SSL/i);
    // drizzle-kit ends without a message.
    assert.notEqual((await outside.drizzleKit(exposed.url)).code, 0);
  });

  it('pg refuses a host that the certificate does not name', inLong, async () => {
    const reference = await exposedDatabase('postgres');
    const exposed = await exposedOf(reference);
    await using outside = await OutsideClients.start(harness, reference, exposed);
    await outside.saveCa(exposed.certificate);
    const line = exposed.clients.find(({ client }) => client === 'node-postgres (pg)') ?? assert.fail();

    // The whole network 127.0.0.0/8 leads to this computer, and the certificate names only 127.0.0.1.
    const other = await outside.run({ ...line, line: line.line.replace('@localhost:', '@127.0.0.2:') });

    assert.notEqual(other.code, 0);
    assert.match(other.stderr, /ERR_TLS_CERT_ALTNAME_INVALID|altnames/);
  });

  it('an exposed MariaDB refuses clients without TLS from outside, but not from the environment', async () => {
    const reference = await exposedDatabase('mariadb');
    const exposed = await exposedOf(reference);
    const { username, password, database, host } = await harness.client.getDatabaseCredentials({
      params: pathOf(reference),
    });
    await using outside = await OutsideClients.start(harness, reference, exposed);
    const uri = `mysql://${username}:${password}@${exposed.host}:${exposed.port}/${database}`;

    const plain = await outside.node(`
      const mysql = require('mysql2/promise');
      mysql.createConnection({ uri: '${uri}' }).then((connection) => connection.query('select 6 * 7'))
        .then(() => console.log('accepted'));`);

    assert.notEqual(plain.code, 0);
    assert.doesNotMatch(plain.stdout, /accepted/);
    const inside = await inDatabase(
      harness,
      reference,
      [
        ...['mariadb', '-NB', '--skip-ssl', '-h', host, '-u', username],
        ...['-e', "show session status like 'Ssl_cipher'; select 42"],
      ],
      '',
      { User: 'mysql', Env: [`MYSQL_PWD=${password}`] },
    );
    assert.match(inside, /^Ssl_cipher\t\n42\n$/);
  });

  it('a renewed certificate reaches new connections, and open connections stay open', async () => {
    const reference = await exposedDatabase('postgres');
    const exposed = await exposedOf(reference);
    await using outside = await OutsideClients.start(harness, reference, exposed);
    await outside.saveCa(exposed.certificate);
    const before = await certificateAt(exposed.port, exposed.certificate);
    using held = new HeldSession(outside.folder, exposed.url);
    await held.connected;

    await harness.client.patchSettings({ body: { domain: 'davit-renewed.test' } });
    try {
      await until('the certificate names the new domain', async () =>
        namesOf(await certificateAt(exposed.port, exposed.certificate)).includes('davit-renewed.test'),
      );
    } finally {
      await harness.client.patchSettings({ body: { domain: null } });
    }

    const now = await certificateAt(exposed.port, exposed.certificate);
    assert.notEqual(now.fingerprint256, before.fingerprint256);
    assert.equal(await held.ask(), '42');
  });
});

/** A session of `pg` in a separate process. The session stays open between two queries. */
class HeldSession implements Disposable {
  readonly #child;
  readonly connected: Promise<unknown>;

  constructor(cwd: string, url: string) {
    const code = `
      const pg = require('pg');
      const client = new pg.Client({ connectionString: ${JSON.stringify(url)} });
      client.connect().then(() => console.log('connected'));
      process.stdin.once('data', async () => {
        const { rows } = await client.query('select 6 * 7 as n');
        console.log(rows[0].n);
        process.exit(0);
      });`;
    const env = { PATH: process.env.PATH, NODE_PATH };
    this.#child = spawn(process.execPath, ['-e', code], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.connected = this.#answer();
  }

  /** Sends the second query. @returns the number that the server calculated */
  async ask(): Promise<string> {
    const answer = this.#answer();
    this.#child.stdin.write('ask\n');
    return (await answer).trim();
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }

  async #answer(): Promise<string> {
    const ended = once(this.#child, 'close').then(() => assert.fail('the session ended'));
    const [data] = (await Promise.race([once(this.#child.stdout, 'data'), ended])) as [Buffer];
    return data.toString();
  }
}

function namesOf({ subjectaltname = '' }: PeerCertificate): string[] {
  return subjectaltname.split(', ').map((name) => name.slice(name.indexOf(':') + 1));
}

/** Returns the certificate that a PostgreSQL server presents to a new connection, after the client has verified it. */
async function certificateAt(port: number, ca: string): Promise<PeerCertificate> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(SSL_REQUEST);
  await once(socket, 'data');
  const tls = connectTls({ socket, ca, servername: 'localhost' });
  await once(tls, 'secureConnect');
  const certificate = tls.getPeerCertificate();
  tls.destroy();
  return certificate;
}
