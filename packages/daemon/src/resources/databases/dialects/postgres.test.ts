import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseCommand, DatabaseFacts } from './dialect.ts';
import { postgres } from './postgres.ts';
import { scramVerifier } from './scram.ts';

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

describe('the rules', () => {
  const facts: DatabaseFacts = {
    login: { username: 'shop', password: 'secret' },
    otherLogins: [{ username: 'shop_2', password: 'other' }],
    adminPassword: 'admin',
    isFilled: true,
    database: 'shop',
    extensions: [],
    tls: { key: '', certificate: '' },
    allowConfig: false,
  };
  const ends = (name: string) => `WHERE usename = '${name}' AND pid <> pg_backend_pid()`;

  /** Returns all statements for a server with these verifiers. */
  function said(verifiers: Record<string, string | null>): string {
    const lines = Object.entries(verifiers).map(([login, verifier]) => JSON.stringify({ login, verifier }));
    const answer = ['{"database":"shop"}', ...lines].join('\n');
    const texts: string[] = [];
    for (let next: DatabaseCommand | null = postgres.renewRules(facts); next !== null; ) {
      texts.push(next.stdin);
      next = next.followUp?.(answer) ?? null;
    }
    return texts.join('\n');
  }

  it('end the sessions of a login whose password they change', () => {
    for (const verifier of [scramVerifier('before'), 'md5d41d8cd98f00b204e9800998ecf8427e', null]) {
      const text = said({ shop: verifier, shop_2: scramVerifier('other') });
      assert.ok(text.lastIndexOf(ends('shop')) > text.indexOf('ALTER ROLE "shop" WITH LOGIN'), String(verifier));
      assert.ok(!text.includes(ends('shop_2')));
    }
  });

  it('end no session of a login that has its password, with whatever salt, nor of one that is not there', () => {
    const text = said({ shop: scramVerifier('secret') });
    assert.ok(!text.includes(ends('shop')) && !text.includes(ends('shop_2')));
  });
});
