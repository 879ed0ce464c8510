import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import type { DatabaseCommand, DatabaseFacts } from './dialect.ts';
import { postgres } from './postgres.ts';

const PASSWORD = 'password-of-the-administrator';
const NETWORK = { subnet: '10.1.0.0/24', gateway: '10.1.0.1', isExposed: false };
const FACTS = {
  ...{ login: { username: 'app', password: 'word' }, otherLogins: [], adminPassword: PASSWORD },
  ...{
    database: 'shop',
    extensions: [],
    tls: { key: 'key', certificate: 'certificate' },
    allowConfig: false,
    isFilled: false,
  },
};

describe('access rules of a PostgreSQL server', () => {
  const { args, env, files } = postgres.serve(FACTS, NETWORK);
  const file = (path: string) => files.find((one) => one.path === path) ?? assert.fail(`there is no ${path}`);
  const text = (path: string) => Buffer.from(file(path).bytes).toString();
  const setting = (name: string) => args?.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';

  it('trust no connection and admit platform roles only by peer authentication', () => {
    const rules = text(setting('hba_file')).trim().split('\n');
    assert.doesNotMatch(rules.join('\n'), /\btrust\b/);
    // PostgreSQL uses the first rule that matches a connection.
    assert.deepEqual(rules.slice(0, 5), [
      'local postgres davit_admin scram-sha-256',
      'local all davit_admin,davit_reader,davit_restorer peer map=davit',
      'local replication davit_admin peer map=davit',
      'local all "app" scram-sha-256',
      'host all davit_admin,davit_reader,davit_restorer all reject',
    ]);
    const users = ['davit nobody davit_admin', 'davit nobody davit_reader', 'davit nobody davit_restorer', ''];
    assert.equal(text(setting('ident_file')), users.join('\n'));
  });

  it('admit the administrator password locally only until the data directory is filled', () => {
    const filled = postgres
      .serve({ ...FACTS, isFilled: true }, NETWORK)
      .files.find(({ path }) => path === setting('hba_file'));
    assert.match(
      Buffer.from(filled?.bytes ?? '').toString(),
      /^local all davit_admin,davit_reader,davit_restorer peer map=davit\n/,
    );

    const changed = change(postgres.setUp(FACTS), text(setting('hba_file')));
    assert.doesNotMatch(changed, /^local postgres/);
  });

  it('admit only the recorded logins, listed by user name', () => {
    const rules = (facts: DatabaseFacts) =>
      Buffer.from(postgres.serve(facts, NETWORK).files.find(({ path }) => path === setting('hba_file'))?.bytes ?? '')
        .toString()
        .split('\n')
        .filter((rule) => rule.endsWith('scram-sha-256'));
    const facts = { ...FACTS, isFilled: true };
    const second = { username: 'App-2', password: 'word' };

    assert.deepEqual(rules({ ...facts, otherLogins: [second] }), [
      'local all "app","App-2" scram-sha-256',
      'host all "app","App-2" 127.0.0.1/32 scram-sha-256',
      'hostssl all "app","App-2" all scram-sha-256',
      'hostnossl all "app","App-2" samenet scram-sha-256',
    ]);
    assert.ok(rules({ ...facts, admitted: [] }).every((rule) => rule.includes(' all "pg_nobody" ')));
  });

  it('exclude an ending login before the role of the login changes', () => {
    const facts = { ...FACTS, isFilled: true, login: { username: 'second', password: 'word' } };
    const before = text(setting('hba_file'));
    const command = postgres.endLogin(facts, FACTS.login, []);

    const changed = change(command, before);

    assert.doesNotMatch(changed, /"app"/);
    assert.match(changed, /^hostssl all "second" all scram-sha-256$/m);
    assert.match(changed, /^hostnossl all all 10[.]1[.]0[.]1[/]32 reject$/m);
    const said = steps(command, before).map(({ stdin }) => stdin);
    assert.ok(
      said.findIndex((one) => one.includes('pg_reload_conf')) < said.findIndex((one) => one.includes('ALTER ROLE')),
    );
  });

  it('replace the rules of an earlier version with rules for recorded logins', () => {
    const earlier = 'local all all trust\nlocal replication all trust\nhost all all 127.0.0.1/32 scram-sha-256\n';

    assert.equal(
      change(postgres.renewRules({ ...FACTS, isFilled: true }), `${earlier}hostssl all all all scram-sha-256\n`),
      `local all davit_admin,davit_reader,davit_restorer peer map=davit\nlocal replication davit_admin peer map=davit
local all "app" scram-sha-256\nhost all "app" 127.0.0.1/32 scram-sha-256\nhostssl all "app" all scram-sha-256\n`,
    );
  });

  /** Returns all commands that Davit runs after it has read the access rules. */
  function steps(command: DatabaseCommand, rules: string): DatabaseCommand[] {
    const all: DatabaseCommand[] = [];
    for (let next = command.followUp?.(rules); next; next = next.followUp?.('')) all.push(next);
    return all;
  }

  /** Returns these access rules with the change that a command makes. */
  function change(command: DatabaseCommand, rules: string): string {
    const sed =
      steps(command, rules).find(({ command: [name] }) => name === 'sed') ?? assert.fail('nothing is changed');
    const args = sed.command.slice(1, -1).filter((arg) => arg !== '-i');
    return execFileSync('sed', args, { input: rules, encoding: 'utf8' });
  }

  it('run commands as another system user with the password in a private file', () => {
    const { command, user, env: own, stdin } = steps(postgres.setUp(FACTS), '').at(-1) ?? assert.fail();
    assert.equal(user, 'nobody');
    const { mode, uid } = file(own?.PGPASSFILE ?? '');
    assert.deepEqual([mode, uid], [0o400, 65_534]);
    assert.equal(text(own?.PGPASSFILE ?? ''), `*:*:*:davit_admin:${PASSWORD}\n`);
    assert.ok(command.includes('-w'), 'it would read a password from its statements');
    assert.ok(!JSON.stringify([command, own, stdin, args, env]).includes(PASSWORD));
  });
});
