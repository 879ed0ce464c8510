/**
 * Settings and variables of an app at one revision. Every change of them creates a numbered revision. A deployment
 * names its revision, so a rollback uses the same settings and the same values.
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

/**
 * Returns a stored revision with decrypted variables.
 * @throws Error if there is no such revision, which is a bug because revisions live as long as their app
 * @throws SealBroken if the revision was changed on disk
 */
export function storedRevision(core: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, number: number): Revision {
  const row = revisionRow(core, appId, number);
  // The encryption proves that only `recordRevision` wrote the value.
  const variables = JSON.parse(core.sealer.open(row.variables, revisionPlace(appId, number))) as EffectiveVariable[];
  return { spec: storedSpec(row.spec), variables };
}

/**
 * Returns the settings of a revision, even if its variables cannot be decrypted.
 * @throws Error if there is no such revision
 */
export function readRevisionSpec(core: Pick<AppSpecDeps, 'store'>, appId: number, number: number): AppSpec {
  return storedSpec(revisionRow(core, appId, number).spec);
}

function revisionRow({ store }: Pick<AppSpecDeps, 'store'>, appId: number, number: number): RevisionRow {
  const row = revisionOfApp(store, appId, number);
  if (row === undefined) throw new Error(`read revision ${number} of app ${appId}: it does not exist`);
  return row;
}

/**
 * Returns the settings and variables with which a release of a revision runs. Scale and limits come from the present
 * app, so that a rollback does not reduce the capacity. Variables of attachments have their present values, because a
 * password may have changed since the revision.
 */
export function releaseOf(base: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, revision: number): Revision {
  const { spec, variables } = storedRevision(base, appId, revision);
  return { spec: withOwnOfApp(base, appId, spec), variables: withPresentSecrets(base, appId, variables) };
}

/** Placeholder for a value that cannot be decrypted. No real value equals it. */
const UNOPENED = '\0';

/**
 * Returns the variables with present values of attachments. A variable stays as it was if its attachment no longer
 * exists or cannot be decrypted.
 */
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

/** Returns the settings of {@link releaseOf}, even if the variables cannot be decrypted. */
export function releaseSpecOf(base: Pick<AppSpecDeps, 'store'>, appId: number, revision: number): AppSpec {
  return withOwnOfApp(base, appId, readRevisionSpec(base, appId, revision));
}

function withOwnOfApp({ store }: Pick<AppSpecDeps, 'store'>, appId: number, then: AppSpec): AppSpec {
  const { scale, limits } = appSpec(store, appId) ?? then;
  return { ...then, scale, limits };
}

/** Stores a revision. Use this function for the first revision of an app, and {@link revise} for later revisions. */
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

/** Moves an app to its next revision, in the transaction of the change. */
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
