import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DatabaseFacts } from './dialect.ts';
import { postgres } from './postgres.ts';

it('checks the owners in needed extensions after they were moved, before a script runs, and at the end', () => {
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
  const check = [
    `e.extnamespace NOT IN ('${schema}'::regnamespace, 'pg_catalog'::regnamespace)`,
    'RAISE EXCEPTION',
    "FROM pg_operator WHERE oprowner <> 'davit_admin'::regrole",
    "FROM pg_proc WHERE proowner <> 'davit_admin'::regrole",
    "FROM pg_type WHERE typowner <> 'davit_admin'::regrole",
    `d.refobjid = '${schema}'::regnamespace`,
    "d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass",
    'RAISE EXCEPTION',
  ];
  const steps = [
    'BEGIN;',
    "unnest(ARRAY['earthdistance']::name[])",
    `SET SCHEMA ${schema}', name) FROM pg_temp.plan WHERE movable\\gexec`,
    ...check,
    'CREATE EXTENSION %I WITH SCHEMA',
    'WHERE home IS NULL ORDER BY depth DESC',
    ...check,
    "SET SCHEMA %s', extname, coalesce(home, 'public'))",
    'COMMIT;',
  ];
  let at = -1;
  for (const step of steps) {
    const next = stdin.indexOf(step, at + 1);
    assert.ok(next > at, `${step} in ${stdin}`);
    at = next;
  }
  assert.doesNotMatch(stdin, /IF NOT EXISTS|CASCADE|pg_shdepend/);
});
