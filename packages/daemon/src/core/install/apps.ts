/** The apps of an installation: made as everybody makes them, through the same functions and the same checks. */
import { AppCreate, DomainCreate, TcpPortCreate, VariablesPatch, VolumeCreate } from '@davit/api';
import type { z } from 'zod';
import { resolveText, tellsSecret } from '../../installs/plan/references.ts';
import { appRequest } from '../../installs/plan/requests.ts';
import type { WantedApp } from '../../installs/plan/wanted.ts';
import type { AppTarget } from '../../release/app-target.ts';
import { appBySlugs } from '../../store/app.ts';
import { domainsOfApp } from '../../store/domain.ts';
import { tcpPortsOfApp } from '../../store/tcp-port.ts';
import { listVolumes, volumesOfApp } from '../../store/volume.ts';
import { createApp } from '../app-settings.ts';
import type { Core } from '../core.ts';
import { addDomain } from '../domain.ts';
import { fieldError } from '../field-error.ts';
import { currentApp } from '../lookup.ts';
import { addTcpPort } from '../tcp-port.ts';
import { patchingVariables } from '../variable-level.ts';
import { changeVariables, ofApp } from '../variables.ts';
import { addVolume } from '../volume.ts';
import type { Build } from './build.ts';
import { makeThing } from './resources.ts';

/** Makes an app with everything of it but its variables, its attachments and its hosts. Again after a crash at any point. */
export async function makeApp(work: Build, wanted: WantedApp): Promise<void> {
  const { core, ctx, installId } = work;
  const { key, name, reference } = wanted;
  makeThing(
    core,
    installId,
    { kind: 'app', key, name, reference },
    () => void createApp(core, ctx, admitted(AppCreate, requestOf(work, wanted))),
  );
  await equipApp(work, wanted);
}

function requestOf({ core, values }: Build, app: WantedApp) {
  const request = appRequest(app, values);
  return { ...request, limits: withinMachine(core, request.limits ?? {}) };
}

/** What a release gives that says nothing of limits. */
export const NO_LIMITS = { cpu: null, memory_bytes: null };

/** A template is for machines of every size: a limit of more cores than there are is one of all of them. */
export function withinMachine<L extends { cpu?: number | null | undefined }>({ engineSight }: Core, limits: L): L {
  const { cpus } = engineSight();
  const { cpu = null } = limits;
  return cpus === null || cpu === null || cpu <= cpus ? limits : { ...limits, cpu: cpus };
}

/** Volumes and ports of the machine that it does not have yet. */
export async function equipApp(work: Build, { reference, volumes, tcp }: WantedApp): Promise<void> {
  const { core, ctx, adopts } = work;
  const app = appOf(core, reference);
  for (const path of volumes) {
    if (volumesOfApp(core.store, app.id).some((volume) => volume.path === path)) continue;
    const adopt = keptVolume(core, app, path, adopts);
    await addVolume(core, ctx, app, admitted(VolumeCreate, { path, ...(adopt !== undefined && { adopt }) }));
  }
  for (const { container, host } of tcp) {
    if (tcpPortsOfApp(core.store, app.id).some((port) => port.container_port === container)) continue;
    const input = { container_port: container, ...(host !== null && { host_port: host }) };
    await addTcpPort(core, ctx, app, admitted(TcpPortCreate, input));
  }
}

/** The variables of an app with every reference resolved, and its hosts. */
export async function wireApp(work: Build, wanted: WantedApp): Promise<void> {
  const { core, ctx } = work;
  const app = appOf(core, wanted.reference);
  const { set, secret } = variablesOf(work, wanted);
  if (Object.keys(set).length > 0) {
    changeVariables(core, ctx, ofApp(app), patchingVariables(admitted(VariablesPatch, { set, secret, unset: [] })));
  }
  await giveHosts(work, wanted);
}

export async function giveHosts({ core, ctx }: Build, { reference, domains, create }: WantedApp): Promise<void> {
  const app = appOf(core, reference);
  for (const { host, port } of domains) {
    if (domainsOfApp(core.store, app.id).some((domain) => domain.host === host)) continue;
    const own = port === create.port ? {} : { port };
    await addDomain(core, ctx, app, admitted(DomainCreate, { host, ...own }));
  }
}

/** What is set, and what of it is hidden: whatever tells a secret. */
export function variablesOf(
  { values, secretInputs }: Pick<Build, 'values' | 'secretInputs'>,
  { env }: WantedApp,
): { set: Record<string, string>; secret: string[] } {
  const set = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, resolveText(text, values)]));
  const secret = Object.keys(env).filter((name) => tellsSecret(env[name] ?? '', secretInputs));
  return { set, secret };
}

/** @throws DavitError not_found when it has gone */
export function appOf(core: Core, reference: string): AppTarget {
  return currentApp(core.store, findApp(core, reference)?.id ?? 0);
}

export function findApp({ store }: Core, reference: string) {
  const [project = '', environment = '', name = ''] = reference.split('/');
  return appBySlugs(store, project, environment, name);
}

/** Everything goes through the shape that a request has to have. @throws DavitError invalid_input */
export function admitted<S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw fieldError(parsed.error);
  return parsed.data;
}

function keptVolume({ store }: Core, app: AppTarget, path: string, adopts: Build['adopts']): string | undefined {
  const kept = listVolumes(store, null).filter((row) => row.state === 'kept' && row.app === app.reference);
  return kept.filter((row) => row.path === path && adopts(row, app)).at(-1)?.name;
}
