/**
 * Every change of an app's settings or variables is a numbered revision, which keeps both as they were: a deployment
 * names the one it runs, so that going back to it means the same settings and the same values.
 */
import type { AppSpec, RevisionReason } from '@davit/api';
import type { OpContext } from '../auth/context.ts';
import type { Tx } from '../db/store.ts';
import { changeApp } from '../db/tables/app.ts';
import { storedSpec } from '../db/tables/app-spec.ts';
import { appSpec } from '../db/tables/release.ts';
import { insertRevision, type RevisionRow, revisionOfApp } from '../db/tables/revision.ts';
import type { AppSpecDeps } from './deps.ts';
import { attachedVariables, type EffectiveVariable, leniently } from './effective-variables.ts';

export interface Revision {
  spec: AppSpec;
  variables: EffectiveVariable[];
}

/** @throws Error when there is no such revision: they live as long as their app; SealBroken when it was changed on disk */
export function storedRevision(core: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, number: number): Revision {
  const row = revisionRow(core, appId, number);
  // Written below, and by nobody else: the seal proves it.
  const variables = JSON.parse(core.sealer.open(row.variables, revisionPlace(appId, number))) as EffectiveVariable[];
  return { spec: storedSpec(row.spec), variables };
}

/** The settings of a revision alone, which can be read whatever became of its variables. @throws Error as above */
export function readRevisionSpec(core: Pick<AppSpecDeps, 'store'>, appId: number, number: number): AppSpec {
  return storedSpec(revisionRow(core, appId, number).spec);
}

function revisionRow({ store }: Pick<AppSpecDeps, 'store'>, appId: number, number: number): RevisionRow {
  const row = revisionOfApp(store, appId, number);
  if (row === undefined) throw new Error(`read revision ${number} of app ${appId}: there is none`);
  return row;
}

/**
 * What a release of a revision runs with: scale and limits are the app's and not the release's, so that going back to
 * earlier settings does not take capacity away. What is attached is reached with what it is reached with now: a password
 * of then may have been rotated since.
 */
export function releaseOf(base: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, revision: number): Revision {
  const { spec, variables } = storedRevision(base, appId, revision);
  return { spec: withOwnOfApp(base, appId, spec), variables: withPresentSecrets(base, appId, variables) };
}

/** In place of a value that does not open: no value is like it. */
const UNOPENED = '\0';

/** What is not attached any more, or does not open, stays as it was. */
function withPresentSecrets(
  base: Pick<AppSpecDeps, 'store' | 'sealer'>,
  appId: number,
  variables: EffectiveVariable[],
): EffectiveVariable[] {
  const attached = attachedVariables(base, base.store, [appId], leniently(base, UNOPENED)).get(appId) ?? [];
  const now = new Map(attached.map(({ key, value }) => [key, value]));
  return variables.map((variable) => {
    const value = variable.source === 'attachment' ? now.get(variable.key) : undefined;
    return value === undefined || value === UNOPENED ? variable : { ...variable, value };
  });
}

/** The settings of {@link releaseOf} alone, which can be read whatever became of the variables. */
export function releaseSpecOf(base: Pick<AppSpecDeps, 'store'>, appId: number, revision: number): AppSpec {
  return withOwnOfApp(base, appId, readRevisionSpec(base, appId, revision));
}

function withOwnOfApp({ store }: Pick<AppSpecDeps, 'store'>, appId: number, then: AppSpec): AppSpec {
  const { scale, limits } = appSpec(store, appId) ?? then;
  return { ...then, scale, limits };
}

/** Records a revision as it is to be kept. The first one of an app is recorded by itself, later ones by {@link revise}. */
export function recordRevision(
  core: Pick<AppSpecDeps, 'sealer' | 'now'>,
  ctx: OpContext,
  tx: Tx,
  revision: Revision & { appId: number; number: number; reason: RevisionReason },
): void {
  const { appId, number, spec, reason } = revision;
  const sealedVariables = core.sealer.seal(JSON.stringify(revision.variables), revisionPlace(appId, number));
  insertRevision(tx, { appId, number, spec, sealedVariables, changedBy: ctx.actor.username, reason, at: core.now() });
}

/** Moves an app to its next revision, in the transaction of the change that makes it. */
export function revise(
  core: Pick<AppSpecDeps, 'sealer' | 'now'>,
  ctx: OpContext,
  tx: Tx,
  app: { id: number; revision: number },
  next: Revision & { reason: RevisionReason },
): void {
  const number = app.revision + 1;
  recordRevision(core, ctx, tx, { ...next, appId: app.id, number });
  changeApp(tx, app.id, {
    spec: next.spec,
    revision: number,
    at: core.now(),
    reason: next.reason,
    actsAtOnce: next.reason === 'running',
  });
}

function revisionPlace(appId: number, number: number): string {
  return `revisions/${appId}/${number}`;
}
