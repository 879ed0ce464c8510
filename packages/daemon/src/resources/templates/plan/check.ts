/** Finds all problems with names, host names and ports. This check runs before an installation creates anything. */
import { type InstallProblem, Slug } from '@davit/api';
import type { Manifest } from '@davit/template';
import type { Wrong } from './answers.ts';
import type { InstanceView } from './instance-view.ts';
import { type Names, own, PART_WORDS, type Wanted } from './wanted.ts';

/**
 * Checks all names, host names and ports of an installation plan, and returns the errors. Each error names a field of
 * the API request.
 */
export function targetProblems(wanted: Wanted, instance: InstanceView): InstallProblem[] {
  return [
    ...slugProblem('project', wanted.project),
    ...slugProblem('environment', wanted.environment),
    ...databaseProblems(wanted, instance),
    ...storeProblems(wanted, instance),
    ...appProblems(wanted, instance),
    ...hostProblems(wanted, instance),
    ...portProblems(wanted, instance),
  ];
}

/**
 * Returns a problem for each database key that is not in the template. Also returns a problem for each existing
 * database that the user chose twice.
 */
export function adoptProblems({ databases }: Manifest, adopt: Readonly<Record<string, string>>): InstallProblem[] {
  const known = new Set(databases.map(({ key }) => key));
  const seen = new Set<string>();
  return Object.entries(adopt).flatMap(([key, reference]): InstallProblem[] => {
    const field = `adopt.databases.${key}`;
    if (!known.has(key)) return [{ field, code: 'unknown', message: 'The template does not have this database.' }];
    if (seen.has(reference))
      return [
        {
          field,
          code: 'duplicate',
          message: `${reference} is chosen for two databases of the template. Choose another database for one of them.`,
        },
      ];
    seen.add(reference);
    return [];
  });
}

function slugProblem(field: string, name: string): InstallProblem[] {
  const parsed = Slug.safeParse(name);
  const [issue] = parsed.error?.issues ?? [];
  if (issue === undefined) return [];
  return [{ field, code: 'invalid_format', message: `“${name}” ${issue.message}. Choose another name.` }];
}

interface Named {
  key: string;
  name: string;
}

/**
 * Checks the names of the apps, databases or object stores of a template. Each name must be valid, must not be in use,
 * and must occur only once in the request.
 */
function namesOf(
  kind: keyof Names,
  things: readonly Named[],
  isTaken: (name: string) => boolean,
  where: string,
): InstallProblem[] {
  const seen = new Set<string>();
  return things.flatMap(({ key, name }): InstallProblem[] => {
    const field = `names.${PART_WORDS[kind].field}.${key}`;
    const problems = slugProblem(field, name);
    if (problems.length > 0) return problems;
    if (seen.has(name))
      return [
        {
          field,
          code: 'duplicate',
          message: `Two ${PART_WORDS[kind].plural} of the template have the name ${name}. Choose another name for one of them.`,
        },
      ];
    seen.add(name);
    const message = `${where} already has the ${PART_WORDS[kind].singular} ${name}. Choose another name.`;
    return isTaken(name) ? [{ field, code: 'taken', message }] : [];
  });
}

function databaseProblems({ databases, project, environment }: Wanted, instance: InstanceView): InstallProblem[] {
  const made = databases.filter(({ adopt }) => adopt === null);
  const isTaken = (name: string) => instance.hasEnvironment && instance.hasDatabase(name);
  const adopted = databases.flatMap(({ key, adopt, engine, version }) => {
    const problem = adopt === null ? null : instance.adoptProblem(adopt, { engine, version });
    return problem === null ? [] : [{ field: `adopt.databases.${key}`, ...problem }];
  });
  return [...namesOf('databases', made, isTaken, `${project}/${environment}`), ...adopted];
}

function storeProblems({ stores }: Wanted, instance: InstanceView): InstallProblem[] {
  return namesOf('stores', stores, instance.takenStore, 'This instance');
}

function appProblems({ apps, project, environment }: Wanted, instance: InstanceView): InstallProblem[] {
  const isTaken = (name: string) => instance.hasEnvironment && instance.hasApp(name);
  return namesOf('apps', apps, isTaken, `${project}/${environment}`);
}

/**
 * Checks the host names of all apps. Each host name must occur only once in the request and must not be in use on this
 * instance.
 */
function hostProblems({ apps }: Wanted, instance: InstanceView): InstallProblem[] {
  const owners: Record<string, string> = {};
  return apps.flatMap(({ key, domains }) =>
    domains.flatMap(({ host }): InstallProblem[] => {
      const other = own(owners, host);
      owners[host] = key;
      if (other === key) return [];
      if (other !== undefined)
        return [
          {
            field: 'inputs',
            code: 'duplicate',
            message: `The host ${host} is used for both ${other} and ${key}. Choose another host for one of them.`,
          },
        ];
      const problem = instance.hostProblem(host);
      return problem === null ? [] : [{ field: 'inputs', ...problem }];
    }),
  );
}

function portProblems({ apps }: Wanted, instance: InstanceView): InstallProblem[] {
  const seen = new Set<number>();
  return apps.flatMap(({ key, tcp }) =>
    tcp.flatMap(({ host }) => {
      if (host === null) return [];
      const problem = seen.has(host) ? twice(host) : portProblem(host, instance);
      seen.add(host);
      return problem === null ? [] : [{ field: 'inputs', code: problem.code, message: `${key}: ${problem.message}` }];
    }),
  );
}

function twice(port: number): Wrong {
  return { code: 'duplicate', message: `Port ${port} is used twice. Choose another port for one of them.` };
}

function portProblem(port: number, instance: InstanceView): Wrong | null {
  if (!Number.isInteger(port) || port < 1_024 || port > 65_535)
    return {
      code: 'invalid_value',
      message: 'A port that the app publishes on the server must be from 1024 to 65535.',
    };
  return instance.portProblem(port);
}
