/**
 * Access rules of a PostgreSQL server (`pg_hba.conf`, `pg_ident.conf`). No rule uses the method `trust`. Otherwise, an
 * app could make the server connect to itself without a password.
 */
import type { GroupFile } from '../../../adapters/engine/group.ts';
import { ADMIN, admittedBy, type DatabaseCommand, type DatabaseFacts, secretFile } from './dialect.ts';
import { asAdministrator, PGDATA } from './postgres-commands.ts';
import { CLIENT, PASSWORDS, postgresIdentifier, postgresLiteral, READER, RESTORER } from './postgres-session.ts';

const HBA = '/etc/davit/pg_hba.conf';
const IDENT = '/etc/davit/pg_ident.conf';
const MAP = 'davit';
const PLATFORM = [ADMIN, READER, RESTORER];

/**
 * Access rules for the roles of Davit. With the method `peer`, PostgreSQL gets the user of the connection from the
 * kernel. PostgreSQL accepts only the user with the ID 65534. So it has no effect if an app sets a password for these roles.
 */
const PEERS = [`local all ${PLATFORM.join(',')} peer map=${MAP}`, `local replication ${ADMIN} peer map=${MAP}`];

/**
 * Access rule that the Docker image needs to initialize an empty data folder. `withAccess` removes the rule later,
 * because superusers of the server can read the password.
 */
const FILLING = `local postgres ${ADMIN} scram-sha-256`;

/** Content of `pg_hba.conf` for a server that rejects the logins of all apps. */
export const PLATFORM_ALONE = fileOf(PEERS);

/** Content of `pg_ident.conf`. With this file, the container user with the ID 65534 can sign in with the roles of Davit. */
export const USERS = fileOf(PLATFORM.map((role) => `${MAP} ${CLIENT.name} ${role}`));

/** PostgreSQL settings with the paths of `pg_hba.conf` and `pg_ident.conf`. */
export const ACCESS = { hba_file: HBA, ident_file: IDENT };

/**
 * Returns `pg_hba.conf`, `pg_ident.conf`, and the password file for Davit's client commands.
 * @param uid id of the database server's user
 */
export function accessFiles(facts: DatabaseFacts, gateway: string, uid: number): GroupFile[] {
  return [
    secretFile(HBA, rulesOf(facts, gateway), uid),
    secretFile(IDENT, USERS, uid),
    secretFile(PASSWORDS, `*:*:*:${ADMIN}:${facts.adminPassword}\n`, CLIENT.uid),
  ];
}

/**
 * Returns the content of `pg_hba.conf`. Apps of the environment may connect without TLS. All other clients must use
 * TLS.
 */
function rulesOf(facts: DatabaseFacts, gateway: string): string {
  /*
   * List only the valid logins. If a disabled login could sign in, its session could lock the row of the login and
   * block a password change.
   */
  const logins = loginsIn(facts).map(postgresIdentifier).join(',');
  return fileOf([
    // PostgreSQL uses the first rule that matches. So the rule for the initialization must come before `PEERS`.
    ...(facts.isFilled ? [] : [FILLING]),
    ...PEERS,
    `local all ${logins} scram-sha-256`,
    // Reject network connections with Davit's own roles, because Davit connects only over the Unix socket.
    `host all ${PLATFORM.join(',')} all reject`,
    `host all ${logins} 127.0.0.1/32 scram-sha-256`,
    `hostssl all ${logins} all scram-sha-256`,
    /*
     * Without TLS, reject connections from the gateway address, because clients outside the environment can have this
     * address.
     */
    `hostnossl all all ${gateway}/32 reject`,
    `hostnossl all ${logins} samenet scram-sha-256`,
  ]);
}

/**
 * Role name in `pg_hba.conf` if no role may sign in. No role can have this name, because PostgreSQL reserves names that
 * start with `pg_`.
 */
const NO_ROLE = 'pg_nobody';

function loginsIn(facts: DatabaseFacts): string[] {
  const names = admittedBy(facts).map(({ username }) => username);
  return names.length === 0 ? [NO_ROLE] : [...new Set(names)];
}

/**
 * Changes the access rules of a running server. New sessions can then use only the logins in `facts`.
 * @param next receives the previous content of `pg_hba.conf`
 */
export function withAccess(facts: DatabaseFacts, next: (before: string) => DatabaseCommand | null): DatabaseCommand {
  const logins = loginsIn(facts);
  /*
   * Write `pg_ident.conf` to its default path, because the servers of earlier Davit versions have no argument with
   * another path.
   */
  const users: DatabaseCommand = { command: ['tee', `${PGDATA}/pg_ident.conf`], user: 'postgres', stdin: USERS };
  const known: DatabaseCommand = {
    ...asAdministrator([`SELECT count(*) FROM pg_ident_file_mappings WHERE map_name = '${MAP}' AND error IS NULL;`]),
    isGood: (stdout) => stdout.trim() === String(PLATFORM.length),
  };
  /*
   * Run `sed` as root, because only root may write `pg_hba.conf`. `sed -i` replaces the file in one step, so the file
   * is never incomplete.
   */
  const rules: DatabaseCommand = { command: ['sed', '-E', '-i', ...changesTo(logins), HBA], user: '0', stdin: '' };
  const reload: DatabaseCommand = {
    ...asAdministrator([
      'SELECT pg_reload_conf();',
      `SELECT coalesce(error, auth_method) FROM pg_hba_file_rules WHERE error IS NOT NULL OR auth_method = 'trust'
        OR (auth_method = 'scram-sha-256' AND user_name IS DISTINCT FROM ARRAY[${logins.map(postgresLiteral).join(', ')}]);`,
    ]),
    /*
     * The line `t` is the result of `pg_reload_conf`. Each other line means that a rule is invalid or that Davit does
     * not allow the rule.
     */
    isGood: (stdout) =>
      stdout
        .trim()
        .split('\n')
        .every((line) => line === 't' || line === ''),
  };
  /*
   * The new access rules need `pg_ident.conf`. So write and check this file before the `trust` rules of earlier Davit
   * versions are replaced.
   */
  const commandsFor = (text: string) => (/ trust$/m.test(text) ? [users, known, rules, reload] : [rules, reload]);
  return {
    command: ['cat', HBA],
    user: 'postgres',
    stdin: '',
    followUp: (text) => inOrder(commandsFor(text), () => next(text)),
  };
}

/** Returns whether at least one login of an app can sign in according to the access rules in `pg_hba.conf`. */
export function admitsLogins(rules: string): boolean {
  const accepting = rules.split('\n').filter((line) => / (scram-sha-256|trust)$/.test(line) && line !== FILLING);
  return accepting.some((line) => !line.includes(` all ${postgresIdentifier(NO_ROLE)} `));
}

/**
 * Returns arguments for `sed` that write the given logins into `pg_hba.conf`. The arguments also remove `trust` rules
 * and the rule for the initialization.
 */
function changesTo(logins: readonly string[]): string[] {
  const names = logins.map(postgresIdentifier).join(',');
  return [
    ...['-e', `/^${FILLING}$/d`],
    ...['-e', `s/^local all all trust$/${[...PEERS, `local all ${names} scram-sha-256`].join('\\n')}/`],
    ...['-e', '/^local replication all trust$/d'],
    ...['-e', `s/^((local|host|hostssl|hostnossl) all )[^ ]+(( [^ ]+)? scram-sha-256)$/\\1${names}\\3/`],
  ];
}

/**
 * Combines commands into a chain and returns the first command. Each command runs only if the previous command
 * succeeds. The command that `next` returns runs last.
 */
export function inOrder(
  commands: readonly DatabaseCommand[],
  next: () => DatabaseCommand | null,
): DatabaseCommand | null {
  return commands.reduceRight<() => DatabaseCommand | null>(
    (following, command) => () => ({ ...command, followUp: following }),
    next,
  )();
}

function fileOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
