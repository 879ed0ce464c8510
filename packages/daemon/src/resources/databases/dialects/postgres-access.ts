/**
 * Access rules of a PostgreSQL server.
 * Processes of the server can reach its socket like any other program in the container. With `dblink` or
 * `postgres_fdw`, a login can make the server connect to itself.
 * Such a connection can bring settings, which apply as soon as the session has signed in. Settings of an administrator
 * load libraries. Therefore the rules trust no connection.
 * Programs of the platform run as {@link CLIENT}, a different user than the server. The kernel reports the user at the
 * other end of the socket (`peer`).
 * So a platform role needs no password, and no app can set one.
 *
 * Rules for logins of apps contain their names. A session that locks the row of a login blocks a change of its
 * password. The server cannot end a session that does not react.
 * A change of these rules needs neither a new password nor the end of a session.
 */
import type { GroupFile } from '../../../adapters/engine/group.ts';
import { ADMIN, admittedBy, type DatabaseCommand, type DatabaseFacts, secretFile } from './dialect.ts';
import { asAdministrator, PGDATA } from './postgres-commands.ts';
import { CLIENT, PASSWORDS, postgresIdentifier, postgresLiteral, READER, RESTORER } from './postgres-session.ts';

const HBA = '/etc/davit/pg_hba.conf';
const IDENT = '/etc/davit/pg_ident.conf';
const MAP = 'davit';
const PLATFORM = [ADMIN, READER, RESTORER];

/** Rules that accept only the platform over the socket. */
const PEERS = [`local all ${PLATFORM.join(',')} peer map=${MAP}`, `local replication ${ADMIN} peer map=${MAP}`];

/**
 * Rule for the initialization of an empty folder. For it, the official images open a session in this database, with the
 * password, as the server's user.
 * PostgreSQL uses only the first rule that matches, so that the platform also signs in to this database with the
 * password.
 * The server and its superusers can read the password file. {@link withAccess} therefore removes the rule after the
 * initialization.
 */
const FILLING = `local postgres ${ADMIN} scram-sha-256`;

/** Rules of a server that accepts no logins. */
export const PLATFORM_ALONE = fileOf(PEERS);

/** Map from users of the container to the roles that they may sign in as. */
export const USERS = fileOf(PLATFORM.map((role) => `${MAP} ${CLIENT.name} ${role}`));

/** Settings of the server for its access files. */
export const ACCESS = { hba_file: HBA, ident_file: IDENT };

/**
 * Returns the files that {@link ACCESS} names, and the password file for the platform's programs.
 * @param uid id of the server's user
 */
export function accessFiles(facts: DatabaseFacts, gateway: string, uid: number): GroupFile[] {
  return [
    secretFile(HBA, rulesOf(facts, gateway), uid),
    secretFile(IDENT, USERS, uid),
    secretFile(PASSWORDS, `*:*:*:${ADMIN}:${facts.adminPassword}\n`, CLIENT.uid),
  ];
}

/**
 * Returns the access rules. Apps of the environment may connect without TLS.
 * The host and all others need TLS, because external clients connect through the host.
 */
function rulesOf(facts: DatabaseFacts, gateway: string): string {
  const logins = loginsIn(facts).map(postgresIdentifier).join(',');
  return fileOf([
    ...(facts.isFilled ? [] : [FILLING]),
    ...PEERS,
    `local all ${logins} scram-sha-256`,
    // The platform connects only over the socket.
    `host all ${PLATFORM.join(',')} all reject`,
    `host all ${logins} 127.0.0.1/32 scram-sha-256`,
    `hostssl all ${logins} all scram-sha-256`,
    `hostnossl all all ${gateway}/32 reject`,
    `hostnossl all ${logins} samenet scram-sha-256`,
  ]);
}

/** Name that no role can have. The name stands for an empty list of logins. */
const NOBODY = 'pg_nobody';

function loginsIn(facts: DatabaseFacts): string[] {
  const names = admittedBy(facts).map(({ username }) => username);
  return names.length === 0 ? [NOBODY] : [...new Set(names)];
}

/**
 * Changes the access rules of a running server: it accepts only the logins of these facts.
 * Removes rules that give the server itself administrator access, without a restart. These are the rule for the
 * initialization of an empty folder, and the trust in socket connections of an earlier version.
 * The platform keeps its access during the change: the server must have the user map before a rule needs the map. Only
 * later sessions use the new rules.
 * @param next returns the command that follows, for the previous access rules: see {@link admitsLogins}
 */
export function withAccess(facts: DatabaseFacts, next: (before: string) => DatabaseCommand | null): DatabaseCommand {
  const logins = loginsIn(facts);
  // Default path of the map in a server of an earlier version, which has no setting for this path.
  const users: DatabaseCommand = { command: ['tee', `${PGDATA}/pg_ident.conf`], user: 'postgres', stdin: USERS };
  const known: DatabaseCommand = {
    ...asAdministrator([`SELECT count(*) FROM pg_ident_file_mappings WHERE map_name = '${MAP}' AND error IS NULL;`]),
    isGood: (stdout) => stdout.trim() === String(PLATFORM.length),
  };
  // Root writes the file, because even its owner may not. `sed` replaces the whole file, because the server cannot
  // start with half a file.
  const rules: DatabaseCommand = { command: ['sed', '-E', '-i', ...changesTo(logins), HBA], user: '0', stdin: '' };
  const reload: DatabaseCommand = {
    ...asAdministrator([
      'SELECT pg_reload_conf();',
      `SELECT coalesce(error, auth_method) FROM pg_hba_file_rules WHERE error IS NOT NULL OR auth_method = 'trust'
        OR (auth_method = 'scram-sha-256' AND user_name IS DISTINCT FROM ARRAY[${logins.map(postgresLiteral).join(', ')}]);`,
    ]),
    // Any row other than the result of the first statement is a rule that is still present or wrong.
    isGood: (stdout) =>
      stdout
        .trim()
        .split('\n')
        .every((line) => line === 't' || line === ''),
  };
  // A server without trust rules already has the map of the platform's user.
  const asks = (text: string) => (/ trust$/m.test(text) ? [users, known, rules, reload] : [rules, reload]);
  return {
    command: ['cat', HBA],
    user: 'postgres',
    stdin: '',
    followUp: (text) => inOrder(asks(text), () => next(text)),
  };
}

/** Returns whether access rules accept any login of apps. */
export function admitsLogins(rules: string): boolean {
  const accepting = rules.split('\n').filter((line) => / (scram-sha-256|trust)$/.test(line) && line !== FILLING);
  return accepting.some((line) => !line.includes(` all ${postgresIdentifier(NOBODY)} `));
}

/**
 * Returns the arguments of `sed`. The data folder is initialized, so that the rule for the images is not needed any
 * more.
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

/** Returns the first of these commands. Each command runs after the previous one has succeeded. */
export function inOrder(asks: readonly DatabaseCommand[], next: () => DatabaseCommand | null): DatabaseCommand | null {
  return asks.reduceRight<() => DatabaseCommand | null>(
    (following, ask) => () => ({ ...ask, followUp: following }),
    next,
  )();
}

function fileOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
