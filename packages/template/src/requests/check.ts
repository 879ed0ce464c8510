/**
 * Checks the values of a template with the schemas of the API. Otherwise, the installation could reject a template that
 * passed all checks. The value of a reference is unknown, so references are replaced with empty text.
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

/**
 * Valid names for the check of API requests. The names in the template are not used, because users can choose other
 * names.
 */
const TARGET = { project: 'project', environment: 'environment', name: 'name' };
/** Valid image name for an app that is built from source. Such an app has no image yet. */
const BUILT = 'built';

/**
 * Returns a problem for each value of a valid manifest that the API would refuse. Each problem has the path of the
 * value in the template file.
 */
export function checkRequests(manifest: Manifest): Problem[] {
  const problems: Problem[] = [];
  for (const problem of problemsIn(manifest)) {
    /*
     * The loop stops here, because each refused request takes time. A malicious file can contain a thousand such
     * requests.
     */
    if (problems.length === LIMITS.problems) return [...problems, moreProblem(null)];
    problems.push(problem);
  }
  return problems;
}

function* problemsIn({ databases, stores, apps, jobs = [] }: Manifest): Generator<Problem> {
  for (const [index, one] of databases.entries())
    yield* refused(DatabaseCreate, { ...TARGET, ...databaseSettings(one) }, ['databases', index]);
  for (const [index, one] of stores.entries())
    yield* refused(ObjectStoreCreate, { name: TARGET.name, ...storeSettings(one) }, ['stores', index]);
  for (const [index, app] of apps.entries()) yield* problemsOf(app, ['apps', index]);
  for (const [index, { command }] of jobs.entries())
    yield* refused(AppCreate.shape.release_command, texts(command), ['jobs', index, 'command']);
}

function* problemsOf(app: ManifestApp, path: Path): Generator<Problem> {
  const { source, files = [], env, env_when: envWhen = [], volumes, tcp } = app;
  const { command, args, ...settings } = appSettings(app);
  const request = {
    ...{ ...TARGET, ...settings, command: texts(command), args: texts(args) },
    ...(source.type !== 'image' && { image: BUILT }),
    files: files.map((file) => ({ ...file, content: withoutReferences(file.content) })),
  };
  yield* refused(AppCreate, request, path);
  yield* refusedVariables(env, [...path, 'env']);
  for (const [index, one] of envWhen.entries()) yield* refusedVariables(one.env, [...path, 'envWhen', index, 'env']);
  for (const [index, volume] of volumes.entries())
    yield* refused(VolumeCreate, { path: volume.path }, [...path, 'volumes', index]);
  for (const [index, { port }] of tcp.entries())
    yield* refused(TcpPortCreate, { container_port: port }, [...path, 'tcp', index]);
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

/** Methods of a Zod schema that this check uses. */
interface Schema {
  safeParse(value: unknown): { error?: { issues: readonly Issue[] } | undefined };
}

interface Issue {
  path: readonly PropertyKey[];
  message: string;
  /** Problems of an invalid object key. They contain the reason, which is missing in `message`. */
  issues?: readonly { message: string }[];
}

function refused(schema: Schema, request: unknown, at: Path, pathIn = inTemplate): Problem[] {
  return (schema.safeParse(request).error?.issues ?? []).map(({ path, message: own, issues = [] }) => {
    const full = [...at, ...pathIn(path)];
    const message = `${nameOf(full)} is not allowed: ${issues[0]?.message ?? own}.`;
    return { severity: 'error', code: 'instance.value', message, path: full };
  });
}

/** Converts a path in an API request to the path in the template, because some keys have different names. */
function inTemplate(path: readonly PropertyKey[]): (string | number)[] {
  const [first, second] = path;
  if (first === 'health') return ['health'];
  if (first === 'limits' && second === 'memory_bytes') return ['limits', 'memory'];
  if (first === 'container_port') return ['port'];
  return path.map((step) => (typeof step === 'number' ? step : String(step)));
}
