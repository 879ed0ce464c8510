import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DatabaseFacts } from './dialect.ts';
import { postgres } from './postgres.ts';

it('asks who owns the objects of a needed extension, after they were moved and before a script runs', () => {
  const facts: DatabaseFacts = {
    login: { username: 'shop', password: 'secret' },
    otherLogins: [],
    adminPassword: 'admin',
    isFilled: true,
    database: 'shop',
    extensions: [],
    tls: { key: '', certificate: '' },
    allowConfig: false,
  };
  const { stdin = '' } = postgres.addExtensions(facts, ['earthdistance']) ?? {};

  const [, schema = ''] = /CREATE SCHEMA (davit_\w+);/.exec(stdin) ?? [];
  const steps = [
    'BEGIN;',
    `SET SCHEMA ${schema}', name) FROM pg_temp.homes\\gexec`,
    "o.refobjid <> 'davit_admin'::regrole",
    `d.refobjid = '${schema}'::regnamespace`,
    "d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass",
    "v.name IN ('earthdistance')",
    'RAISE EXCEPTION',
    'CREATE EXTENSION',
    'COMMIT;',
  ];
  let at = -1;
  for (const step of steps) {
    const next = stdin.indexOf(step, at + 1);
    assert.ok(next > at, `${step} in ${stdin}`);
    at = next;
  }
});
