/** Finds the part of a template that each service of a Compose file became. */
import { type ComposeService, itemsOf, mappingOf, textOf } from './compose.ts';
import type { Part } from './part.ts';

type Mapping = Record<string, unknown>;

interface Found {
  service: ComposeService;
  kind: Part['kind'];
  key: string;
  made: Mapping;
}

/** Returns the parts of a template by service. A service without a part is absent. */
export function partsOf(
  root: Mapping,
  services: readonly ComposeService[],
  template: Mapping,
  files: Part['files'] = {},
): Map<ComposeService, Part> {
  const found = foundParts(services, template);
  const hosts = new Map<string, string[]>();
  const aliases = new Set<string>();
  for (const { service, kind, key } of found) {
    const others = namesOf(service.values);
    for (const name of others) aliases.add(name);
    const linked = services.flatMap(({ values }) => linksTo(service.name, values));
    for (const name of linked) aliases.add(name);
    hosts.set(`${kind === 'database' ? 'db' : 'app'}.${key}`, [service.name, ...others, ...linked]);
  }
  for (const { name } of services) aliases.delete(name);
  const inputs = new Map(itemsOf(template.inputs).map((one) => [textOf(mappingOf(one).key), textual(mappingOf(one))]));
  const shared = {
    ...{ root, files, references: { inputs, hosts }, aliases: [...aliases] },
    keys: new Map(found.map(({ service, key }) => [service.name, key])),
    databases: new Set(found.filter(({ kind }) => kind === 'database').map(({ service }) => service.name)),
  };
  return new Map(found.map(({ service, kind, made }) => [service, { service, kind, made, ...shared }]));
}

function foundParts(services: readonly ComposeService[], template: Mapping): Found[] {
  const lists = { database: template.databases, app: template.apps, job: template.jobs };
  const left = new Map(
    Object.entries(lists).flatMap(([kind, list]) =>
      itemsOf(list).map((one) => [`${kind} ${textOf(mappingOf(one).key)}`, mappingOf(one)] as const),
    ),
  );
  return services.flatMap((service) => {
    // A key has the form `[a-zA-Z][a-zA-Z0-9_-]*`. Equal keys get a number.
    const clean = service.name
      .replaceAll(/[^a-zA-Z0-9_-]+/g, '-')
      .replaceAll(/^[^a-zA-Z]+|-+$/g, '')
      .slice(0, 60);
    for (const key of [service.name, clean, ...Array.from({ length: 9 }, (_, index) => `${clean}${index + 2}`)])
      for (const kind of ['database', 'app', 'job'] as const) {
        const made = left.get(`${kind} ${key}`);
        if (made === undefined || !isLike(service, made, kind)) continue;
        left.delete(`${kind} ${key}`);
        return [{ service, kind, key, made }];
      }
    return [];
  });
}

/** A database has an engine, and an app has the image of its service or was built. */
function isLike({ values }: ComposeService, made: Mapping, kind: Part['kind']): boolean {
  if (kind !== 'app') return true;
  const name = textOf(made.image);
  return (
    name === '' ||
    textOf(values.image).includes(name.split('/').at(-1)?.split('@')[0]?.split(':')[0] ?? '') ||
    /\$/.test(textOf(values.image))
  );
}

/** Returns the names of a service besides its own: container name, host name and network aliases. */
function namesOf(values: Mapping): string[] {
  const networks = Object.values(mappingOf(values.networks)).flatMap((one) => itemsOf(mappingOf(one).aliases));
  const names = [values.container_name, values.hostname, ...networks].map(textOf);
  return names.filter((name) => /^[A-Za-z0-9][\w-]*$/.test(name));
}

function linksTo(name: string, values: Mapping): string[] {
  const links = itemsOf(values.links).map((link) => textOf(link).split(':'));
  return links.flatMap(([service, alias = '']) => (service === name && alias !== '' ? [alias] : []));
}

/** Returns an input with its scalars as text, like the Compose file. */
function textual(input: Mapping): Mapping {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === 'object' ? value : String(value)]),
  );
}
