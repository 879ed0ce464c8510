/** Describes the resources that the installation of a template creates. */
import { bytes } from '@davit/api';
import { conditionWords, type Manifest, type ManifestApp } from './manifest.ts';

export type ThingKind = 'app' | 'database' | 'store' | 'job';

export interface Thing {
  kind: ThingKind;
  name: string;
  facts: readonly (readonly [name: string, value: string])[];
}

type Facts = [name: string, value: string][];
type Limits = ManifestApp['limits'];

const ENGINES: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mariadb: 'MariaDB',
  redis: 'Redis',
  mongodb: 'MongoDB',
};
const MOMENTS = {
  install: 'when the template is installed',
  update: 'each time the template is updated',
  always: 'when the template is installed and each time it is updated',
};

export function thingsOf(manifest: Manifest): Thing[] {
  const { apps, databases, stores, jobs = [] } = manifest;
  const only = (when: ManifestApp['when']): Facts => {
    const words = conditionWords(manifest, when);
    return words === '' ? [] : [['Created', words]];
  };
  return [
    ...apps.map(
      (app): Thing => ({ kind: 'app', name: app.name, facts: [...appFacts(manifest, app), ...only(app.when)] }),
    ),
    ...databases.map((one): Thing => {
      const { engine, version, extensions, expose, limits, when } = one;
      const outside = expose === 0 ? 'on a port that Davit chooses' : `on port ${expose}`;
      const facts: Facts = [
        ['Engine', `${ENGINES[engine] ?? engine} ${version ?? '(its newest version)'}`],
        ...given('Extensions', extensions),
        ...(expose === null ? [] : ([['Public access', outside]] as Facts)),
        ...limitFacts(limits),
        ...only(when),
      ];
      return { kind: 'database', name: one.name, facts };
    }),
    ...stores.map(({ name, buckets, limits, when }): Thing => {
      return { kind: 'store', name, facts: [...given('Buckets', buckets), ...limitFacts(limits), ...only(when)] };
    }),
    ...jobs.map(({ name, on, app, command, when }): Thing => {
      const facts: Facts = [
        ['Runs', `${MOMENTS[on]}, with the image and variables of ${app}`],
        ['Command', command.join(' ')],
      ];
      return { kind: 'job', name, facts: [...facts, ...only(when)] };
    }),
  ];
}

function appFacts(manifest: Manifest, app: ManifestApp): Facts {
  const { source, domains, port, volumes, tcp, attach, scale } = app;
  const labelled = (text: string) => labelOf(manifest, text);
  const from = source.type === 'image' ? `${source.image}${source.tag === null ? '' : `:${source.tag}`}` : source.repo;
  return [
    [source.type === 'image' ? 'Image' : 'Built from', from],
    ...given(
      'Domains',
      domains.map(({ host, when }) => joined(labelled(host), conditionWords(manifest, when))),
    ),
    ...(domains.length === 0 && port !== null ? ([['Port', String(port)]] as Facts) : []),
    ...given(
      'TCP ports',
      tcp.map(({ port: inner, when }) => joined(String(inner), conditionWords(manifest, when))),
    ),
    ...given(
      'Volumes',
      volumes.map(({ path, when }) => joined(path, conditionWords(manifest, when))),
    ),
    ...given(
      'Uses',
      attach.map(({ kind, key, bucket }) => `${kind} ${key}${bucket === null ? '' : `/${bucket}`}`),
    ),
    ...((scale ?? 1) > 1 ? ([['Replicas', String(scale)]] as Facts) : []),
    ...limitFacts(app.limits),
  ];
}

/**
 * Returns the label of a template input if the text is only a reference to this input, such as `${input.domain}`. Any
 * other text is returned unchanged.
 */
function labelOf({ inputs }: Manifest, text: string): string {
  const [, key] = /^\s*\$\{\s*input\.([\w-]+)\s*\}\s*$/.exec(text) ?? [];
  const input = key === undefined ? undefined : inputs.find((one) => one.key === key);
  return input === undefined ? text : `“${input.label}”`;
}

function limitFacts(limits: Limits): Facts {
  const parts = [
    ...(limits?.cpu == null ? [] : [`${Number(limits.cpu.toFixed(2))} CPU`]),
    ...(limits?.memory_bytes == null ? [] : [bytes(limits.memory_bytes)]),
  ];
  return parts.length === 0 ? [] : [['Limits', parts.join(', ')]];
}

const joined = (...words: string[]) => words.filter((word) => word !== '').join(', ');
const given = (name: string, values: readonly string[]): Facts =>
  values.length > 0 ? [[name, values.join('; ')]] : [];
