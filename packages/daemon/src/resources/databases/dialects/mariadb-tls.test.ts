import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseCommand, DatabaseFacts, NetworkAccess } from './dialect.ts';
import { mariadb, mysql } from './mysql.ts';

const FACTS: DatabaseFacts = {
  login: { username: 'shop', password: 'secret' },
  otherLogins: [{ username: 'shop_2', password: 'other' }],
  adminPassword: 'admin',
  isFilled: true,
  database: 'shop',
  extensions: [],
  tls: { key: '', certificate: '' },
  allowConfig: false,
};
const EXPOSED: NetworkAccess = { subnet: '10.208.3.0/24', gateway: '10.208.3.1', isExposed: true };

const argumentsOf = (access: NetworkAccess) => mariadb.serve(FACTS, access).args ?? [];
const checkOf = (access: NetworkAccess) =>
  argumentsOf(access).find((argument) => argument.startsWith('--init-connect='));
/** Statements that permit a login to read its own connection. */
const grantsIn = ({ stdin }: DatabaseCommand) =>
  [...stdin.matchAll(/^GRANT SELECT \((.+)\) ON performance_schema\.threads TO '(\w+)'@'%';$/gm)].map(
    ([, columns, user]) => [columns, user],
  );

describe('TLS of an exposed MariaDB', () => {
  it('accepts connections without TLS only from the subnet of the environment, except from its gateway', () => {
    const check = checkOf(EXPOSED) ?? '';

    assert.ok(check.includes(`& ${0xffffff00}) = INET_ATON('10.208.3.0')`), check);
    assert.ok(check.includes("<> '10.208.3.1'"), check);
    assert.ok(argumentsOf(EXPOSED).includes('--skip-name-resolve'));
  });

  it('reads the type of the connection in the performance schema, only for clients from outside', () => {
    assert.match(
      checkOf(EXPOSED) ?? '',
      /EXECUTE IMMEDIATE IF\(.*'10\.208\.3\.1'\), 'DO 0', '.*CONNECTION_TYPE = ''SSL\/TLS''.*'\)$/,
    );
    assert.ok(argumentsOf(EXPOSED).includes('--performance-schema'));
  });

  it('does not check connections if no port is published', () => {
    const closed = argumentsOf({ ...EXPOSED, isExposed: false });

    assert.deepEqual(
      closed.filter((argument) => /init-connect|performance-schema/.test(argument)),
      [],
    );
  });

  it('lets each login read only the number and type of connections', () => {
    const columns = 'PROCESSLIST_ID, CONNECTION_TYPE';
    const all = [
      [columns, 'shop'],
      [columns, 'shop_2'],
    ];

    assert.deepEqual(grantsIn(mariadb.setUp(FACTS)), all);
    assert.deepEqual(grantsIn(mariadb.renewRules(FACTS)), all);
    assert.deepEqual(grantsIn(mariadb.addLogin(FACTS, { username: 'next', password: 'new' })), [[columns, 'next']]);
  });

  it('keeps this permission of logins when the rules are renewed, but of no other account', () => {
    const { stdin } = mariadb.renewRules(FACTS);
    const ended = mariadb.endLogins?.(FACTS).stdin ?? assert.fail();

    const kept =
      / AND NOT \(db = 'performance_schema' AND table_name = 'threads'.* AND CONCAT\(user, '@', host\) IN \('shop@%', 'shop_2@%'\)\);$/;
    for (const table of ['tables_priv', 'columns_priv']) {
      assert.match(deletionIn(stdin, table), kept);
      assert.doesNotMatch(deletionIn(ended, table), /'threads'/);
    }
    // A former administrator can have granted the whole table, and this permission is in the same row.
    const whole = stdin.indexOf("UPDATE mysql.tables_priv SET table_priv = '' WHERE db = 'performance_schema'");
    assert.ok(whole > 0 && whole < stdin.indexOf('FLUSH PRIVILEGES;'));
    for (const table of ['db', 'procs_priv']) assert.doesNotMatch(deletionIn(stdin, table), /'threads'/);
  });

  it('is not required by MySQL, whose image Davit does not test', () => {
    assert.deepEqual([mariadb.demandsTls, mysql.demandsTls], [true, false]);
    assert.deepEqual(mysql.serve(FACTS, EXPOSED), mysql.serve(FACTS, { ...EXPOSED, isExposed: false }));
    assert.deepEqual(grantsIn(mysql.renewRules(FACTS)), []);
    assert.doesNotMatch(mysql.renewRules(FACTS).stdin, /'threads'/);
  });
});

function deletionIn(statements: string, table: string): string {
  return statements.split('\n').find((line) => line.startsWith(`DELETE FROM mysql.${table} `)) ?? assert.fail(table);
}
