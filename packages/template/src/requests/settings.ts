/** Converts parts of a template to settings in API requests, without names and user input. */
import type { ManifestApp, ManifestDatabase, ManifestStore } from '../manifest.ts';
import { engineNamed } from '../rules/engines.ts';
import { splitDigest } from '../rules/image.ts';

type App = Pick<
  ManifestApp,
  'source' | 'port' | 'worker' | 'health' | 'limits' | 'scale' | 'autoscale' | 'command' | 'args'
>;

/**
 * Returns the API settings of an app. References in the command are not replaced yet. The image is empty if the app is
 * built from source.
 */
export function appSettings({ source, port, worker, health, limits, scale, autoscale, command, args = [] }: App) {
  return {
    source: 'image' as const,
    ...(source.type === 'image' ? imageOf(source.image, source.tag) : { image: '', tag: null }),
    ...(worker === true ? { port: null } : port !== null && { port }),
    scale: scale ?? autoscale?.min ?? 1,
    health: { path: health },
    limits: { cpu: limits?.cpu ?? null, memory_bytes: limits?.memory_bytes ?? null },
    command: command ?? null,
    args: args.length === 0 ? null : args,
  };
}

/** Returns the image repository, and the tag or digest to deploy. If the image has a digest, the tag has no effect. */
function imageOf(written: string, tag: string | null): { image: string; tag: string | null } {
  const { repository, digest } = splitDigest(written);
  return { image: repository, tag: digest ?? tag };
}

type Database = Pick<
  ManifestDatabase,
  'engine' | 'version' | 'extensions' | 'username' | 'database' | 'expose' | 'limits'
>;

/** Returns the API settings of a database. Settings that are missing in the template are absent. */
export function databaseSettings({ engine, version, extensions, username, database, expose, limits }: Database) {
  return {
    ...{ engine, extensions, expose },
    ...(version !== null && { version }),
    ...(username !== null && { username }),
    ...(database !== null && engineNamed(engine)?.named !== false && { database }),
    ...(limits !== null && { limits }),
  };
}

/** Returns the API settings of an object store. Settings that are missing in the template are absent. */
export function storeSettings({ version, limits }: Pick<ManifestStore, 'version' | 'limits'>) {
  return { ...(version !== null && { version }), ...(limits !== null && { limits }) };
}
