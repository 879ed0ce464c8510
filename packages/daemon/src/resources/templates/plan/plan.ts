/**
 * Creates the plan of an installation, in the order of creation. The callers pass all data of the instance, because
 * this code does not access the database.
 */
import type { InstallProblem, PlannedResource } from '@davit/api';
import type { Manifest } from '@davit/template';
import { type Unfit, whyUnfit } from '../manifest/fits.ts';
import { type Answers, answer } from './answers.ts';
import { adoptProblems, targetProblems } from './check.ts';
import type { InstanceView } from './instance-view.ts';
import type { Values } from './references.ts';
import { requestProblems } from './requests.ts';
import {
  type InstallTarget,
  type Names,
  nameProblems,
  type Wanted,
  type WantedApp,
  wantedImage,
  wantedOf,
} from './wanted.ts';

export interface InstallRequest {
  manifest: Manifest;
  place: InstallTarget;
  inputs: Answers;
  names: Names;
  adopt: Readonly<Record<string, string>>;
}

export interface Planned {
  /** Reason why this instance cannot install the template, or `null` if there is no such reason. */
  unfit: Unfit | null;
  answers: Answers;
  generated: string[];
  wanted: Wanted;
  resources: PlannedResource[];
  problems: InstallProblem[];
}

export function planInstall(request: InstallRequest, instance: InstanceView): Planned {
  const { manifest, names, adopt, place: target } = request;
  const unfit = whyUnfit(manifest, instance.version);
  const answered = answer(manifest, request.inputs, instance);
  const wanted = wantedOf({ manifest, answers: answered.answers, names, place: target, adopt });
  const problems = [
    ...answered.problems,
    ...nameProblems(manifest, names),
    ...adoptProblems(manifest, adopt),
    ...targetProblems(wanted, instance),
    ...(answered.problems.length === 0 ? requestProblems(wanted, valuesKnown(wanted, answered.answers)) : []),
  ];
  const { answers, generated } = answered;
  return { unfit, answers, generated, wanted, resources: resourcesIn(wanted, instance), problems };
}

/**
 * Returns the values of placeholders for inputs and apps. Databases and object stores have no values before the
 * installation.
 */
function valuesKnown(wanted: Wanted, answers: Answers): Values {
  return { inputs: answers, apps: wanted.values, databases: {}, stores: {} };
}

function resourcesIn(wanted: Wanted, instance: InstanceView): PlannedResource[] {
  const { project, environment } = wanted;
  const made = (isThere: boolean) => (isThere ? 'use' : 'create') as PlannedResource['action'];
  const common = { key: null, detail: null };
  return [
    { ...common, kind: 'project', name: project, reference: project, action: made(instance.hasProject) },
    {
      ...common,
      ...{ kind: 'environment', name: environment, reference: `${project}/${environment}` },
      action: made(instance.hasEnvironment),
    },
    ...wanted.databases.map(({ key, name, reference, adopt, engine, version }): PlannedResource => {
      const detail = [engine, version].filter((part) => part !== null).join(' ');
      return { kind: 'database', key, name, reference, action: adopt === null ? 'create' : 'adopt', detail };
    }),
    ...wanted.stores.flatMap(({ key, name, reference, buckets }): PlannedResource[] => [
      { kind: 'object_store', key, name, reference, action: 'create', detail: null },
      ...buckets.map((bucket): PlannedResource => {
        return {
          kind: 'bucket',
          key,
          name: bucket,
          reference: `${reference}/${bucket}`,
          action: 'create',
          detail: null,
        };
      }),
    ]),
    ...wanted.apps.map((app): PlannedResource => {
      const { key, name, reference } = app;
      return { kind: 'app', key, name, reference, action: 'create', detail: detailOf(app, instance) };
    }),
  ];
}

/**
 * Returns a short description of an app: image, hosts, volumes, ports, and instructions that Davit does not support.
 */
function detailOf(app: WantedApp, instance: InstanceView): string {
  const { domains, volumes, tcp, undone } = app;
  const parts = [
    wantedImage(app),
    ...domains.map(({ host }) => host),
    ...volumes.map((path) => `volume ${path}`),
    ...tcp.map(({ container, host }) => `server port ${host ?? '(chosen by Davit)'} to container port ${container}`),
    ...undone,
    ...(isKeyTaken(app, instance) ? [`other apps cannot reach it as ${app.key}, because this name is in use`] : []),
  ];
  return parts.join(', ');
}

/**
 * Other apps of the template connect to this app by a short name. Returns whether another app or database already has
 * this name.
 */
function isKeyTaken({ key, name }: WantedApp, instance: InstanceView): boolean {
  const short = key.toLowerCase();
  return short !== name && instance.hasEnvironment && (instance.hasApp(short) || instance.hasDatabase(short));
}
