import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseCommand, DatabaseFacts, Dialect } from './dialect.ts';
import { mariadb, mysql } from './mysql.ts';

const app2 = { username: 'app_2', password: 'first' };
const facts: DatabaseFacts = {
  login: { username: 'app', password: 'second' },
  otherLogins: [app2],
  adminPassword: 'admin',
  isFilled: true,
  database: 'db',
  extensions: [],
  tls: { key: '', certificate: '' },
  allowConfig: false,
};

const NETWORK = { subnet: '10.1.0.0/24', gateway: '10.1.0.1', isExposed: false };

interface Account {
  isLocked: boolean;
  /** Whether the account has another password than the recorded one. */
  hasOther?: boolean;
}

interface Connection {
  id: number;
  user: string;
}

/**
 * Simulated server. It locks unknown accounts only after an UPDATE and FLUSH PRIVILEGES. It lists the connections of
 * unknown accounts and of logins that had server rights at the last check.
 */
class Server {
  readonly accounts = new Map<string, Account>();
  readonly connections: Connection[] = [];
  readonly statements: string[] = [];
  /** Users with global rights on the server, and users with a role. */
  readonly rights = { global: new Set<string>(), roles: new Set<string>() };
  /**
   * Objects that run with administrator rights, by their line in the server's list. The pattern matches the statement
   * that drops the object.
   */
  readonly leftovers = new Map<string, RegExp>();
  /** Lines about replication in the server's list of these objects. */
  replication: string[] = [];
  /** Response of the server to SHOW WARNINGS. */
  warning = '';
  /** Called after each statement. Tests use it to change the state of the server. */
  meanwhile: (statement: string) => void = () => undefined;
  #toLock: string[] = [];
  readonly #variables = new Map<string, boolean>();
  #newest = 100;

  /**
   * Runs a command and its follow-up commands.
   * @returns `false` if a response of the server was not accepted
   */
  ask(command: DatabaseCommand | null | undefined): boolean {
    for (let next = command ?? null; next !== null; ) {
      const answer = this.#answer(next);
      if (answer === null || next.isGood?.(answer) === false) return false;
      next = next.followUp?.(answer) ?? null;
    }
    return true;
  }

  /** Connects a client, unless the account is locked. */
  connect(user: string): void {
    if (this.accounts.get(user)?.isLocked === true) return;
    this.#newest += 1;
    this.connections.push({ id: this.#newest, user });
  }

  /** Connects a client whose account was accepted, but which has not finished its sign-in. */
  beginsToConnect(): Connection {
    this.#newest += 1;
    const connection = { id: this.#newest, user: 'unauthenticated user' };
    this.connections.push(connection);
    return connection;
  }

  disconnect(user: string): void {
    const at = this.connections.findIndex((one) => one.user === user);
    if (at !== -1) this.connections.splice(at, 1);
  }

  users(): string[] {
    return this.connections.map(({ user }) => user);
  }

  /**
   * Runs the statements of a command.
   * @returns output, or `null` if the exit code is not 0
   */
  #answer({ stdin, command }: DatabaseCommand): string | null {
    const answers: string[] = [];
    for (const statement of stdin.split(/;\n/)) {
      const answer = this.#statement(statement);
      if (answer === null && !command.includes('--force')) return null;
      answers.push(answer ?? '');
      this.meanwhile(statement);
    }
    return answers.join('');
  }

  #statement(statement: string): string | null {
    this.statements.push(statement);
    const knows = (user: string) => statement.includes(`'${user}@%'`);
    if (/^UPDATE mysql\.\w+ SET .*account_locked.* WHERE NOT/.test(statement))
      this.#toLock = [...this.accounts.keys()].filter((user) => !knows(user));
    const [, unlocked = ''] = /^ALTER USER '(\w+)'@'%' .*ACCOUNT UNLOCK/.exec(statement) ?? [];
    const account = this.accounts.get(unlocked);
    if (account !== undefined) account.isLocked = false;
    if (account !== undefined) account.hasOther = false;
    const [, locked = ''] = /^ALTER USER IF EXISTS '(\w+)'@'%' ACCOUNT LOCK/.exec(statement) ?? [];
    if (locked !== '') this.accounts.set(locked, { isLocked: true });
    this.#takeOrFind(statement);
    for (const [line, end] of this.leftovers) if (end.test(statement)) this.leftovers.delete(line);
    if (statement.includes('information_schema.routines')) return [...this.leftovers.keys(), ''].join('\n');
    if (statement === "SELECT 'replication:'") return ['replication:', ...this.replication, ''].join('\n');
    if (statement === 'SHOW WARNINGS') return this.warning;
    if (/^RESET (SLAVE|REPLICA) /.test(statement)) this.replication = [];
    if (statement === 'FLUSH PRIVILEGES') for (const user of this.#toLock) this.accounts.set(user, { isLocked: true });
    if (statement.startsWith('SELECT') && statement.includes('processlist p')) return this.#list(statement);
    const [, killed] = /^KILL (\d+)$/.exec(statement.trim()) ?? [];
    if (killed === undefined) return '';
    const at = this.connections.findIndex(({ id }) => id === Number(killed));
    if (at === -1) return null;
    this.connections.splice(at, 1);
    return '';
  }

  #takeOrFind(statement: string): void {
    const { global, roles } = this.rights;
    global.delete(/^REVOKE ALL PRIVILEGES ON [*][.][*] FROM '(\w+)'/.exec(statement)?.[1] ?? '');
    if (/^DELETE FROM mysql.role/.test(statement)) roles.clear();
    const [, variable = ''] = /^SET (@outdated_\d) =/.exec(statement) ?? [];
    const [, name = ''] = /grantee = '{3}(\w+)'{2}@'{2}%'{3}/.exec(statement) ?? [];
    const hasRoleCheck = /mysql.role\w+ WHERE \w+ = '(\w+)'/.exec(statement)?.[1] === name;
    const hasOther = statement.includes('authentication_string') && this.accounts.get(name)?.hasOther === true;
    if (variable !== '')
      this.#variables.set(variable, hasOther || global.has(name) || (hasRoleCheck && roles.has(name)));
  }

  #list(statement: string): string {
    const staying = [...statement.matchAll(/p.user = '(\w+)' AND NOT (@\w+)/g)].flatMap(([, user, variable = '']) =>
      this.#variables.get(variable) === false ? user : [],
    );
    const [, ended] = /WHERE p.user = '(\w+)' OR/.exec(statement) ?? [];
    const isListed = ({ user }: Connection) =>
      ended === undefined || isConnecting(user) ? !staying.includes(user) : user === ended;
    return this.connections
      .filter(isListed)
      .map(({ id, user }) => `${isConnecting(user) ? 'connecting' : 'connection'}\t${id}\t\n`)
      .join('');
  }
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase();
}

function isConnecting(user: string): boolean {
  return user === 'unauthenticated user';
}

function serverWith(...users: string[]): Server {
  const server = new Server();
  for (const user of users) server.accounts.set(user, { isLocked: false });
  for (const user of users) server.connect(user);
  return server;
}

for (const dialect of [mariadb, mysql] as Dialect[])
  describe(`access control of ${dialect.engine}`, () => {
    it('ends the connections of an unknown account that reconnects constantly, but not of logins', () => {
      const server = serverWith('app', 'app_2', 'stranger', 'stranger');
      server.meanwhile = (statement) => {
        if (!statement.includes('processlist p')) return;
        server.disconnect('stranger');
        server.connect('stranger');
      };

      assert.equal(server.ask(dialect.renewRules(facts)), true);

      assert.deepEqual(server.users(), ['app', 'app_2']);
    });

    it('ends the connections of unknown accounts that are created during the renewal', () => {
      const server = serverWith('app', 'stranger');
      let made = 0;
      server.meanwhile = (statement) => {
        if (made === 3 || !statement.includes('processlist p')) return;
        made += 1;
        server.accounts.set(`stranger_${made}`, { isLocked: false });
        server.connect(`stranger_${made}`);
      };

      assert.equal(server.ask(dialect.renewRules(facts)), true);

      assert.deepEqual(server.users(), ['app']);
      const open = [...server.accounts].filter(([, { isLocked }]) => !isLocked).map(([user]) => user);
      assert.deepEqual(open, ['app']);
    });

    it('fails after all other steps if new unknown accounts never stop', () => {
      const server = serverWith('app', 'stranger');
      let made = 0;
      server.meanwhile = (statement) => {
        if (!statement.includes('processlist p')) return;
        made += 1;
        server.accounts.set(`stranger_${made}`, { isLocked: false });
        server.connect(`stranger_${made}`);
      };

      assert.equal(server.ask(dialect.renewRules(facts)), false);

      assert.ok(server.statements.some((statement) => statement.includes('information_schema.views')));
    });

    for (const kind of ['global', 'roles'] as const)
      it(`ends the connections of a login that had server rights (${kind}) and no other connections`, () => {
        const server = serverWith('app', 'app_2');
        server.rights[kind].add('app');

        assert.equal(server.ask(dialect.renewRules(facts)), true);
        assert.deepEqual(server.users(), ['app_2']);

        server.connect('app');
        assert.equal(server.ask(dialect.renewRules(facts)), true);
        assert.deepEqual(server.users(), ['app_2', 'app'], 'it has none any more');
      });

    it('removes unknown accounts again after an object of the administrator creates an account', () => {
      const server = serverWith('app');
      server.leftovers.set(
        `EVENT\t${hex('mysql')}\t${hex('later')}`,
        /^ALTER DEFINER='app'@'%' EVENT `mysql`.`later` DIS/,
      );
      server.meanwhile = (statement) => {
        if (!statement.startsWith('ALTER DEFINER')) return;
        server.accounts.set('stranger', { isLocked: false });
        server.connect('stranger');
      };

      assert.equal(server.ask(dialect.renewRules(facts)), true);

      assert.deepEqual(server.users(), ['app']);
      assert.equal(server.accounts.get('stranger')?.isLocked, true);
    });

    it('drops and reports a view whose owner cannot change, but keeps a locked view', () => {
      const server = serverWith('app');
      server.leftovers.set(`VIEW\t${hex('db')}\t${hex('bro`ken')}`, /^DROP VIEW IF EXISTS `db`.`bro``ken`$/);

      assert.equal(server.ask(dialect.renewRules(facts)), false);

      assert.ok(server.statements.some((statement) => /^SELECT 'Davit dropped the view db.bro`ken/.test(statement)));
      assert.equal(server.ask(dialect.renewRules(facts)), true);

      server.leftovers.set(`VIEW\t${hex('db')}\t${hex('held')}`, /^DROP VIEW/);
      server.warning = 'Error\t1205\tLock wait timeout exceeded\n';
      assert.equal(server.ask(dialect.renewRules(facts)), false);
      assert.equal(server.leftovers.size, 1);
    });

    it('starts the server without replication', () => {
      assert.match(dialect.serve(facts, NETWORK).args?.join(' ') ?? '', / --(loose-)?skip-slave-start( |$)/);
    });

    it('ends a login and its connections, including connections still signing in', () => {
      const server = serverWith('app', 'app_2');
      const late = server.beginsToConnect();
      server.meanwhile = (statement) => {
        if (statement.includes('processlist')) late.user = 'app_2';
      };

      assert.equal(server.ask(dialect.endLogin({ ...facts, otherLogins: [] }, app2, [])), true);

      assert.deepEqual(server.users(), ['app']);
    });

    it('ends all logins for a restore and admits only the recorded login afterwards', () => {
      const server = serverWith('app', 'stranger');

      assert.equal(server.ask(dialect.endLogins?.(facts)), true);

      assert.deepEqual(server.users(), []);
      server.connect('app');
      server.connect('stranger');
      assert.deepEqual(server.users(), []);
      assert.equal(server.ask(dialect.renewRules(facts)), true);
      server.connect('app');
      server.connect('stranger');
      assert.deepEqual(server.users(), ['app']);
    });
  });

describe('changed password in MariaDB', () => {
  it('ends sessions with the old password, including clients still signing in', () => {
    const server = serverWith('app', 'app_2');
    server.accounts.set('app', { isLocked: false, hasOther: true });
    const late = server.beginsToConnect();
    server.meanwhile = (statement) => {
      if (statement.includes('KILL HARD CONNECTION USER')) late.user = 'app';
    };

    assert.equal(server.ask(mariadb.renewRules(facts)), true);
    assert.deepEqual(server.users(), ['app_2']);

    server.meanwhile = () => undefined;
    server.connect('app');
    assert.equal(server.ask(mariadb.renewRules(facts)), true);
    assert.deepEqual(server.users(), ['app_2', 'app'], 'it has the password of the record now');
  });
});

describe('replication left by a former administrator', () => {
  it('is stopped and reset for every connection in MariaDB', () => {
    const server = serverWith('app');
    server.replication = ['\tWaiting', "VIEW\\ttwo's\tWaiting"];

    assert.equal(server.ask(mariadb.renewRules(facts)), true);

    for (const name of ["''", "'VIEW\ttwo''s'"])
      for (const statement of [`STOP SLAVE ${name}`, `RESET SLAVE ${name} ALL`])
        assert.ok(server.statements.includes(statement), statement);
  });

  it('is stopped and reset for every channel in MySQL', () => {
    const server = serverWith('app');
    server.replication = ['\tchannel', `${hex('two')}\tchannel`];

    assert.equal(server.ask(mysql.renewRules(facts)), true);

    for (const name of ["''", "'two'"])
      for (const statement of [`STOP REPLICA FOR CHANNEL ${name}`, `RESET REPLICA ALL FOR CHANNEL ${name}`])
        assert.ok(server.statements.includes(statement), statement);
  });
});

describe('MySQL settings left by a former administrator', () => {
  it('resets persisted settings and mandatory roles', () => {
    const server = serverWith('app');

    assert.equal(server.ask(mysql.renewRules(facts)), true);

    for (const statement of ['RESET PERSIST', "SET GLOBAL mandatory_roles = ''"])
      assert.ok(server.statements.includes(statement), statement);
  });
});

describe('definer of a routine', () => {
  it('changes to the app in MariaDB without an error', () => {
    const server = serverWith('app');
    server.leftovers.set(`PACKAGE BODY\t${hex('db')}\t${hex('pack')}`, /^UPDATE mysql.proc SET definer = 'app@%'/);

    assert.equal(server.ask(mariadb.renewRules(facts)), true);
  });

  it('cannot change in MySQL, so the routine is dropped', () => {
    const server = serverWith('app');
    server.leftovers.set(`PROCEDURE\t${hex('db')}\t${hex('one')}`, /^DROP PROCEDURE IF EXISTS `db`.`one`$/);

    assert.equal(server.ask(mysql.renewRules(facts)), false);
    assert.equal(server.ask(mysql.renewRules(facts)), true);
  });
});
