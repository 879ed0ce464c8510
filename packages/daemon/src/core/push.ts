/** What follows from a push: the tag of an app that is not pinned is deployed, as the very image that was pushed. */
import { DavitError, type Trigger } from '@davit/api';
import type { Logger } from '@davit/service';
import { followsLive } from '../deploy/decide.ts';
import type { Wanted } from '../deploy/deploys.ts';
import type { AppTarget } from '../release/app-target.ts';
import type { AuditFacts } from '../store/audit-log.ts';
import { type DeploymentRow, openDeploymentsOfApp } from '../store/deployment.ts';
import { newestDeploymentOf, type PushOutcome, type PushRow, pushOf, recordPush } from '../store/push.ts';
import { liveOf } from '../store/release.ts';
import { recordRelease, releaseTag } from '../store/release-tag.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { Core } from './core.ts';
import { currentApp } from './lookup.ts';

/** A tag with what it names, as the registry has just said. */
export interface Push {
  app: AppTarget;
  tag: string;
  digest: string;
  /** The account; null where nobody told. */
  by: string | null;
  /** When it was pushed, in milliseconds since the epoch; 0 where nobody told. */
  at: number;
}

/** Who asks for what nobody asked for. */
const BY = 'davit';

/**
 * Records a push and deploys it, once: what is on its way, live, or was deployed from this tag already is no news. What
 * cannot be deployed now is on record with the reason; for lack of room, or of an engine, it is tried again.
 */
export async function takePush(core: Core, push: Push, log: Logger): Promise<void> {
  const verdict = judge(core.store, push.app, push);
  if (verdict === 'known') return tellWho(core, push);
  if (verdict === 'covered') return note(core, push, 'deployed', null);
  if (verdict === 'pinned') return note(core, push, 'recorded', `The app stays at its tag ${push.app.spec.tag}.`);
  try {
    await core.audit.during(auditFacts(push), () => core.deploys.requestWith((tx) => wanted(core, tx, push)));
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    // Deleted in between: there is nothing to be recorded about.
    if (error.code === 'not_found') return;
    const { reference } = push.app;
    log.warn({ app: reference, tag: push.tag, reason: error.message }, 'a push could not be deployed');
    note(core, push, error.code === 'unavailable' ? 'waiting' : 'refused', error.message);
  }
}

/** What was found by looking was found without whose it is. */
function tellWho({ store }: Core, { app, tag, digest, by }: Push): void {
  const release = releaseTag(store, app.id, tag);
  if (by === null || release?.digest !== digest || release.pushed_by !== null) return;
  store.tx((tx) => recordRelease(tx, { appId: app.id, tag, digest, at: release.pushed_at, by }));
}

/** Records a push that nothing follows from. @param reason a sentence; null for nothing to say */
export function note(core: Core, push: Push, outcome: PushOutcome, reason: string | null): void {
  const known = pushOf(core.store, push.app.id, push.tag);
  const isSame = known?.digest === push.digest && known.outcome === outcome && known.reason === reason;
  if (!isSame) core.store.tx((tx) => record(core, tx, push, outcome, reason));
}

type Verdict = 'known' | 'covered' | 'pinned' | 'deploy';

function judge(db: Reader, app: AppTarget, push: Push): Verdict {
  const known = pushOf(db, app.id, push.tag);
  if (known?.digest === push.digest && known.outcome !== 'waiting' && !isAskedAgain(db, known, push)) return 'known';
  if (app.spec.tag !== null) return 'pinned';
  return isCovered(newestAsked(db, app.id), push) ? 'covered' : 'deploy';
}

/** Whether the same image was pushed once more after what came of it the first time had failed. */
function isAskedAgain(db: Reader, known: PushRow, push: Push): boolean {
  if (known.outcome !== 'deployed') return push.at > known.at;
  const last = newestDeploymentOf(db, known.app_id, push);
  const hasFailed = last?.status === 'failed' || (last?.status === 'cancelled' && last.superseded_by === null);
  return hasFailed && push.at > (last.finished_at ?? 0);
}

/** The release that the app has, or is about to have. */
function newestAsked(db: Reader, appId: number): DeploymentRow | undefined {
  return openDeploymentsOfApp(db, appId).findLast((row) => !followsLive(row.trigger_kind)) ?? liveOf(db, appId);
}

function isCovered(newest: DeploymentRow | undefined, { tag, digest }: Push): boolean {
  return newest?.tag === tag && newest.digest === digest;
}

/** Judged again: what was on record before the engine was asked may have changed meanwhile. */
function wanted(core: Core, tx: Tx, push: Push): Wanted[] {
  const app = currentApp(tx, push.app.id);
  if (app.spec.source !== 'registry' || judge(tx, app, push) !== 'deploy') return [];
  const { tag, digest, by } = push;
  record(core, tx, push, 'deployed', null);
  const trigger: Trigger = { kind: 'push', by: by ?? BY, via: 'push' };
  return [{ app, ask: { tag, digest, trigger } }];
}

function record({ now }: Core, tx: Tx, push: Push, outcome: PushOutcome, reason: string | null): void {
  const { app, tag, digest, by } = push;
  const at = now();
  // The registry was asked a moment ago: whatever the clock says, nothing that is known is newer.
  const since = Math.max(at, releaseTag(tx, app.id, tag)?.pushed_at ?? 0);
  recordRelease(tx, { appId: app.id, tag, digest, at: since, by });
  recordPush(tx, { app_id: app.id, tag, digest, pushed_by: by, at, outcome, reason });
}

function auditFacts({ app, by }: Push): AuditFacts {
  return {
    actor: by ?? BY,
    key_id: null,
    key_name: null,
    via: 'push',
    ip: 'local',
    operation: 'deployApp',
    target: app.reference,
    project_id: app.project.id,
    status: 202,
    request_id: null,
  };
}
