/**
 * Changes an app of an installation during an update. Changes only the settings that differ between the two template
 * releases.
 */
import { AppPatch } from '@davit/api';
import { domainsOfApp } from '../../../db/tables/domain.ts';
import { tcpPortsOfApp } from '../../../db/tables/tcp-port.ts';
import { volumesOfApp } from '../../../db/tables/volume.ts';
import { type SettingsChange, saveSettings } from '../../apps/save-settings.ts';
import { patching } from '../../apps/settings.ts';
import { removeDomain } from '../../domains/domain.ts';
import { removeTcpPort } from '../../tcp-ports/tcp-port.ts';
import { patchingVariables } from '../../variables/level.ts';
import { changeVariables, ofApp } from '../../variables/variables.ts';
import { removeVolume } from '../../volumes/volume.ts';
import type { AppChange, Lists } from '../plan/changes.ts';
import type { WantedApp } from '../plan/wanted.ts';
import { admitted, appHad, equipApp, findApp, giveHosts, requestedVariables, withinMachine } from './apps.ts';
import { attachApp, detachApp } from './attachments.ts';
import { type AppBefore, appBeforeOf, type Before } from './before.ts';
import type { Build } from './build.ts';

/** Changes that an update makes to one app, because two template releases differ. */
export interface AppEdit {
  /** `to` is the template release that the update installs. `from` is the release that is installed now. */
  to: Build;
  from: Build;
  app: WantedApp;
  patch: Record<string, unknown>;
  variables: { set: Record<string, string>; secret: string[]; unset: string[] };
  domains: Lists<WantedApp['domains'][number]>;
  attach: Lists<WantedApp['attach'][number]>;
  volumes: Lists<string>;
  tcp: Lists<WantedApp['tcp'][number]>;
}

/**
 * Returns the changes that an update must make to an app. If the new release does not contain a volume, the volume
 * stays, because it contains data.
 */
export function editOf(from: Build, to: Build, change: AppChange): AppEdit {
  const { to: app, patch, variables, domains, attach, volumes, tcp } = change;
  const { set, secret } = requestedVariables(to, app);
  const isSet = (name: string) => variables.set.includes(name);
  return {
    ...{ to, from, app, domains, attach, tcp },
    patch: 'limits' in patch ? { ...patch, limits: withinMachine(to.core, app.create.limits) } : patch,
    variables: {
      set: Object.fromEntries(Object.entries(set).filter(([name]) => isSet(name))),
      secret: secret.filter(isSet),
      unset: variables.unset,
    },
    volumes: { add: volumes.add, remove: [] },
  };
}

/**
 * Returns the changes that restore an app's settings from before an update, including changes by users. Returns `null`
 * if no settings were saved.
 */
export function undoOf(from: Build, to: Build, change: AppChange, before: Before): AppEdit | null {
  const was = appBeforeOf(before, change.to.key);
  if (was === undefined) return null;
  const { domains, attach, volumes, tcp } = change;
  const known = Object.entries(was.variables);
  const touched = new Set([...change.variables.set, ...change.variables.unset]);
  return {
    ...{ from: to, to: { ...from, isBack: true }, app: change.from },
    patch: Object.fromEntries(Object.keys(change.patch).map((field) => [field, was.settings[field] ?? null])),
    variables: {
      set: Object.fromEntries(known.filter(([name]) => touched.has(name)).map(([name, { value }]) => [name, value])),
      secret: known.filter(([name, { secret }]) => touched.has(name) && secret).map(([name]) => name),
      unset: [...touched].filter((name) => !Object.hasOwn(was.variables, name)),
    },
    domains: turned(domains, ({ host }) => was.domains.includes(host)),
    attach: { add: attach.remove, remove: attach.add },
    volumes: { add: [], remove: volumes.add.filter((path) => !was.volumes.includes(path)) },
    tcp: turnedPorts(tcp, was),
  };
}

/**
 * Returns the changes that undo an update of a list, for example of domains. An item is added only if it was in the
 * list before the update. An item is removed only if it was not in the list.
 */
function turned<T>({ add, remove }: Lists<T>, wasThere: (one: T) => boolean): Lists<T> {
  return { add: remove.filter(wasThere), remove: add.filter((one) => !wasThere(one)) };
}

/**
 * Returns the changes that restore the TCP ports of an app after a failed update. The app gets its previous ports on
 * the server again.
 */
function turnedPorts({ add, remove }: AppEdit['tcp'], was: AppBefore): AppEdit['tcp'] {
  const containers = new Set([...add, ...remove].map(({ container }) => container));
  return { add: was.tcp.filter(({ container }) => containers.has(container)), remove: add };
}

/**
 * Changes the settings, volumes and TCP ports of an app. The function is idempotent, because the task may call it again
 * after a crash.
 */
export async function editSettings({ to: build, app: wanted, patch, volumes, tcp }: AppEdit): Promise<void> {
  const { core, ctx, isBack } = build;
  if (findApp(core, wanted.reference) === undefined) return;
  const app = appHad(build, wanted.reference);
  if (Object.keys(patch).length > 0) {
    const next = isBack ? puttingBack(patch) : patching(admitted(AppPatch, patch));
    core.store.tx((tx) => void saveSettings(core, ctx, tx, app.id, next));
    core.nudgeRoutes();
  }
  for (const { container, host } of tcp.remove) {
    const port = tcpPortsOfApp(core.store, app.id).find((one) => one.container_port === container);
    // Do nothing if the port already has its new value. The task may have changed the port before a crash.
    const isDone = tcp.add.some((one) => one.container === container && one.host === port?.host_port);
    if (port !== undefined && !isDone && (host === null || port.host_port === host))
      removeTcpPort(core, ctx, app, String(port.id));
  }
  for (const path of volumes.remove) {
    const volume = volumesOfApp(core.store, app.id).find((one) => one.path === path);
    if (volume !== undefined) removeVolume(core, ctx, app, String(volume.id), volume.name);
  }
  await equipApp(build, { ...wanted, volumes: volumes.add, tcp: tcp.add });
}

/**
 * Returns a function that restores earlier settings. Does not validate values that only an earlier Davit version
 * accepts.
 */
function puttingBack(patch: Record<string, unknown>): SettingsChange {
  const isTaken = ([field, value]: [string, unknown]) => AppPatch.safeParse({ [field]: value }).success;
  const [taken, refused] = [true, false].map((is) => Object.entries(patch).filter((entry) => isTaken(entry) === is));
  const next = patching(admitted(AppPatch, Object.fromEntries(taken ?? [])));
  return (spec) => ({ ...next(spec), ...Object.fromEntries(refused ?? []) });
}

/** Changes the attachments, variables and domains of an app during an update. */
export async function editWires({ to, from, app: wanted, variables, attach, domains }: AppEdit): Promise<void> {
  const { core, ctx } = to;
  if (findApp(core, wanted.reference) === undefined) return;
  const isSame = (one: WantedApp['attach'][number]) => (two: typeof one) =>
    two.kind === one.kind && two.key === one.key && two.bucket === one.bucket;
  for (const attachment of attach.remove) {
    // If only the variable prefix of an attachment changes, do not detach the database or object store.
    if (!attach.add.some(isSame(attachment))) detachApp(from, wanted, attachment);
  }
  attachApp(to, { ...wanted, attach: attach.add });
  if (Object.keys(variables.set).length + variables.unset.length > 0)
    changeVariables(core, ctx, ofApp(appHad(to, wanted.reference)), patchingVariables(variables));
  for (const { host } of domains.remove) {
    const app = appHad(to, wanted.reference);
    const domain = domainsOfApp(core.store, app.id).find((one) => one.host === host);
    if (domain !== undefined) await removeDomain(core, ctx, app, String(domain.id));
  }
  await giveHosts(to, { ...wanted, domains: domains.add });
}
