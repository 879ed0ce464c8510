/** What an install would be refused for: everything at once, before anything is made. */
import { type InstallProblem, Slug } from '@davit/api';
import type { Manifest } from '@davit/template';
import { own, type Wanted } from './wanted.ts';
import type { World } from './world.ts';

/** The fields of the request under which its parts are called. */
export function placeProblems(wanted: Wanted, world: World): InstallProblem[] {
  return [
    ...slugProblem('project', wanted.project),
    ...slugProblem('environment', wanted.environment),
    ...databaseProblems(wanted, world),
    ...storeProblems(wanted, world),
    ...appProblems(wanted, world),
    ...hostProblems(wanted, world),
    ...portProblems(wanted, world),
  ];
}

/** What was to be adopted has a place in the template, and one alone. */
export function adoptProblems({ databases }: Manifest, adopt: Readonly<Record<string, string>>): InstallProblem[] {
  const known = new Set(databases.map(({ key }) => key));
  const seen = new Set<string>();
  return Object.entries(adopt).flatMap(([key, reference]) => {
    const field = `adopt.databases.${key}`;
    if (!known.has(key)) return [{ field, message: 'The template has no such database.' }];
    if (seen.has(reference)) return [{ field, message: `${reference} cannot be two databases of the template.` }];
    seen.add(reference);
    return [];
  });
}

function slugProblem(field: string, name: string): InstallProblem[] {
  const parsed = Slug.safeParse(name);
  const [issue] = parsed.error?.issues ?? [];
  return issue === undefined ? [] : [{ field, message: `«${name}» ${issue.message}: choose another name.` }];
}

interface Named {
  key: string;
  name: string;
}

/** Names of one kind: each can be one, no two are the same, and none is taken. */
function namesOf(
  kind: 'databases' | 'stores' | 'apps',
  things: readonly Named[],
  isTaken: (name: string) => boolean,
  where: string,
): InstallProblem[] {
  const seen = new Set<string>();
  return things.flatMap(({ key, name }) => {
    const field = `names.${kind}.${key}`;
    const problems = slugProblem(field, name);
    if (problems.length > 0) return problems;
    if (seen.has(name)) return [{ field, message: `Two ${kind} of the template would be called ${name}.` }];
    seen.add(name);
    return isTaken(name) ? [{ field, message: `${where} has one called ${name} already: choose another name.` }] : [];
  });
}

function databaseProblems({ databases, project, environment }: Wanted, world: World): InstallProblem[] {
  const made = databases.filter(({ adopt }) => adopt === null);
  const isTaken = (name: string) => world.hasEnvironment && world.hasDatabase(name);
  const adopted = databases.flatMap(({ key, adopt, engine, version }) => {
    const problem = adopt === null ? null : world.adoptProblem(adopt, { engine, version });
    return problem === null ? [] : [{ field: `adopt.databases.${key}`, message: problem }];
  });
  return [...namesOf('databases', made, isTaken, `${project}/${environment}`), ...adopted];
}

function storeProblems({ stores }: Wanted, world: World): InstallProblem[] {
  return namesOf('stores', stores, world.takenStore, 'This instance');
}

function appProblems({ apps, project, environment }: Wanted, world: World): InstallProblem[] {
  const isTaken = (name: string) => world.hasEnvironment && world.hasApp(name);
  return namesOf('apps', apps, isTaken, `${project}/${environment}`);
}

/** Each host once in the whole request, and none that another app has. */
function hostProblems({ apps }: Wanted, world: World): InstallProblem[] {
  const owners: Record<string, string> = {};
  return apps.flatMap(({ key, domains }) =>
    domains.flatMap(({ host }) => {
      const other = own(owners, host);
      owners[host] = key;
      if (other === key) return [];
      if (other !== undefined)
        return [{ field: `inputs`, message: `${host} would be the host of ${other} and of ${key}.` }];
      const problem = world.hostProblem(host);
      return problem === null ? [] : [{ field: 'inputs', message: problem }];
    }),
  );
}

function portProblems({ apps }: Wanted, world: World): InstallProblem[] {
  const seen = new Set<number>();
  return apps.flatMap(({ key, tcp }) =>
    tcp.flatMap(({ host }) => {
      if (host === null) return [];
      const problem = seen.has(host) ? `Port ${host} is asked for twice.` : portProblem(host, world);
      seen.add(host);
      return problem === null ? [] : [{ field: 'inputs', message: `${key}: ${problem}` }];
    }),
  );
}

function portProblem(port: number, world: World): string | null {
  if (!Number.isInteger(port) || port < 1_024 || port > 65_535) return 'A port of the machine is from 1024 to 65535.';
  return world.portProblem(port);
}
