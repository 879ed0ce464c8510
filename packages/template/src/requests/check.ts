/**
 * Checks the values of a template with the schemas of the API, so that the check refuses what no instance would install.
 * A reference counts as an empty text, because its value is not known yet.
 */
import {
  AppCreate,
  DatabaseCreate,
  ObjectStoreCreate,
  TcpPortCreate,
  VariablesPatch,
  VolumeCreate,
} from '@davit/api/template-requests.ts';
import type { Path, Problem } from '../diagnostic.ts';
import { moreProblem } from '../findings.ts';
import type { Manifest, ManifestApp } from '../manifest.ts';
import { substitute } from '../references.ts';
import { nameOf } from '../shape/words.ts';
import { LIMITS } from '../yaml/limits.ts';
import { appSettings, databaseSettings, storeSettings } from './settings.ts';

/** Valid names, because users can choose other names than the template suggests. */
const TARGET = { project: 'project', environment: 'environment', name: 'name' };
/** Valid image for an app that is built from source, which has no image yet. */
const BUILT = 'built';

/** Returns a problem for each value of a valid manifest that the API refuses. The paths are those of the template file. */
export function checkRequests({ databases, stores, apps, jobs = [] }: Manifest): Problem[] {
  const problems = [
    ...databases.flatMap((one, index) =>
      refused(DatabaseCreate, { ...TARGET, ...databaseSettings(one) }, ['databases', index]),
    ),
    ...stores.flatMap((one, index) =>
      refused(ObjectStoreCreate, { name: TARGET.name, ...storeSettings(one) }, ['stores', index]),
    ),
    ...apps.flatMap((app, index) => checkApp(app, ['apps', index])),
    ...jobs.flatMap(({ command }, index) =>
      refused(AppCreate.shape.release_command, texts(command), ['jobs', index, 'command']),
    ),
  ];
  const left = problems.length - LIMITS.problems;
  return left > 0 ? [...problems.slice(0, LIMITS.problems), moreProblem(left)] : problems;
}

function checkApp(app: ManifestApp, path: Path): Problem[] {
  const { source, files = [], env, env_when = [], volumes, tcp } = app;
  const { command, args, ...settings } = appSettings(app);
  const request = {
    ...{ ...TARGET, ...settings, command: texts(command), args: texts(args) },
    ...(source.type !== 'image' && { image: BUILT }),
    files: files.map((file) => ({ ...file, content: withoutReferences(file.content) })),
  };
  return [
    ...refused(AppCreate, request, path),
    ...refusedVariables(env, [...path, 'env']),
    ...env_when.flatMap((one, index) => refusedVariables(one.env, [...path, 'envWhen', index, 'env'])),
    ...volumes.flatMap((volume, index) => refused(VolumeCreate, { path: volume.path }, [...path, 'volumes', index])),
    ...tcp.flatMap(({ port }, index) => refused(TcpPortCreate, { container_port: port }, [...path, 'tcp', index])),
  ];
}

function refusedVariables(env: Readonly<Record<string, string>>, path: Path): Problem[] {
  const set = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, withoutReferences(text)]));
  return refused(VariablesPatch.shape.set, set, path, (name) => name.map(String));
}

function texts(list: readonly string[] | null): string[] | null {
  return list?.map(withoutReferences) ?? null;
}

function withoutReferences(text: string): string {
  return substitute(text, () => '');
}

/** The parts of a Zod schema that the check needs. */
interface Schema {
  safeParse(value: unknown): { error?: { issues: readonly Issue[] } | undefined };
}

interface Issue {
  path: readonly PropertyKey[];
  message: string;
  /** Problems of an invalid key, whose own message does not say what is wrong. */
  issues?: readonly { message: string }[];
}

function refused(schema: Schema, request: unknown, at: Path, pathIn = inTemplate): Problem[] {
  return (schema.safeParse(request).error?.issues ?? []).map(({ path, message, issues = [] }) => {
    const full = [...at, ...pathIn(path)];
    const why = issues[0]?.message ?? message;
    return { severity: 'error', code: 'instance.value', message: `${nameOf(full)} is not allowed: ${why}.`, path: full };
  });
}

/** Returns the path in a template for a path in an API request, because some keys have other names. */
function inTemplate(path: readonly PropertyKey[]): (string | number)[] {
  const [first, second] = path;
  if (first === 'health') return ['health'];
  if (first === 'limits' && second === 'memory_bytes') return ['limits', 'memory'];
  if (first === 'container_port') return ['port'];
  return path.map((step) => (typeof step === 'number' ? step : String(step)));
}
