/**
 * API functions for variables of projects, environments and apps. If a change affects the variables of an app, it
 * creates a new revision of the app.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AppPlan, Deployment, Variables } from '@davit/api';
import { type AppTarget, appTarget } from '../../app-spec/app-target.ts';
import {
  attachedVariables,
  type EffectiveVariable,
  effectiveVariables,
  leniently,
  openVariable,
  overlay,
  unopened,
  variableLocation,
} from '../../app-spec/effective-variables.ts';
import { revise } from '../../app-spec/revision.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp, demandPresent, type EnvironmentTarget, type ProjectTarget } from '../../authorization/lookup.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { type AppRow, appById, appsOfEnvironment, appsOfProject } from '../../db/tables/app.ts';
import { deleteVariable, putVariable, type VariableLevel, variablesOf } from '../../db/tables/variables.ts';
import type { WantedDeployment } from '../deployments/deploys.ts';
import { deploymentRecord, triggerOf } from '../deployments/record.ts';
import type { VariablesDeps } from './deps.ts';
import { demandRoom, type Level, type LevelChange, shownTo, UNREADABLE_VALUE } from './level.ts';

/**
 * Project, environment or app whose variables are read or changed. Apps also get the variables of their environment and
 * project.
 */
export interface VariableOwner {
  level: VariableLevel;
  id: number;
  /**
   * Levels whose variables are combined, from the project down to this level. For example, an environment has two
   * levels: its project and the environment.
   */
  levels: readonly { level: VariableLevel; id: number }[];
  apps: (db: Reader) => AppRow[];
  /** @throws DavitError not_found if the project, environment or app was deleted meanwhile */
  demandPresent: (db: Reader) => void;
}

export function ofProject(project: ProjectTarget): VariableOwner {
  const { id } = project;
  return {
    level: 'project',
    id,
    levels: [{ level: 'project', id }],
    apps: (db) => appsOfProject(db, id),
    demandPresent: (db) => demandPresent(db, project),
  };
}

export function ofEnvironment(environment: EnvironmentTarget): VariableOwner {
  const { id, project } = environment;
  return {
    level: 'environment',
    id,
    levels: [
      { level: 'project', id: project.id },
      { level: 'environment', id },
    ],
    apps: (db) => appsOfEnvironment(db, id),
    demandPresent: (db) => demandPresent(db, environment),
  };
}

export function ofApp({ id, environment, project }: AppTarget): VariableOwner {
  return {
    level: 'app',
    id,
    levels: [
      { level: 'project', id: project.id },
      { level: 'environment', id: environment.id },
      { level: 'app', id },
    ],
    apps: (db) => [appById(db, id)].filter((row) => row !== undefined),
    demandPresent: (db) => void currentApp(db, id),
  };
}

/**
 * Returns the own variables of a project, environment or app, and its effective variables. Effective variables include
 * inherited variables. Only users who may read secrets get secret values.
 */
export function readVariables(core: VariablesDeps, ctx: OpContext, owner: VariableOwner): Variables {
  const shown = shownTo(ctx);
  const levels = owner.levels.map(({ level, id }) => [level, openLevel(core, core.store, level, id)] as const);
  const own = levels.at(-1)?.[1] ?? [];
  const attachment = owner.level === 'app' ? (attachedVariables(core, core.store, [owner.id]).get(owner.id) ?? []) : [];
  return {
    vars: Object.fromEntries(own.map((variable) => [variable.key, shown(variable)])),
    secret: own.filter(({ secret }) => secret).map(({ key }) => key),
    // The field `effective` also contains inherited variables, and variables of attached databases and object stores.
    effective: overlay({ ...Object.fromEntries(levels), attachment }).map((variable) => ({
      ...variable,
      value: shown(variable),
    })),
  };
}

/**
 * Changes the variables of a project, environment or app.
 * @throws DavitError invalid_input; conflict if an unchanged variable cannot be decrypted
 */
export function changeVariables(
  core: VariablesDeps,
  ctx: OpContext,
  owner: VariableOwner,
  change: LevelChange,
): Variables {
  core.store.tx((tx) => replaceLevel(core, ctx, tx, owner, change));
  return readVariables(core, ctx, owner);
}

/**
 * Changes variables and requests the necessary deployments, in one SQLite transaction.
 * @throws DavitError invalid_input; conflict; the errors of a deployment
 */
export async function deployVariables(
  core: VariablesDeps,
  ctx: OpContext,
  owner: VariableOwner,
  change: LevelChange,
): Promise<Deployment[]> {
  const wanted = concerning(core, ctx, owner, change);
  const ids = await core.deploys.requestWith(wanted.change);
  return Promise.all(ids.map((id, i) => deploymentRecord(core, ctx, wanted.references[i] ?? '', id)));
}

/**
 * Returns the deployment plan of each app that {@link deployVariables} would deploy. Does not change anything.
 * @throws the errors of {@link deployVariables}
 */
export async function planVariables(
  core: VariablesDeps,
  ctx: OpContext,
  owner: VariableOwner,
  change: LevelChange,
): Promise<AppPlan[]> {
  const wanted = concerning(core, ctx, owner, change);
  const plans = await core.deploys.planWith(wanted.change);
  return plans.map((plan, i) => ({ app: wanted.references[i] ?? '', plan }));
}

/**
 * Prepares a change of variables. The returned function `change` saves the variables in a SQLite transaction and
 * returns the necessary deployments.
 */
function concerning(core: VariablesDeps, ctx: OpContext, owner: VariableOwner, change: LevelChange) {
  // References (`project/environment/app`) of the apps to deploy. The function `change` fills this array.
  const references: string[] = [];
  return {
    references,
    change: (tx: Tx): WantedDeployment[] => {
      const changed = replaceLevel(core, ctx, tx, owner, change);
      // A change of an app's own variables always deploys the app, even if the app is stopped.
      const concerned = owner.level === 'app' ? owner.apps(tx).map((row) => row.id) : changed;
      const apps = concerned.map((id) => currentApp(tx, id));
      // If the change is in a project or an environment, deploy only the running apps whose variables change.
      const wanted = owner.level === 'app' ? apps : apps.filter((app) => app.liveDeployment !== null && !app.stopped);
      references.splice(0, references.length, ...wanted.map((app) => app.reference));
      return wanted.map((app) => ({ app, ask: { ofChange: true, trigger: triggerOf(ctx, 'api') } }));
    },
  };
}

/**
 * Changes the variables of a project, environment or app. Creates a revision of each app whose variables change.
 * @returns ids of the apps with a new revision
 */
function replaceLevel(
  core: VariablesDeps,
  ctx: OpContext,
  tx: Tx,
  owner: VariableOwner,
  change: LevelChange,
): number[] {
  owner.demandPresent(tx);
  const before = levelAsFound(core, tx, owner);
  const after = change(before);
  if (isDeepStrictEqual(before, after)) return [];
  demandRoom(after);
  const apps = owner.apps(tx).map(appTarget);
  const effectiveBefore = effectiveVariables(core, tx, apps, leniently(core, UNREADABLE_VALUE));
  writeLevel(core, tx, owner, before, after);
  const effectiveAfter = effectiveVariables(core, tx, apps);
  const changed = apps.filter(({ id }) => !sameForApp(effectiveBefore.get(id) ?? [], effectiveAfter.get(id) ?? []));
  for (const app of changed) {
    revise(core, ctx, tx, app, { spec: app.spec, variables: effectiveAfter.get(app.id) ?? [], reason: 'variables' });
  }
  return changed.map(({ id }) => id);
}

/**
 * Returns the variables of a project, environment or app. Variables that cannot be decrypted are included, so that
 * users can set or remove them.
 */
export function levelAsFound(
  core: VariablesDeps,
  db: Reader,
  { level, id }: Pick<VariableOwner, 'level' | 'id'>,
): Level {
  const found = variablesOf(db, level, id).map(leniently(core, UNREADABLE_VALUE).variable);
  return new Map(found.map(({ key, value, secret }) => [key, { value, secret }]));
}

/** Saves the differences between the old and the new variables of a project, environment or app. */
export function writeLevel(
  core: VariablesDeps,
  tx: Tx,
  { level, id }: Pick<VariableOwner, 'level' | 'id'>,
  before: Level,
  after: Level,
): void {
  for (const key of before.keys()) if (!after.has(key)) deleteVariable(tx, level, id, key);
  for (const [key, variable] of after) {
    if (isDeepStrictEqual(before.get(key), variable)) continue;
    if (variable.value === UNREADABLE_VALUE) throw unopened({ key, level });
    const value = core.sealer.seal(variable.value, variableLocation(level, id, key));
    putVariable(tx, { level, owner_id: id, key, value, secret: variable.secret ? 1 : 0 });
  }
}

/**
 * Returns whether two lists contain the same variables for an app. Ignores the level of a variable (project,
 * environment or app).
 */
export function sameForApp(a: EffectiveVariable[], b: EffectiveVariable[]): boolean {
  const bare = (variables: EffectiveVariable[]) => variables.map(({ key, value, secret }) => [key, value, secret]);
  return isDeepStrictEqual(bare(a), bare(b));
}

/**
 * Returns the decrypted variables of a project, environment or app.
 * @throws DavitError conflict if a variable cannot be decrypted
 */
export function openLevel(core: VariablesDeps, db: Reader, level: VariableLevel, id: number): EffectiveVariable[] {
  return variablesOf(db, level, id).map((row) => openVariable(core, row));
}
