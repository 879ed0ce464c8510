import type { AppTarget } from '../app-spec/app-target.ts';
import { databaseSecretLocation, openDatabasePassword } from '../app-spec/database-access.ts';
import { effectiveVariables, leniently } from '../app-spec/effective-variables.ts';
import { storeAccess } from '../app-spec/store-access.ts';
import { unlessBroken } from '../app-spec/unsealed.ts';
import { type DatabaseRow, databaseByReference } from '../db/tables/managed-database.ts';
import { type StoreRow, storeByName } from '../db/tables/object-store.ts';
import type { TaskRow } from '../db/tables/task.ts';
import { type InstallRow, installById } from '../db/tables/template-install.ts';
import type { Exchange } from '../http/exchange.ts';
import { recordIn, secretInputs } from '../resources/templates/install/record.ts';
import type { McpDeps } from './deps.ts';
import type { Secret } from './text.ts';

/**
 * Returns the current secrets of a request's target. Davit removes these secrets from logs for MCP clients. It does not
 * remove earlier values of a secret.
 */
export function secretsOfTarget(core: McpDeps, { target, endpoint }: Exchange): Secret[] {
  const scope = endpoint?.needs?.scope;
  // These type casts are safe. The operation's `scope` (for example `app`) determines the type of `target`.
  switch (scope) {
    case 'app':
      return ofApp(core, target as AppTarget);
    case 'deployment':
      return ofApp(core, (target as { app: AppTarget }).app);
    case 'database':
      return ofDatabase(core, target as DatabaseRow);
    case 'object_store':
      return ofStore(core, target as StoreRow);
    case 'install':
      return ofInstall(core, target as InstallRow);
    case 'task':
      return ofTask(core, target as TaskRow);
    default:
      return [];
  }
}

/**
 * Returns the secret variables of an app. Skips values that cannot be decrypted, because an error would make the logs
 * unavailable.
 */
function ofApp(core: McpDeps, app: AppTarget): Secret[] {
  const variables = effectiveVariables(core, core.store, [app], leniently(core, '')).get(app.id) ?? [];
  return variables.filter(({ secret, value }) => secret && value !== '');
}

/**
 * Returns all passwords of a database: for the login of apps, for Davit's login, and for old logins. Old logins remain
 * until the end of a password rotation.
 */
function ofDatabase({ sealer }: McpDeps, row: DatabaseRow): Secret[] {
  const { id, admin_password, other_logins } = row;
  const others = unlessBroken(() =>
    other_logins === null ? '[]' : sealer.open(other_logins, databaseSecretLocation(id, 'other_logins')),
  );
  const values = [
    unlessBroken(() => openDatabasePassword({ sealer }, row)),
    unlessBroken(() => sealer.open(admin_password, databaseSecretLocation(id, 'admin_password'))),
    // The type cast is safe, because only Davit writes the encrypted JSON to the database.
    ...(JSON.parse(others ?? '[]') as { password: string }[]).map(({ password }) => password),
  ];
  return named('password', values);
}

function ofStore(core: McpDeps, row: StoreRow): Secret[] {
  const access = unlessBroken(() => storeAccess(core, row));
  return access === undefined ? [] : named('object store key', [access.secretKey, access.accessKey]);
}

function ofInstall(core: McpDeps, row: InstallRow): Secret[] {
  const record = unlessBroken(() => recordIn(core, row));
  if (record === undefined) return [];
  return [...secretInputs(record.manifest)].flatMap((key) => named(key, [record.answers[key]]));
}

function ofTask(core: McpDeps, { subject_kind, subject }: TaskRow): Secret[] {
  const { store } = core;
  if (subject_kind === 'database') {
    const row = databaseByReference(store, subject);
    return row === undefined ? [] : ofDatabase(core, row);
  }
  if (subject_kind === 'object_store') {
    const row = storeByName(store, subject);
    return row === undefined ? [] : ofStore(core, row);
  }
  const row = subject_kind === 'install' ? installById(store, Number(subject)) : undefined;
  return row === undefined ? [] : ofInstall(core, row);
}

function named(key: string, values: readonly (string | undefined)[]): Secret[] {
  return values.flatMap((value) => (value === undefined || value === '' ? [] : [{ key, value }]));
}
