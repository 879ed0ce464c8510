/**
 * Saves the current settings before an update. If the update fails, Davit restores these settings. They may include
 * changes by users that the template does not contain.
 */
import { IMAGE_PORT } from '@davit/api';
import type { AppTarget } from '../../../app-spec/app-target.ts';
import { domainsOfApp } from '../../../db/tables/domain.ts';
import { databaseByReference } from '../../../db/tables/managed-database.ts';
import { managedStoreByName } from '../../../db/tables/managed-store.ts';
import { tcpPortsOfApp } from '../../../db/tables/tcp-port.ts';
import { volumesOfApp } from '../../../db/tables/volume.ts';
import { levelAsFound } from '../../variables/variables.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { AppChange, Changes } from '../plan/changes.ts';
import { storesWithNewLimits } from '../plan/store-changes.ts';
import { own } from '../plan/wanted.ts';
import { appOf } from './apps.ts';
import type { InstallWork } from './context.ts';
import { isOurs } from './things.ts';

export interface AppBefore {
  /** App settings before the update, as a map from field name to value. Davit restores them with an API patch. */
  settings: Record<string, unknown>;
  variables: Record<string, { value: string; secret: boolean }>;
  domains: string[];
  volumes: string[];
  tcp: { container: number; host: number }[];
  /** Tag of the image that the app ran before the update of the installation. `null` if the app was not deployed. */
  tag: string | null;
}

interface LimitsBefore {
  cpu: number | null;
  memory_bytes: number | null;
}

export interface Before {
  at: number;
  /**
   * References (`project/environment/name`) of resources that the new release adds but that already exist. They exist
   * because an update does not remove resources.
   */
  there: string[];
  /**
   * Map from an app's key in the template to the state of the app before the update. Contains only apps that the update
   * changes.
   */
  apps: Record<string, AppBefore>;
  /**
   * Map from a database's reference `project/environment/name` to its limits before the update. Contains only databases
   * that the update changes.
   */
  limits: Record<string, LimitsBefore>;
  /**
   * Map from the name of an object store to its limits before the update. Contains only object stores whose limits the
   * update changes.
   */
  storeLimits: Record<string, LimitsBefore>;
}

/**
 * Saves the current settings in the task before the update. Does nothing if the task already contains settings, because
 * the update may have changed the current settings.
 */
export function noteBefore(work: InstallWork, changes: Changes): void {
  if (beforeOf(work) !== null) return;
  const { core, input } = work;
  const { databases, stores, apps } = changes;
  const isThere = (kind: 'database' | 'object_store' | 'app') => (thing: { reference: string }) =>
    isOurs(core.store, input.install, { kind, reference: thing.reference });
  const there = [
    ...databases.add.filter(isThere('database')),
    ...stores.add.filter(isThere('object_store')),
    ...apps.add.filter(isThere('app')),
  ];
  const before: Before = {
    at: core.now(),
    there: there.map(({ reference }) => reference),
    apps: Object.fromEntries(apps.change.map((change) => [change.to.key, appBefore(core, change)])),
    limits: limitsBefore(databases.change, (reference) => databaseByReference(core.store, reference)),
    storeLimits: limitsBefore(storesWithNewLimits(stores.change), (reference) =>
      managedStoreByName(core.store, reference),
    ),
  };
  work.state.set({ before });
}

function limitsBefore(
  things: readonly { reference: string }[],
  find: (reference: string) => LimitsBefore | undefined,
): Record<string, LimitsBefore> {
  const found = things.flatMap(({ reference }) => {
    const row = find(reference);
    return row === undefined ? [] : [[reference, { cpu: row.cpu, memory_bytes: row.memory_bytes }] as const];
  });
  return Object.fromEntries(found);
}

/**
 * Returns the state that an update saved before its first change. Returns `null` if the update has not saved the state
 * yet.
 */
export function beforeOf(work: InstallWork): Before | null {
  return work.state.get<{ before: Before }>().before ?? null;
}

export function appBeforeOf(before: Before, key: string): AppBefore | undefined {
  return own(before.apps, key);
}

function appBefore(core: TemplatesDeps, { from, to }: AppChange): AppBefore {
  const app = appOf(core, to.reference);
  const names = new Set([...Object.keys(from.env), ...Object.keys(to.env)]);
  const variables = [...levelAsFound(core, core.store, { level: 'app', id: app.id })].filter(([name]) =>
    names.has(name),
  );
  const ports = tcpPortsOfApp(core.store, app.id);
  return {
    settings: settingsIn(app),
    variables: Object.fromEntries(variables),
    domains: domainsOfApp(core.store, app.id).map(({ host }) => host),
    volumes: volumesOfApp(core.store, app.id).map(({ path }) => path),
    tcp: ports.map(({ container_port: container, host_port: host }) => ({ container, host })),
    tag: app.liveTag,
  };
}

/**
 * Returns an API request that restores an app's settings, with defaults for missing settings. `IMAGE_PORT` means the
 * port that the image exposes.
 */
function settingsIn({ spec }: AppTarget): Record<string, unknown> {
  return { ...spec, port: spec.port === undefined ? IMAGE_PORT : spec.port, pull: spec.pull ?? null };
}
