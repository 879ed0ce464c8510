/** Loads the variables of the level that a page shows, and of the wider levels. */
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
 * Operations of a level. The types are those of the app's operations, because the operations differ only in their
 * paths.
 */
interface LevelOperations {
  read: 'getAppEnv';
  merge: 'setAppEnv';
  replace: 'replaceAppEnv';
  /** Operations whose answers are stale after a change. */
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

/** Returns the wider levels, nearest first. */
export function widerOf(level: Level): Level[] {
  if (level.source === 'project') return [];
  const { project } = level.path;
  const ofProject: Level = { source: 'project', path: { project } };
  if (level.source === 'environment') return [ofProject];
  const { environment } = level.path;
  return [{ source: 'environment', path: { project, environment } }, ofProject];
}

/** Returns the parameters of a level's operations, which are its own path and not the path of the page. */
function paramsOf({ path }: Level): AppPath {
  return path as AppPath;
}

const asked = (level: Level) => query(OPERATIONS[level.source].read, { params: paramsOf(level) });

/** Loads the variables of all levels in the loader of a page. */
export function loadVariables(queries: QueryClient, level: Level): Promise<unknown> {
  return Promise.all([level, ...widerOf(level)].map((one) => queries.ensureQueryData(asked(one))));
}

export interface LevelAnswers {
  answer: Variables;
  own: SourceEntries;
  /** Variables of the wider levels, nearest first. */
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
 * Returns the queries of the level and its wider levels. The queries do not use `combine`, which copies answers that
 * change. A copy has no headers, so it has no entity tag to save with.
 */
export function queriesOf(level: Level) {
  return { queries: [level, ...widerOf(level)].map(asked) };
}

/** Returns the page on which the variables of a level are edited. */
export function placeOf(level: Level, source: Source): string {
  const { path } = level;
  if (source === 'project') return `${paths.projectSettings(path)}`;
  if (source === 'environment') return paths.environmentSettings(path as EnvironmentPath);
  return paths.appEnvironment(path as AppPath);
}
