import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseFacts, NetworkAccess } from './dialect.ts';
import { mariadb, mysql } from './mysql.ts';

const FACTS: DatabaseFacts = {
  login: { username: 'shop', password: 'secret' },
  otherLogins: [],
  adminPassword: 'admin',
  isFilled: true,
  database: 'shop',
  extensions: [],
  tls: { key: '', certificate: '' },
  allowConfig: false,
};
const EXPOSED: NetworkAccess = { subnet: '10.208.3.0/24', gateway: '10.208.3.1', isExposed: true };

const checkOf = (access: NetworkAccess) =>
  mariadb.serve(FACTS, access).args?.find((argument) => argument.startsWith('--init-connect='));

describe('TLS of an exposed MariaDB', () => {
  it('accepts connections without TLS only from the subnet of the environment, except from its gateway', () => {
    const check = checkOf(EXPOSED) ?? '';

    assert.ok(check.includes(`& ${0xffffff00}) = INET_ATON('10.208.3.0')`), check);
    assert.ok(check.includes("<> '10.208.3.1'"), check);
    assert.ok(mariadb.serve(FACTS, EXPOSED).args?.includes('--skip-name-resolve'));
  });

  it('does not check connections if no port is published', () => {
    assert.equal(checkOf({ ...EXPOSED, isExposed: false }), undefined);
  });

  it('is not required by MySQL, whose image Davit does not test', () => {
    assert.deepEqual([mariadb.demandsTls, mysql.demandsTls], [true, false]);
    assert.deepEqual(mysql.serve(FACTS, EXPOSED), mysql.serve(FACTS, { ...EXPOSED, isExposed: false }));
  });
});
