/** Determines which apps use a database. Davit does not delete a database in use. */

import { DavitError } from '@davit/api';
import { openAppFile } from '../../app-spec/app-files.ts';
import { type AppTarget, appTarget } from '../../app-spec/app-target.ts';
import { type EffectiveVariable, effectiveVariables, leniently } from '../../app-spec/effective-variables.ts';
import { databaseHost } from '../../app-spec/names.ts';
import type { Reader } from '../../db/store.ts';
import { appsOfEnvironment } from '../../db/tables/app.ts';
import { appsOfDatabases } from '../../db/tables/attachment.ts';
import type { DatabaseRow } from '../../db/tables/managed-database.ts';
import type { DatabasesDeps } from './deps.ts';

type Opening = Pick<DatabasesDeps, 'sealer'>;
type Used = Pick<DatabaseRow, 'id' | 'environment_id' | 'project' | 'environment' | 'name' | 'deleted_at'>;

/**
 * Returns a map from database id to the apps that use the database, as sorted `project/environment/app`. An app uses a
 * database if it is attached to it. It also uses the database if its variables, files or commands contain the host name
 * of the database. Templates and Compose files connect apps in this way. No app uses a database in the trash.
 */
export function appsUsing(core: Opening, db: Reader, rows: readonly Used[]): Map<number, string[]> {
  const usable = rows.filter(({ deleted_at }) => deleted_at === null);
  const attached = Map.groupBy(
    appsOfDatabases(
      db,
      usable.map(({ id }) => id),
    ),
    ({ owner_id }) => owner_id,
  );
  const textsIn = new Map(
    [...new Set(usable.map(({ environment_id }) => environment_id))].map((id) => [id, textsOf(core, db, id)]),
  );
  return new Map(
    usable.map((row) => {
      const isNamed = hostPattern(databaseHost(row));
      const naming = (textsIn.get(row.environment_id) ?? []).filter(({ text }) => isNamed.test(text));
      const apps = [...(attached.get(row.id) ?? []), ...naming].map(({ app }) => app);
      return [row.id, [...new Set(apps)].sort()];
    }),
  );
}

/** Matches a host name, but not a longer host name that contains it. */
function hostPattern(host: string): RegExp {
  return new RegExp(`(?<![\\w.-])${host.replaceAll('.', '\\.')}(?![\\w-]|\\.\\w)`, 'i');
}

/** Returns the texts of each app in an environment that can contain host names. */
function textsOf(core: Opening, db: Reader, environmentId: number): { app: string; text: string }[] {
  const apps = appsOfEnvironment(db, environmentId).map(appTarget);
  const variables = effectiveVariables(core, db, apps, leniently(core, ''));
  return apps.map((app) => ({ app: app.reference, text: textOf(core, db, app, variables.get(app.id) ?? []) }));
}

function textOf(core: Opening, db: Reader, app: AppTarget, variables: readonly EffectiveVariable[]): string {
  const { command, args, release_command: release, files } = app.spec;
  const words = [command, args, release].flatMap((list) => list ?? []);
  const contents = files.map((file) => contentOf(core, db, app.id, file));
  return [...variables.map(({ value }) => value), ...words, ...contents].join('\n');
}

/** Returns the content of an app's file, or an empty text if the content cannot be decrypted. */
function contentOf(
  { sealer }: Opening,
  store: Reader,
  appId: number,
  file: AppTarget['spec']['files'][number],
): string {
  try {
    return openAppFile({ store, sealer }, appId, file);
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    return '';
  }
}
