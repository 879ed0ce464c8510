import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DatabaseCommand, DatabaseFacts } from './dialect.ts';
import { redis } from './redis.ts';

const login = { username: 'default', password: 'second' };
const before = { username: 'default', password: 'first', replacedAt: 1 };
const facts: DatabaseFacts = {
  login,
  otherLogins: [],
  adminPassword: 'admin',
  isFilled: true,
  database: null,
  extensions: [],
  tls: { key: '', certificate: '' },
  allowConfig: true,
};
const APP = '10.0.0.7';
const OTHER = '10.0.0.8';
/** Number of connections whose list is longer than 1 MiB, the maximum size of one response. */
const MANY = 2_500;
const LONG_NAME = 'x'.repeat(500);
/** Commands that end the replication from another server. */
const REPLICATION = ['FAILOVER ABORT', 'REPLICAOF NO ONE', 'CLIENT KILL TYPE replica', 'ROLE'];

/** Simulated server with connections. It records each command, and tests can change its state at each command. */
class Server {
  readonly connections: { id: number; user: string; host: string; name?: string; flags?: string }[] = [];
  readonly users = new Set(['default', 'davit_admin']);
  /** Host name of the server from which this server replicates. */
  copied: string | null = null;
  isFailingOver = false;
  readonly lines: string[] = [];
  /** Called before the response to each command. */
  meanwhile: (line: string) => void = () => undefined;
  #newest = 100;

  /**
   * Runs a command and its follow-up commands.
   * @returns `true`, or whether sessions of apps blocked a failed command
   */
  ask(command: DatabaseCommand | null): true | { held: boolean } {
    for (let next = command; next !== null; ) {
      const answer = this.#answer(next);
      if (next.isGood?.(answer) === false) return { held: next.held?.test(answer) === true };
      next = next.followUp?.(answer) ?? null;
    }
    return true;
  }

  connect(host: string, user = 'default', { name = '', flags = 'N' } = {}): void {
    this.#newest += 1;
    this.connections.push({ id: this.#newest, user, host, name, flags });
  }

  /** Returns the recorded commands without passwords. Of each user, they contain only the CONFIG rights. */
  said(): string[] {
    return this.lines
      .filter((line) => !line.startsWith('AUTH'))
      .map((line) => line.replace(/^(ACL SETUSER \S+) reset.*?(\+config\|set)?(?: \+config\S*)?$/, '$1 $2').trim());
  }

  #answer({ stdin }: DatabaseCommand): string {
    this.connect('127.0.0.1', 'davit_admin');
    const own = this.#newest;
    const text = stdin
      .trim()
      .split('\n')
      .map((line) => this.#line(line, own))
      .join('\n');
    const at = this.connections.findIndex(({ id }) => id === own);
    this.connections.splice(at, 1);
    // Davit reads at most this many bytes of a response.
    return text.slice(0, 1024 * 1024);
  }

  #line(line: string, own: number): string {
    this.lines.push(line);
    this.meanwhile(line);
    if (line === 'ACL USERS') return [...this.users].join('\n');
    if (line === 'CLIENT ID') return String(own);
    if (line === 'CLIENT LIST')
      return this.connections
        .map(
          ({ id, host, name, user, flags }) =>
            `id=${id} addr=${host}:5000 name=${name} age=1 flags=${flags} user=${user} redir=-1`,
        )
        .join('\n');
    if (REPLICATION.includes(line)) return this.#replication(line);
    const [, killed] = /^CLIENT KILL ID (\d+)$/.exec(line) ?? [];
    const at = this.connections.findIndex(({ id }) => String(id) === killed);
    if (at >= 0) this.connections.splice(at, 1);
    return 'OK';
  }

  #replication(line: string): string {
    if (line === 'ROLE') return this.copied === null ? 'master\n0\n' : `slave\n${this.copied}\n6379\nconnected\n0`;
    if (line === 'CLIENT KILL TYPE replica') return this.#closeReplicas();
    if (line === 'FAILOVER ABORT' && !this.isFailingOver) return 'ERR No failover in progress.\n';
    if (line === 'REPLICAOF NO ONE' && this.isFailingOver) return 'ERR REPLICAOF not allowed while failing over.\n';
    this.isFailingOver = false;
    this.copied = null;
    return 'OK';
  }

  #closeReplicas(): string {
    const isReplica = ({ flags = '' }) => flags.includes('S');
    const replicas = this.connections.filter(isReplica).length;
    this.connections.splice(0, Infinity, ...this.connections.filter((one) => !isReplica(one)));
    return String(replicas);
  }
}

describe('end of a Redis login', () => {
  it('grants CONFIG rights only after the old connections are closed', () => {
    const server = new Server();
    server.connect(OTHER);
    server.connect(APP);

    assert.equal(server.ask(redis.endLogin(facts, before, [APP])), true);

    assert.deepEqual(server.said(), [
      ...[...REPLICATION, 'ACL SETUSER default', 'ACL SETUSER davit_admin', 'ACL USERS'],
      ...['CLIENT ID', 'CLIENT LIST', 'CLIENT KILL ID 101'],
      ...['CLIENT ID', 'CLIENT LIST'],
      ...[...REPLICATION, 'ACL SETUSER default +config|set', 'ACL SETUSER davit_admin', 'ACL USERS'],
      ...REPLICATION,
    ]);
    assert.deepEqual(
      server.connections.map(({ host }) => host),
      [APP],
    );
  });

  it('grants no CONFIG rights if the database does not allow CONFIG', () => {
    const server = new Server();
    server.ask(redis.endLogin({ ...facts, allowConfig: false }, before, []));
    assert.doesNotMatch(server.lines.join('\n'), /config/);
  });

  it('closes more connections than one server response can list', () => {
    const server = new Server();
    for (let i = 0; i < MANY; i += 1) server.connect(OTHER, 'default', { name: LONG_NAME });
    assert.equal(server.ask(redis.endLogin(facts, before, [APP])), true);
    assert.deepEqual(server.connections, []);
  });

  it('does not wait for connections that clients open later', () => {
    const server = new Server();
    server.connect(OTHER);
    server.meanwhile = (line) => line === 'CLIENT ID' && server.connect(OTHER);
    assert.equal(server.ask(redis.endLogin(facts, before, [APP])), true);
    assert.ok(server.connections.every(({ id }) => id > 102));
  });

  it('closes a connection with an oversized name and the connections behind it', () => {
    const server = new Server();
    server.connect(OTHER, 'default', { name: 'x'.repeat(2_000_000) });
    server.connect(OTHER);
    assert.equal(server.ask(redis.endLogin(facts, before, [APP])), true);
    assert.deepEqual(server.connections, []);
  });

  it('reports a blocked server if connections stay open or may be hidden', () => {
    const staying = new Server();
    staying.meanwhile = (line) => {
      if (line === 'CLIENT LIST' && !staying.connections.some(({ id }) => id === 1))
        staying.connections.unshift({ id: 1, user: 'default', host: OTHER });
    };
    assert.deepEqual(staying.ask(redis.endLogin(facts, before, [APP])), { held: true });

    const hiding = new Server();
    for (let i = 0; i < 200; i += 1) hiding.connect(APP, 'default', { name: 'x'.repeat(8_000) });
    hiding.connect(OTHER);
    assert.deepEqual(hiding.ask(redis.endLogin(facts, before, [APP])), { held: true });
  });
});

describe('renewal of access rules in Redis', () => {
  it('keeps app connections and sets users again after another administrator session ends', () => {
    const server = new Server();
    server.connect(APP);
    server.connect(OTHER, 'davit_admin');

    assert.equal(server.ask(redis.renewRules(facts)), true);

    assert.deepEqual(server.said(), [
      ...[...REPLICATION, 'ACL SETUSER default +config|set', 'ACL SETUSER davit_admin', 'ACL USERS'],
      ...['CLIENT ID', 'CLIENT LIST', 'CLIENT KILL ID 102'],
      ...['CLIENT ID', 'CLIENT LIST'],
      ...[...REPLICATION, 'ACL SETUSER default +config|set', 'ACL SETUSER davit_admin', 'ACL USERS'],
      ...REPLICATION,
    ]);
    assert.deepEqual(
      server.connections.map(({ host }) => host),
      [APP],
    );
  });

  it('succeeds on a server with more connections than one response can list', () => {
    const server = new Server();
    for (let i = 0; i < MANY; i += 1) server.connect(APP, 'default', { name: LONG_NAME });
    assert.equal(server.ask(redis.renewRules(facts)), true);
    assert.equal(server.connections.length, MANY);
  });
});

describe('Redis replication left by a former administrator', () => {
  /** Starts a replication when the server gets one of these commands. */
  const copying = (...starts: string[]) => {
    const server = new Server();
    server.meanwhile = (line) => {
      if (starts.includes(line)) server.copied = 'master';
    };
    return server;
  };

  it('is stopped before the users are set', () => {
    const server = new Server();
    server.copied = 'master';
    const isCopy: boolean[] = [];
    server.meanwhile = (line) => line.startsWith('ACL SETUSER') && isCopy.push(server.copied !== null);
    assert.equal(server.ask(redis.renewRules(facts)), true);
    assert.deepEqual(new Set(isCopy), new Set([false]));
  });

  it('is stopped together with a failover in progress', () => {
    const server = new Server();
    server.isFailingOver = true;
    assert.equal(server.ask(redis.renewRules(facts)), true);
    assert.equal(server.isFailingOver, false);
  });

  it('is stopped again, with users set again, if a session restarts replication', () => {
    const server = copying('ACL USERS', 'CLIENT LIST');
    assert.equal(server.ask(redis.renewRules(facts)), true);
    assert.equal(server.copied, null);
    const isEnding = (line: string) => line === 'REPLICAOF NO ONE';
    const [last = 0] = [server.lines.findLastIndex((line) => line.startsWith('ACL SETUSER'))];
    assert.ok(server.lines.findLastIndex(isEnding) > last && server.lines.slice(0, last).filter(isEnding).length === 2);
  });

  it('is stopped even if other connections hide the replicas in the list', () => {
    const server = new Server();
    for (let i = 0; i < 200; i += 1) server.connect(APP, 'default', { name: 'x'.repeat(8_000) });
    server.connect(OTHER, 'default', { flags: 'S' });
    assert.equal(server.ask(redis.renewRules(facts)), true);
    assert.equal(server.connections.length, 200);
  });

  it('fails the command as blocked if replication does not stop', () => {
    for (const command of [redis.renewRules(facts), redis.endLogin(facts, before, [])])
      assert.deepEqual(copying('ROLE').ask(command), { held: true });
  });

  it('ends with remote replica, source and MONITOR connections, but keeps other connections', () => {
    const server = new Server();
    server.connect(OTHER, '(superuser)', { flags: 'M' });
    server.connect(OTHER, '(superuser)');
    server.connect(OTHER, 'default', { flags: 'S' });
    server.connect(APP, 'default', { flags: 'tO' });
    server.connect(APP, 'default', { flags: 'Pxt' });
    server.connect('127.0.0.1', '(superuser)', { flags: 'M' });

    assert.equal(server.ask(redis.renewRules(facts)), true);

    assert.deepEqual(
      server.connections.map(({ flags }) => flags),
      ['Pxt', 'M'],
    );
  });
});

describe('Redis server', () => {
  const { letsIn } = redis;
  const isLetIn = (...lines: string[]) => letsIn?.(facts).isGood?.(`${lines.join('\n')}\n`);
  const idle = 'NOTBUSY No scripts in execution right now.\n';
  const isHeld = (said: string) =>
    [redis.addLogin(facts, login), redis.logIn(facts, login), redis.renewRules(facts)].map(({ held }) =>
      held?.test(said),
    );
  const all = (is: boolean) => [is, is, is];

  it('admits the instance if the server responds, even while loading or without disk space', () => {
    assert.equal(isLetIn('OK', idle, idle, 'PONG'), true);
    assert.equal(isLetIn('OK', ...Array(3).fill('LOADING Redis is loading the dataset in memory\n')), true);
    assert.equal(isLetIn('OK', idle, idle, 'MISCONF Errors writing to the AOF file: No space left on device'), true);
    assert.equal(isLetIn('OK', 'OK', idle, 'BUSY Redis is busy running a script.'), true, 'the script ends');
  });

  it('does not admit the instance while replicating from another server', () => {
    assert.equal(isLetIn('OK', idle, idle, 'PONG', 'slave', 'master', '6379'), false);
    assert.equal(isLetIn('OK', idle, idle, 'PONG', 'master', '0', 'slave', '6379'), true, 'a replica has this name');
  });

  it('does not admit the instance and counts as blocked if no connection is possible', () => {
    const full = 'ERR max number of clients reached\n';
    assert.equal(isLetIn(full, full), false);
    assert.equal(isLetIn(full, full, 'NOAUTH Authentication required.'), false, 'only later connections are accepted');
    assert.deepEqual(isHeld(`Error: Broken pipe\n\n${full}`), all(true));
    assert.equal(isLetIn(''), false);
    assert.deepEqual(isHeld('Could not connect to Redis at 127.0.0.1:6379: Connection refused\n\n'), all(true));
    assert.deepEqual(isHeld('Error: Server closed the connection\n\nOK\n'), all(true));
    assert.deepEqual(isHeld('\nOK\nERR unknown command\n'), all(false));
  });

  it('counts as blocked if an app with CONFIG can replace the new password', () => {
    const replaced = 'WRONGPASS invalid username-password pair or user is disabled.\nNOAUTH Authentication required.\n';
    const isBlocked = (allowConfig: boolean) => redis.logIn({ ...facts, allowConfig }, login).held?.test(replaced);
    assert.deepEqual([isBlocked(true), isBlocked(false)], [true, false]);
  });
});
