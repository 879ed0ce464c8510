import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseCommand, DatabaseFacts } from './dialect.ts';
import { postgres } from './postgres.ts';
import { scramVerifier } from './scram.ts';

it('addExtensions checks extension owners after the move, before scripts, and at the end', () => {
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

describe('renewal of access rules in PostgreSQL', () => {
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

  /** Returns all statements for a server with these verifiers and access rules. */
  function said(verifiers: Record<string, string | null>, access = '', ...more: string[]): string {
    const lines = Object.entries(verifiers).map(([login, verifier]) => JSON.stringify({ login, verifier }));
    const listed = ['{"database":"shop"}', ...lines, ...more].join('\n');
    const texts: string[] = [];
    for (let next: DatabaseCommand | null = postgres.renewRules(facts); next !== null; ) {
      texts.push(next.stdin);
      next = next.followUp?.(next.command[0] === 'cat' ? access : listed) ?? null;
    }
    return texts.join('\n');
  }

  it('closes a login and ends its sessions before its password changes', () => {
    for (const verifier of [scramVerifier('before'), 'md5d41d8cd98f00b204e9800998ecf8427e', null]) {
      const text = said({ shop: verifier, shop_2: scramVerifier('other') });
      const order = [`ARRAY['pg_nobody']`, ends('shop'), 'ALTER ROLE "shop" WITH LOGIN', `ARRAY['shop', 'shop_2']`];
      const positions = order.map((part) => text.indexOf(part));
      assert.deepEqual(
        positions.toSorted((a, b) => a - b),
        positions,
        String(verifier),
      );
      assert.ok(!positions.includes(-1) && !text.includes(ends('shop_2')), String(verifier));
    }
  });

  it('waits for pending sign-ins, except on a new server without accepted logins', () => {
    const changed = { shop: scramVerifier('before') };
    const open = 'hostssl all "shop","shop_2" all scram-sha-256\nhostnossl all all 10.1.0.1/32 reject';
    const closed = `local postgres davit_admin scram-sha-256\n${open.replace('"shop","shop_2"', '"pg_nobody"')}`;
    const isNew = '{"isNew":true}';
    for (const access of [open, 'local all all trust', `${closed}\nhostssl all all all scram-sha-256`])
      assert.match(said(changed, access, isNew), /pg_sleep/, access);
    assert.match(said(changed, closed), /pg_sleep/, 'an earlier attempt may have closed it just now');
    assert.doesNotMatch(said(changed, closed, isNew), /pg_sleep/);
    assert.doesNotMatch(said({ shop: scramVerifier('secret') }, open), /pg_sleep/);
  });

  it('ends sessions and sets the password again after an unexpected replacement', () => {
    let isRenewed = false;
    const texts: string[] = [];
    for (let next: DatabaseCommand | null = postgres.renewRules(facts); next !== null; ) {
      texts.push(next.stdin);
      isRenewed ||= next.stdin.includes('ALTER ROLE "shop" WITH LOGIN');
      const verifier = scramVerifier(isRenewed ? 'before' : 'secret');
      next = next.followUp?.(JSON.stringify({ login: 'shop', verifier })) ?? null;
    }
    const text = texts.join('\n');
    assert.ok(text.indexOf(ends('shop')) > text.indexOf('ALTER ROLE "shop" WITH LOGIN'));
    assert.ok(text.lastIndexOf('ALTER ROLE "shop" WITH LOGIN') > text.indexOf(ends('shop')));
  });

  it('drops foreign data wrappers before changing the owner of foreign tables', () => {
    const text = said({ shop: scramVerifier('secret') });
    const positions = ['DROP FOREIGN DATA WRAPPER %I CASCADE', 'ALTER %s OWNER TO davit_owner'].map((part) =>
      text.indexOf(part),
    );
    assert.ok(positions[0] !== -1 && Number(positions[0]) < Number(positions[1]), String(positions));
  });

  it('ends no session of a login with the correct password or a missing login', () => {
    const text = said({ shop: scramVerifier('secret') });
    assert.ok(!text.includes(ends('shop')) && !text.includes(ends('shop_2')));
  });
});
