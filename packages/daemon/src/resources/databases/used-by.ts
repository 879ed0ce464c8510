/** Determines which apps use a database. Davit does not delete a database in use. */

import type { AppSpec } from '@davit/api';
import { readableFiles } from '../../app-spec/app-files.ts';
import { type AppTarget, appTarget } from '../../app-spec/app-target.ts';
import { type EffectiveVariable, effectiveVariables, leniently } from '../../app-spec/effective-variables.ts';
import { databaseHost } from '../../app-spec/names.ts';
import { readRevisionSpec, storedRevision } from '../../app-spec/revision.ts';
import { unlessBroken } from '../../app-spec/unsealed.ts';
import type { Reader } from '../../db/store.ts';
import { appsOfEnvironment } from '../../db/tables/app.ts';
import { type AttachedApp, appsOfDatabases } from '../../db/tables/attachment.ts';
import { type DatabaseRow, databasesOfEnvironment } from '../../db/tables/managed-database.ts';
import type { DatabasesDeps } from './deps.ts';

type Opening = Pick<DatabasesDeps, 'sealer'>;
type Used = Pick<DatabaseRow, 'id' | 'environment_id' | 'deleted_at'>;

interface Search {
  /** Attachments of the databases. By default, the function reads them. */
  attached?: readonly AttachedApp[];
  /** Whether to search the live releases too. Default: `true`. */
  live?: boolean;
}

/**
 * Returns a map from database id to the apps that use the database, as sorted `project/environment/app`. An app uses a
 * database if it is attached to it. It also uses the database if its variables, files or commands contain the host name
 * of the database. Templates and Compose files connect apps in this way. The live release of an app counts as well,
 * because its containers connect to the database until the next deployment. No app uses a database in the trash.
 */
export function appsUsing(
  core: Opening,
  db: Reader,
  rows: readonly Used[],
  { attached = attachedTo(db, rows), live = true }: Search = {},
): Map<number, string[]> {
  const attachedApps = Map.groupBy(attached, ({ owner_id }) => owner_id);
  const usersOf = ({ id, environment_id: environmentId, deleted_at: deletedAt }: Used): string[] => {
    if (deletedAt !== null) return [];
    const naming = (appsNaming(core, db, environmentId).get(id) ?? []).filter(({ isLive }) => live || !isLive);
    return [...(attachedApps.get(id) ?? []), ...naming].map(({ app }) => app);
  };
  return new Map(rows.map((row) => [row.id, [...new Set(usersOf(row))].sort()]));
}

function attachedTo(db: Reader, rows: readonly Used[]): AttachedApp[] {
  return appsOfDatabases(
    db,
    rows.map(({ id }) => id),
  );
}

/** App whose texts contain the host name of a database. */
interface Naming {
  app: string;
  isLive: boolean;
}

/**
 * Returns a map from the id of each database in an environment to the apps that contain its host name. The result is
 * cached, because it needs all decrypted texts of the environment. The cache never contains these texts.
 */
function appsNaming(core: Opening, db: Reader, environmentId: number): ReadonlyMap<number, readonly Naming[]> {
  return db.memo(`apps naming databases of environment ${environmentId}`, () => {
    const databases = databasesOfEnvironment(db, environmentId);
    const texts = databases.length === 0 ? [] : textsOf(core, db, environmentId);
    return new Map(
      databases.map((row) => {
        const isNamed = hostPattern(databaseHost(row));
        const naming = texts.filter(({ text }) => isNamed.test(text));
        return [row.id, naming.map(({ app, isLive }) => ({ app, isLive }))];
      }),
    );
  });
}

/** Matches a host name, but not a longer host name that contains it. */
function hostPattern(host: string): RegExp {
  return new RegExp(`(?<![\\w.-])${host.replaceAll('.', '\\.')}(?![\\w-]|\\.\\w)`, 'i');
}

/** Settings and variables of an app: the current ones, or those of its live release. */
interface Release {
  app: AppTarget;
  isLive: boolean;
  spec: AppSpec;
  variables: readonly EffectiveVariable[];
}

/** Returns the texts of the releases in an environment that can contain host names. */
function textsOf(core: Opening, db: Reader, environmentId: number): (Naming & { text: string })[] {
  const releases = releasesIn(core, db, environmentId);
  const contents = fileContents(core, db, releases);
  return releases.map(({ app, isLive, spec, variables }) => {
    const words = [spec.command, spec.args, spec.release_command].flatMap((list) => list ?? []);
    const files = spec.files.map(({ version = '' }) => contents.get(`${app.id} ${version}`) ?? '');
    return {
      app: app.reference,
      isLive,
      text: [...variables.map(({ value }) => value), ...words, ...files].join('\n'),
    };
  });
}

function releasesIn(core: Opening, db: Reader, environmentId: number): Release[] {
  const apps = appsOfEnvironment(db, environmentId).map(appTarget);
  const variables = effectiveVariables(core, db, apps, leniently(core, ''));
  return apps.flatMap((app) => [
    { app, isLive: false, spec: app.spec, variables: variables.get(app.id) ?? [] },
    ...liveRelease(core, db, app),
  ]);
}

/** Returns the live release of an app, unless it has the current settings and variables. */
function liveRelease({ sealer }: Opening, store: Reader, app: AppTarget): Release[] {
  const { id, revision, liveRevision } = app;
  if (liveRevision === null || liveRevision === revision) return [];
  const variables = unlessBroken(() => storedRevision({ store, sealer }, id, liveRevision).variables) ?? [];
  return [{ app, isLive: true, spec: readRevisionSpec({ store }, id, liveRevision), variables }];
}

/** Returns a map from app id and version of a file to the file's content. */
function fileContents({ sealer }: Opening, store: Reader, releases: readonly Release[]): Map<string, string> {
  const wanted = releases.flatMap(({ app, spec }) => spec.files.map((file) => ({ appId: app.id, file })));
  const files = readableFiles({ store, sealer }, wanted);
  return new Map(files.map(({ appId, version, content }) => [`${appId} ${version}`, content]));
}
