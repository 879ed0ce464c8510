/**
 * Who may connect to a server of PostgreSQL. The server's own processes reach its socket like any other program in the
 * container: with `dblink` or `postgres_fdw` a login has the server connect to itself, with settings for the new session. These
 * settings apply as soon as the session has signed in, and those of an administrator load libraries. Therefore no connection is
 * trusted. The platform's programs run as {@link CLIENT}, another user than the server; the kernel tells the server which user
 * is on the other end of its socket (`peer`). A role of the platform so needs no password, and nobody can give it one.
 *
 * Logins of apps are let in by their names. A session that holds the row of a login keeps the server from changing its password,
 * and the server cannot end a session that does not listen; to change these rules it needs neither.
 */
import type { GroupFile } from '../../../adapters/engine/group.ts';
import { ADMIN, admittedBy, type DatabaseCommand, type DatabaseFacts, secretFile } from './dialect.ts';
import { CLIENT, PASSWORDS, postgresIdentifier, postgresLiteral, READER, RESTORER } from './postgres-session.ts';

const HBA = '/etc/davit/pg_hba.conf';
const IDENT = '/etc/davit/pg_ident.conf';
const MAP = 'davit';
const PLATFORM = [ADMIN, READER, RESTORER];

/** Lets the platform in over the socket, and nobody else. */
const PEERS = [`local all ${PLATFORM.join(',')} peer map=${MAP}`, `local replication ${ADMIN} peer map=${MAP}`];

/**
 * The official images fill an empty folder by a session of their own in this database, with the password, as the server's user.
 * Only the first rule that matches a connection counts, so the platform signs in to it with the password too. The server can
 * read the file of the password, and so can a superuser of it: {@link endTrust} removes the rule when the folder is filled.
 */
const FILLING = `local postgres ${ADMIN} scram-sha-256`;

/** Rules of a server that serves no logins. */
export const PLATFORM_ALONE = fileOf(PEERS);

/** Which users of the container may sign in as which roles. */
export const USERS = fileOf(PLATFORM.map((role) => `${MAP} ${CLIENT.name} ${role}`));

/** Settings of the server. */
export const ACCESS = { hba_file: HBA, ident_file: IDENT };

/**
 * The files that {@link ACCESS} names, and the password for the platform's programs.
 * @param uid of the server's user
 */
export function accessFiles(facts: DatabaseFacts, gateway: string, uid: number): GroupFile[] {
  return [
    secretFile(HBA, rulesOf(facts, gateway), uid),
    secretFile(IDENT, USERS, uid),
    secretFile(PASSWORDS, `*:*:*:${ADMIN}:${facts.adminPassword}\n`, CLIENT.uid),
  ];
}

/** Apps of the environment may come without TLS; the machine itself, through which strangers come, and all others may not. */
function rulesOf(facts: DatabaseFacts, gateway: string): string {
  const logins = loginsIn(facts).map(postgresIdentifier).join(',');
  return fileOf([
    ...(facts.isFilled ? [] : [FILLING]),
    ...PEERS,
    `local all ${logins} scram-sha-256`,
    // The platform comes over the socket alone.
    `host all ${PLATFORM.join(',')} all reject`,
    `host all ${logins} 127.0.0.1/32 scram-sha-256`,
    `hostssl all ${logins} all scram-sha-256`,
    `hostnossl all all ${gateway}/32 reject`,
    `hostnossl all ${logins} samenet scram-sha-256`,
  ]);
}

/** A name that no role can have, in the place of logins where there are none. */
const NOBODY = 'pg_nobody';

function loginsIn(facts: DatabaseFacts): string[] {
  const names = admittedBy(facts).map(({ username }) => username);
  return names.length === 0 ? [NOBODY] : [...new Set(names)];
}

/**
 * Gives a server that runs these rules of access: it lets in the logins of these facts and nobody else. Ends, without a
 * restart, what lets the server in as the administrator: the rule for the filling of an empty folder, and the trust
 * in connections over the socket that an earlier version had. Nothing in between shuts the platform out: the server has to know
 * its user before it asks for that. A session that is opened afterwards has these rules.
 * @param data the folder of the server's data
 * @param sql makes a question of statements of the administrator
 * @param next what is asked afterwards
 */
export function withAccess(
  facts: DatabaseFacts,
  data: string,
  sql: (statements: readonly string[]) => DatabaseCommand,
  next: () => DatabaseCommand | null,
): DatabaseCommand {
  const logins = loginsIn(facts);
  // Where such a server looks unless it is told otherwise.
  const users: DatabaseCommand = { command: ['tee', `${data}/pg_ident.conf`], user: 'postgres', stdin: USERS };
  const known: DatabaseCommand = {
    ...sql([`SELECT count(*) FROM pg_ident_file_mappings WHERE map_name = '${MAP}' AND error IS NULL;`]),
    isGood: (stdout) => stdout.trim() === String(PLATFORM.length),
  };
  // By root, since not even its owner may write to the file; as a whole, since the server does not start with half of it.
  const rules: DatabaseCommand = { command: ['sed', '-E', '-i', ...changesTo(logins), HBA], user: '0', stdin: '' };
  const reload: DatabaseCommand = {
    ...sql([
      'SELECT pg_reload_conf();',
      `SELECT coalesce(error, auth_method) FROM pg_hba_file_rules WHERE error IS NOT NULL OR auth_method = 'trust'
        OR (auth_method = 'scram-sha-256' AND user_name IS DISTINCT FROM ARRAY[${logins.map(postgresLiteral).join(', ')}]);`,
    ]),
    // A row besides the answer to the first statement is a rule that is still there, or one that is wrong.
    isGood: (stdout) =>
      stdout
        .trim()
        .split('\n')
        .every((line) => line === 't' || line === ''),
  };
  // The user of the platform is known to a server that trusts nobody.
  const asks = (text: string) => (/ trust$/m.test(text) ? [users, known, rules, reload] : [rules, reload]);
  return { command: ['cat', HBA], user: 'postgres', stdin: '', followUp: (text) => inOrder(asks(text), next) };
}

/** Arguments of `sed`. The folder has been filled, so that the images need no rule of their own. */
function changesTo(logins: readonly string[]): string[] {
  const names = logins.map(postgresIdentifier).join(',');
  return [
    ...['-e', `/^${FILLING}$/d`],
    ...['-e', `s/^local all all trust$/${[...PEERS, `local all ${names} scram-sha-256`].join('\\n')}/`],
    ...['-e', '/^local replication all trust$/d'],
    ...['-e', `s/^((local|host|hostssl|hostnossl) all )[^ ]+(( [^ ]+)? scram-sha-256)$/\\1${names}\\3/`],
  ];
}

function inOrder(asks: readonly DatabaseCommand[], next: () => DatabaseCommand | null): DatabaseCommand | null {
  return asks.reduceRight<() => DatabaseCommand | null>(
    (following, ask) => () => ({ ...ask, followUp: following }),
    next,
  )();
}

function fileOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
