/**
 * Sets the permissions and passwords of logins in a PostgreSQL server. An earlier Davit version or an earlier superuser
 * may have changed the permissions and passwords.
 */
import type { DatabaseCommand, DatabaseFacts } from './dialect.ts';
import { admitsLogins, inOrder, withAccess } from './postgres-access.ts';
import {
  asAdministrator,
  connectTo,
  databaseNameIn,
  databasesIn,
  inPostgres,
  ownPassword,
} from './postgres-commands.ts';
import {
  endDatabaseLeftovers,
  endRights,
  endSessions,
  findings,
  openDatabases,
  putAside,
} from './postgres-leftovers.ts';
import {
  changedLogins,
  endAllSessions,
  GOES_ON,
  limitConnections,
  listVerifiers,
  loginStatements,
  untilSignInsEnd,
} from './postgres-logins.ts';
import { endHolders, platformRoles } from './postgres-session.ts';

export function renewPostgresRules(facts: DatabaseFacts): DatabaseCommand {
  return {
    ...inPostgres(facts, [...putAside(), ...openDatabases(), ...listVerifiers(facts), LIST_AGE]),
    followUp(stdout) {
      const server = { databases: databasesIn(stdout), isNew: stdout.includes(IS_NEW) };
      const changed = changedLogins(facts, stdout);
      if (changed.length > 0) return whileClosed(facts, changed, server);
      const renewed = inPostgres(facts, everywhere(facts, server.databases));
      /*
       * An app may have changed a password while the command was running, and a client may know this password. So
       * replace this password too.
       */
      const followUp = (said: string) => {
        const late = changedLogins(facts, said);
        return late.length === 0 ? null : whileClosed(facts, late, server);
      };
      return withAccess(facts, () => ({ ...renewed, followUp }));
    },
  };
}

/** SQL statement that returns a row if the server has not reloaded its access rules since its start. */
const LIST_AGE = "SELECT json_build_object('isNew', true) WHERE pg_conf_load_time() <= pg_postmaster_start_time();";
const IS_NEW = '"isNew"';

/**
 * Returns a command that replaces passwords while the server rejects new sessions of apps. If the command fails, the
 * server still rejects new sessions.
 */
function whileClosed(
  facts: DatabaseFacts,
  changed: readonly string[],
  { databases, isNew }: { databases: readonly string[]; isNew: boolean },
): DatabaseCommand {
  const open = () => withAccess(facts, () => null);
  const replaced = () => ({ ...inPostgres(facts, everywhere(facts, databases)), followUp: open });
  return withAccess({ ...facts, admitted: [] }, (before) => ({
    ...asAdministrator(listVerifiers(facts)),
    followUp(stdout) {
      // Open sessions may change more passwords. This is safe, because no client can sign in with these passwords now.
      const all = new Set([...changed, ...changedLogins(facts, stdout)]);
      // First end the open sessions, because a session could lock the row of its login and block the password change.
      const ended = {
        ...asAdministrator([...all].flatMap(endAllSessions)),
        isGood: (said: string) => !GOES_ON.test(said),
      };
      const waits = isNew && !admitsLogins(before) ? [] : untilSignInsEnd().map(asAdministrator);
      return inOrder([...waits, ended], replaced);
    },
  }));
}

/**
 * Returns SQL statements that set the permissions of all roles. Earlier Davit versions or an earlier superuser may have
 * changed the permissions.
 */
export function postgresRules(facts: DatabaseFacts): string[] {
  const logins = [facts.login, ...facts.otherLogins];
  const names = logins.map(({ username }) => username);
  return [
    ...putAside(),
    ...endHolders(),
    ...findings(names),
    ...endSessions(names),
    ...endRights(names, databaseNameIn(facts)),
    ownPassword(facts),
    ...platformRoles(),
    ...logins.flatMap((login) => loginStatements(facts, login)),
    ...limitConnections(),
    ...endSessions(names),
  ];
}

/**
 * Returns SQL statements for all databases of a server. The statements set the permissions of roles twice, because code
 * in a database may change the roles in between.
 */
function everywhere(facts: DatabaseFacts, databases: readonly string[]): string[] {
  const inEach = (statements: () => string[]) => databases.flatMap((name) => [connectTo(name), ...statements()]);
  const own = [connectTo('postgres'), ...postgresRules(facts)];
  return [...inEach(putAside), ...own, ...inEach(endDatabaseLeftovers), ...own];
}
