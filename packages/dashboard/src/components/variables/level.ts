/** Loads the environment variables of a project, an environment or an app, and the variables that it inherits. */
import type { OperationId, Variables } from '@davit/api';
import { type QueryClient, useSuspenseQueries } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { type AppPath, type EnvironmentPath, type ProjectPath, paths } from '../../paths.ts';
import { attachedEntries, entriesOf } from './changes.ts';
import type { Source, SourceEntries } from './rows.ts';

export type Level =
  | { source: 'project'; path: ProjectPath }
  | { source: 'environment'; path: EnvironmentPath }
  | { source: 'app'; path: AppPath };

/**
 * API operations on environment variables. Projects and environments have the same operations as apps. This type
 * therefore contains only the operations on apps.
 */
interface LevelOperations {
  read: 'getAppEnv';
  merge: 'setAppEnv';
  replace: 'replaceAppEnv';
  /** API operations whose cached responses must be fetched again after a change of environment variables. */
  changes: readonly OperationId[];
}

const BELOW: readonly OperationId[] = ['getAppEnv', 'getApp', 'listApps', 'listRevisions'];

export const OPERATIONS = {
  project: {
    read: 'getProjectEnv',
    merge: 'setProjectEnv',
    replace: 'replaceProjectEnv',
    changes: ['getProjectEnv', 'getEnvironmentEnv', ...BELOW],
  },
  environment: {
    read: 'getEnvironmentEnv',
    merge: 'setEnvironmentEnv',
    replace: 'replaceEnvironmentEnv',
    changes: ['getEnvironmentEnv', ...BELOW],
  },
  app: { read: 'getAppEnv', merge: 'setAppEnv', replace: 'replaceAppEnv', changes: BELOW },
} as unknown as Record<Source, LevelOperations>;

/**
 * Returns the levels from which a project, an environment or an app inherits environment variables. The nearest level
 * comes first. An app inherits from its environment, then from its project.
 */
export function widerOf(level: Level): Level[] {
  if (level.source === 'project') return [];
  const { project } = level.path;
  const ofProject: Level = { source: 'project', path: { project } };
  if (level.source === 'environment') return [ofProject];
  const { environment } = level.path;
  return [{ source: 'environment', path: { project, environment } }, ofProject];
}

/**
 * Returns the path parameters of a project, an environment or an app. The type cast is needed, because projects and
 * environments use the types of the app operations too.
 */
function paramsOf({ path }: Level): AppPath {
  return path as AppPath;
}

const levelQuery = (level: Level) => query(OPERATIONS[level.source].read, { params: paramsOf(level) });

/**
 * Fetches the own and inherited environment variables of a project, an environment or an app. The route loader of the
 * page calls this function.
 */
export function loadVariables(queries: QueryClient, level: Level): Promise<unknown> {
  return Promise.all([level, ...widerOf(level)].map((one) => queries.ensureQueryData(levelQuery(one))));
}

export interface LevelAnswers {
  answer: Variables;
  own: SourceEntries;
  /**
   * Inherited environment variables. The list has one entry for each level from which variables are inherited. The
   * nearest level comes first.
   */
  wider: SourceEntries[];
}

export function useVariables(level: Level): LevelAnswers {
  const levels = [level, ...widerOf(level)];
  const answers = useSuspenseQueries(queriesOf(level));
  const all = levels.flatMap(({ source }, i) => {
    const answer = answers[i]?.data;
    return answer ? [{ source, answer, entries: entriesOf(answer) }] : [];
  });
  const [own, ...levelsAbove] = all;
  if (!own) throw new Error('The variables are not loaded. Reload the page.');
  const attached = attachedEntries(own.answer);
  const wider: SourceEntries[] = attached.size > 0 ? [{ source: 'attachment', entries: attached }] : [];
  return { answer: own.answer, own, wider: [...wider, ...levelsAbove] };
}

/**
 * Returns the queries for own and inherited environment variables. Do not add the option `combine`, because it removes
 * the `ETag`. A save needs the `ETag`.
 */
export function queriesOf(level: Level) {
  return { queries: [level, ...widerOf(level)].map(levelQuery) };
}

/** Returns the URL of the page on which users edit the variables of a project, an environment or an app. */
export function variablesPathOf(level: Level, source: Source): string {
  const { path } = level;
  if (source === 'project') return `${paths.projectSettings(path)}`;
  if (source === 'environment') return paths.environmentSettings(path as EnvironmentPath);
  return paths.appEnvironment(path as AppPath);
}
