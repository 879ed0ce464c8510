/** Creates the apps of a template installation, with the same functions and checks as the HTTP API. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppCreate, DavitError, DomainCreate, TcpPortCreate, VariablesPatch, VolumeCreate } from '@davit/api';
import type { z } from 'zod';
import type { AppTarget } from '../../../app-spec/app-target.ts';
import { currentApp } from '../../../authorization/lookup.ts';
import { appById, appBySlugs } from '../../../db/tables/app.ts';
import { domainsOfApp } from '../../../db/tables/domain.ts';
import { appsHolding } from '../../../db/tables/mount.ts';
import { tcpPortsOfApp } from '../../../db/tables/tcp-port.ts';
import { noteInstallOfVolumes, volumesOfApp } from '../../../db/tables/volume.ts';
import { fieldError } from '../../../input/field-error.ts';
import { createApp } from '../../apps/settings.ts';
import { addDomain } from '../../domains/domain.ts';
import { addTcpPort } from '../../tcp-ports/tcp-port.ts';
import { patchingVariables } from '../../variables/level.ts';
import { changeVariables, ofApp } from '../../variables/variables.ts';
import { addVolume } from '../../volumes/volume.ts';
import type { TemplatesDeps } from '../deps.ts';
import { hasSecret, resolveText } from '../plan/references.ts';
import { appRequest } from '../plan/requests.ts';
import type { WantedApp } from '../plan/wanted.ts';
import type { Build } from './build.ts';
import { keptVolume, noteAdoption } from './kept-volumes.ts';
import { makeThing } from './resources.ts';
import { isHad } from './things.ts';

/**
 * Creates an app with volumes and ports, but without variables, attachments and domains. After a crash, creates only
 * the missing parts.
 */
export async function makeApp(work: Build, wanted: WantedApp, signal?: AbortSignal): Promise<void> {
  const { core, ctx, installId } = work;
  const { key, name, reference } = wanted;
  makeThing(
    core,
    installId,
    { kind: 'app', key, name, reference },
    () => void createApp(core, ctx, admitted(AppCreate, requestOf(work, wanted))),
  );
  await equipApp(work, wanted, signal);
}

function requestOf({ core, values }: Build, app: WantedApp) {
  const request = appRequest(app, values);
  return { ...request, limits: withinMachine(core, request.limits ?? {}) };
}

/** Limits of an app, a database or an object store if the template sets no limits. */
export const NO_LIMITS = { cpu: null, memory_bytes: null };

/** Reduces a CPU limit to the server's number of cores. So a template can be installed on servers of every size. */
export function withinMachine<L extends { cpu?: number | null | undefined }>(
  { engineSight }: TemplatesDeps,
  limits: L,
): L {
  const { cpus } = engineSight();
  const { cpu = null } = limits;
  return cpus === null || cpu === null || cpu <= cpus ? limits : { ...limits, cpu: cpus };
}

/**
 * Adds missing volumes and TCP ports to an app. A volume may come from a deleted app.
 * @param signal if set, waits until no container uses such volumes
 */
export async function equipApp(
  work: Build,
  { reference, volumes, tcp }: WantedApp,
  signal?: AbortSignal,
): Promise<void> {
  const { core, ctx, installId } = work;
  const app = appHad(work, reference);
  for (const path of volumes) {
    if (volumesOfApp(core.store, app.id).some((volume) => volume.path === path)) continue;
    const kept = keptVolume(core.store, { reference, path }, work);
    const adopt = kept?.name;
    if (adopt !== undefined && signal !== undefined) await untilReleased(work, app, { volume: adopt, signal });
    if (kept !== undefined) noteAdoption(work.task, app, kept);
    await addVolume(core, ctx, app, admitted(VolumeCreate, { path, ...(adopt !== undefined && { adopt }) }));
  }
  core.store.tx((tx) => noteInstallOfVolumes(tx, app.id, installId));
  for (const { container, host } of tcp) {
    if (tcpPortsOfApp(core.store, app.id).some((port) => port.container_port === container)) continue;
    const input = { container_port: container, ...(host !== null && { host_port: host }) };
    await addTcpPort(core, ctx, app, admitted(TcpPortCreate, input));
  }
}

/** Interval in milliseconds at which Davit checks whether a volume is still in use. */
const RELEASED_EVERY_MS = 250;

/**
 * Maximum time in milliseconds to wait for the containers of a deleted app. These containers stop within their drain
 * time plus their grace period.
 */
const RELEASED_WITHIN_MS = 120_000;

/**
 * Waits until no container of a deleted app uses a volume. The containers stop in the background, and a new app can use
 * the volume only after that.
 */
async function untilReleased(
  { core: { store }, task }: Build,
  app: AppTarget,
  { volume, signal }: { volume: string; signal: AbortSignal },
): Promise<void> {
  const deadline = performance.now() + RELEASED_WITHIN_MS;
  const isHeld = () => appsHolding(store, volume).some((id) => id !== app.id && appById(store, id) === undefined);
  if (isHeld())
    task.log(`Waiting until the volume ${volume} is free, because containers of a deleted app still use it.`);
  while (isHeld() && performance.now() < deadline)
    await delay(RELEASED_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/**
 * Sets the variables of an app and adds its domains. Replaces references in the values of the template, such as the
 * host of a database.
 */
export async function wireApp(work: Build, wanted: WantedApp): Promise<void> {
  const { core, ctx } = work;
  const app = appHad(work, wanted.reference);
  const { set, secret } = requestedVariables(work, wanted);
  if (Object.keys(set).length > 0) {
    changeVariables(core, ctx, ofApp(app), patchingVariables(admitted(VariablesPatch, { set, secret, unset: [] })));
  }
  await giveHosts(work, wanted);
}

export async function giveHosts(build: Build, { reference, domains, create }: WantedApp): Promise<void> {
  const { core, ctx } = build;
  for (const { host, port } of domains) {
    const app = appHad(build, reference);
    if (domainsOfApp(core.store, app.id).some((domain) => domain.host === host)) continue;
    const own = port === create.port ? {} : { port };
    await addDomain(core, ctx, app, admitted(DomainCreate, { host, ...own }));
  }
}

/**
 * Returns an app's variables and the names of its secret variables. A variable is secret if its value contains a secret
 * input or a database password.
 */
export function requestedVariables(
  { values, secretInputs }: Pick<Build, 'values' | 'secretInputs'>,
  { env }: WantedApp,
): { set: Record<string, string>; secret: string[] } {
  const set = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, resolveText(text, values)]));
  const secret = Object.keys(env).filter((name) => hasSecret(env[name] ?? '', secretInputs));
  return { set, secret };
}

/**
 * Returns an app that the installation created.
 * @throws DavitError not_found if the app does not exist any more, conflict if another app has its name
 */
export function appHad({ core, installId }: Pick<Build, 'core' | 'installId'>, reference: string): AppTarget {
  const app = appOf(core, reference);
  if (!isHad(core.store, installId, { kind: 'app', reference }))
    throw new DavitError(
      'conflict',
      `The app ${reference} of the installation was deleted, and another app now has its name.`,
    );
  return app;
}

/** @throws DavitError not_found if the app does not exist any more */
export function appOf(core: TemplatesDeps, reference: string): AppTarget {
  return currentApp(core.store, findApp(core, reference)?.id ?? 0);
}

export function findApp({ store }: TemplatesDeps, reference: string) {
  const [project = '', environment = '', name = ''] = reference.split('/');
  return appBySlugs(store, project, environment, name);
}

/**
 * Validates a value with the Zod schema of an API request.
 * @throws DavitError invalid_input
 */
export function admitted<S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw fieldError(parsed.error, input);
  return parsed.data;
}
