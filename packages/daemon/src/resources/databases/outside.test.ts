import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientsOf, type OutsideAccess, outsideUrl } from './outside.ts';

const ACCESS: Omit<OutsideAccess, 'engine'> = {
  username: 'shop',
  password: "it's/a%secret",
  database: 'shop',
  host: 'davit.example.com',
  port: 15_432,
};
const PASSWORD = 'it%27s%2Fa%25secret';
const SHELL_PASSWORD = "'it'\\''s/a%secret'";

const of = (engine: OutsideAccess['engine']): OutsideAccess => ({
  ...ACCESS,
  engine,
  ...(engine === 'redis' && { username: 'default', database: null }),
});
const lines = (engine: OutsideAccess['engine']) =>
  Object.fromEntries(clientsOf(of(engine)).map(({ client, line }) => [client, line]));

describe('addresses of exposed databases', () => {
  it('of PostgreSQL require verification with the CA file', () => {
    const url = `postgresql://shop:${PASSWORD}@davit.example.com:15432/shop?sslmode=verify-full&sslrootcert=davit-ca.pem`;
    assert.equal(outsideUrl(of('postgres')), url);
    assert.deepEqual(lines('postgres'), {
      psql: `PGPASSWORD=${SHELL_PASSWORD} psql 'postgresql://shop@davit.example.com:15432/shop?sslmode=verify-full&sslrootcert=davit-ca.pem'`,
      'node-postgres (pg)': `new pg.Client({ connectionString: '${url}' })`,
      'Prisma Client': `new PrismaPg({ connectionString: '${url}' })`,
      'Prisma Migrate': `DATABASE_URL='postgresql://shop:${PASSWORD}@davit.example.com:15432/shop?sslmode=require&sslaccept=strict&sslcert=../davit-ca.pem'`,
      'DBeaver (JDBC)': 'jdbc:postgresql://davit.example.com:15432/shop?sslmode=verify-full&sslrootcert=davit-ca.pem',
    });
  });

  it('of MariaDB let mysql2 use TLS and verify the host', () => {
    const url = new URL(outsideUrl(of('mariadb')));
    assert.deepEqual(JSON.parse(url.searchParams.get('ssl') ?? ''), { verifyIdentity: true });
    assert.deepEqual(lines('mariadb'), {
      mariadb: `MYSQL_PWD=${SHELL_PASSWORD} mariadb --protocol=tcp --host=davit.example.com --port=15432 --user='shop' --ssl-ca=davit-ca.pem --ssl-verify-server-cert 'shop'`,
      mysql2: `mysql.createConnection({ uri: 'mysql://shop:${PASSWORD}@davit.example.com:15432/shop', ssl: { ca: readFileSync('davit-ca.pem'), verifyIdentity: true } })`,
      'Prisma Client': `new PrismaMariaDb({ host: "davit.example.com", user: "shop", password: "it's/a%secret", database: "shop", port: 15432, ssl: { ca: readFileSync('davit-ca.pem') } })`,
      'Prisma Migrate': `DATABASE_URL='mysql://shop:${PASSWORD}@davit.example.com:15432/shop?sslaccept=strict&sslcert=../davit-ca.pem'`,
      'DBeaver (JDBC)': 'jdbc:mariadb://davit.example.com:15432/shop?sslMode=verify-full&serverSslCert=davit-ca.pem',
    });
  });

  it('of Redis use the scheme rediss and name the CA file', () => {
    const url = `rediss://default:${PASSWORD}@davit.example.com:15432/0`;
    assert.deepEqual(lines('redis'), {
      'redis-cli': `REDISCLI_AUTH=${SHELL_PASSWORD} redis-cli --tls --cacert davit-ca.pem -h davit.example.com -p 15432 --user 'default'`,
      ioredis: `new Redis('${url}', { tls: { ca: readFileSync('davit-ca.pem') } })`,
    });
  });

  it('of MySQL and MongoDB verify the certificate too', () => {
    assert.match(lines('mysql').mysql ?? '', / --ssl-ca=davit-ca\.pem --ssl-mode=VERIFY_IDENTITY /);
    assert.match(outsideUrl(of('mongodb')), /\?authSource=shop&tls=true&tlsCAFile=davit-ca\.pem$/);
    assert.equal(
      lines('mongodb').mongosh,
      `MONGOSH_PASSWORD=${SHELL_PASSWORD} mongosh 'mongodb://davit.example.com:15432/shop?tls=true&tlsCAFile=davit-ca.pem' --shell --eval 'db.auth("shop", process.env.MONGOSH_PASSWORD); undefined'`,
    );
  });

  it('of commands keep the password out of the process arguments', () => {
    for (const [engine, client] of [
      ['postgres', 'psql'],
      ['mysql', 'mysql'],
      ['mariadb', 'mariadb'],
      ['redis', 'redis-cli'],
      ['mongodb', 'mongosh'],
    ] as const) {
      const line = lines(engine)[client] ?? '';
      const command = line.indexOf(` ${client} `);
      assert.match(line.slice(0, command), /^[A-Z_]+='it'\\''s\/a%secret'$/, client);
      assert.doesNotMatch(line.slice(command), /secret/, client);
    }
  });
});
