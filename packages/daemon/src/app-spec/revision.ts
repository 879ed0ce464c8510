/**
 * Revision of an app: the app's settings and variables after a change, with a number. Each deployment refers to a
 * revision, so that a rollback can restore the settings and variables.
 */
import type { AppSpec, RevisionReason } from '@davit/api';
import type { OpContext } from '../auth/context.ts';
import type { Reader, Tx } from '../db/store.ts';
import { changeApp } from '../db/tables/app.ts';
import { storedSpec } from '../db/tables/app-spec.ts';
import { appSpec } from '../db/tables/release.ts';
import { insertRevision, type RevisionRow, revisionOfApp } from '../db/tables/revision.ts';
import type { AppSpecDeps } from './deps.ts';
import { attachedVariables, type EffectiveVariable, leniently } from './effective-variables.ts';

type Stored = { store: Reader };

export interface Revision {
  spec: AppSpec;
  variables: EffectiveVariable[];
}

/**
 * Returns a stored revision with decrypted variables.
 * @throws Error if it does not exist, which is a bug
 * @throws SealBroken if the variables were changed outside Davit
 */
export function storedRevision(core: Stored & Pick<AppSpecDeps, 'sealer'>, appId: number, number: number): Revision {
  const row = revisionRow(core, appId, number);
  // The cast is safe. Only `recordRevision` writes the encrypted variables, and it always writes this type.
  const variables = JSON.parse(core.sealer.open(row.variables, revisionLocation(appId, number))) as EffectiveVariable[];
  return { spec: storedSpec(row.spec), variables };
}

/**
 * Returns the settings of a stored revision. Does not decrypt the variables, because they may be damaged.
 * @throws Error if the revision does not exist
 */
export function readRevisionSpec(core: Stored, appId: number, number: number): AppSpec {
  return storedSpec(revisionRow(core, appId, number).spec);
}

function revisionRow({ store }: Stored, appId: number, number: number): RevisionRow {
  const row = revisionOfApp(store, appId, number);
  if (row === undefined) throw new Error(`The revision ${number} of app ${appId} does not exist in the database.`);
  return row;
}

/**
 * Returns a revision from which an app can be started. It has the app's current scale and limits, because a rollback
 * must not change the capacity. It also has the current credentials of attachments.
 */
export function releaseOf(base: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, revision: number): Revision {
  const { spec, variables } = storedRevision(base, appId, revision);
  return { spec: withOwnOfApp(base, appId, spec), variables: withPresentSecrets(base, appId, variables) };
}

/**
 * Placeholder for a variable whose value cannot be decrypted. It is the null character, which no environment variable
 * can contain.
 */
const UNOPENED = '\0';

/**
 * Replaces the values of variables from attachments with the current values. Keeps the old value if the attachment no
 * longer exists or the value cannot be decrypted.
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

/**
 * Returns the settings of a revision with the app's current scale and limits. Does not decrypt the variables, because
 * they may be damaged.
 */
export function releaseSpecOf(base: Pick<AppSpecDeps, 'store'>, appId: number, revision: number): AppSpec {
  return withOwnOfApp(base, appId, readRevisionSpec(base, appId, revision));
}

function withOwnOfApp({ store }: Pick<AppSpecDeps, 'store'>, appId: number, then: AppSpec): AppSpec {
  const { scale, limits } = appSpec(store, appId) ?? then;
  return { ...then, scale, limits };
}

/**
 * Saves a revision of an app. Call this function directly only for the first revision. For later revisions, call
 * `revise`.
 */
export function recordRevision(
  core: Pick<AppSpecDeps, 'sealer' | 'now'>,
  ctx: OpContext,
  tx: Tx,
  revision: Revision & { appId: number; number: number; reason: RevisionReason },
): void {
  const { appId, number, spec, reason } = revision;
  const sealedVariables = core.sealer.seal(JSON.stringify(revision.variables), revisionLocation(appId, number));
  insertRevision(tx, { appId, number, spec, sealedVariables, changedBy: ctx.actor.username, reason, at: core.now() });
}

/** Saves the next revision of an app and makes it the current revision. Runs inside the caller's SQLite transaction. */
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

function revisionLocation(appId: number, number: number): string {
  return `revisions/${appId}/${number}`;
}
