/** Handles pushes to the registry. Davit deploys a pushed image if the app's settings do not specify another tag. */
import { DavitError, type ErrorCode, type Trigger, UNAVAILABLE_CODES } from '@davit/api';
import type { Logger } from '@davit/service';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { currentApp } from '../../authorization/lookup.ts';
import type { Reader, Tx } from '../../db/store.ts';
import type { AuditFacts } from '../../db/tables/audit-log.ts';
import { type DeploymentRow, openDeploymentsOfApp } from '../../db/tables/deployment.ts';
import {
  newestDeploymentOf,
  type PushOutcome,
  type PushRow,
  pushOf,
  recordPush as recordPushRow,
} from '../../db/tables/push.ts';
import { liveOf } from '../../db/tables/release.ts';
import { forgetRelease, recordRelease, releaseTag } from '../../db/tables/release-tag.ts';
import { followsLive } from '../deployments/decide.ts';
import type { WantedDeployment } from '../deployments/deploys.ts';
import { type Pusher, usernameOf, whyNotAuthorized } from '../registry/pusher.ts';
import { isPushedArtifact } from './artifact.ts';
import type { PushesDeps } from './deps.ts';

/** Pushed image tag, and the digest that the registry last reported for the tag. */
export interface Push {
  app: AppTarget;
  tag: string;
  digest: string;
  by: Pusher;
  /** Time of the push in milliseconds since the epoch, or 0 if it is unknown. */
  at: number;
}

/** User name in the audit log if Davit does not know which user pushed an image. */
const BY = 'davit';

/**
 * Saves a push and deploys its image once. If the image is not deployed, saves the reason. If Docker, the disk or the
 * quota prevents the deployment, Davit tries again later.
 * @throws RegistryUnavailable
 */
export async function takePush(core: PushesDeps, push: Push, log: Logger): Promise<void> {
  if (judge(core.store, push.app, push) === 'known') return recordPusher(core, push);
  if (await isPushedArtifact(core.registry, push.app.reference, push)) return recordArtifact(core, push);
  return takeImage(core, push, log);
}

/** Saves a push and deploys its image, like `takePush`. The tag must be a container image. */
export async function takeImage(core: PushesDeps, push: Push, log: Logger): Promise<void> {
  const verdict = judge(core.store, push.app, push);
  if (verdict === 'known') return recordPusher(core, push);
  const refusal = whyRefused(core, core.store, push);
  if (refusal !== null) return noteUnauthorized(core, push, refusal, log);
  if (verdict === 'covered') return note(core, push, 'deployed', null);
  if (verdict === 'pinned')
    return note(
      core,
      push,
      'recorded',
      `The app is pinned to the tag ${push.app.spec.tag}, so this push is not deployed.`,
    );
  try {
    const facts = auditFacts(core.store, push);
    await core.audit.during(facts, () => core.deploys.requestWith((tx) => wanted(core, tx, push)));
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    // The app was deleted after the push, so do not save the push.
    if (error.code === 'not_found') return;
    if (error.code === 'forbidden') return noteUnauthorized(core, push, error.message, log);
    // A newer deployment or a stop of the app may have ended the retries during this attempt.
    if (judge(core.store, push.app, push) === 'known') return;
    const { reference } = push.app;
    log.warn({ app: reference, tag: push.tag, reason: error.message }, 'a pushed image could not be deployed');
    note(core, push, WAITING.includes(error.code) ? 'waiting' : 'refused', error.message);
  }
}

/**
 * Error codes after which Davit retries the deployment of a pushed image later. An example is an error because Docker
 * was unavailable.
 */
const WAITING: readonly ErrorCode[] = [...UNAVAILABLE_CODES, 'quota_exceeded'];

/**
 * Adds the user to a push that Davit found in the registry before the push notification arrived. Only the notification
 * contains the user.
 */
function recordPusher({ store }: PushesDeps, { app, tag, digest, by: pusher }: Push): void {
  const by = usernameOf(pusher);
  const release = releaseTag(store, app.id, tag);
  if (by === null || release?.digest !== digest || release.pushed_by !== null) return;
  store.tx((tx) => recordRelease(tx, { appId: app.id, tag, digest, at: release.pushed_at, by }));
}

/**
 * Saves a push that is not deployed.
 * @param reason sentence that explains why the push is not deployed
 */
export function recordPush(core: PushesDeps, push: Push, reason: string, log: Logger): void {
  const refusal = whyRefused(core, core.store, push);
  if (refusal !== null) noteUnauthorized(core, push, refusal, log);
  else note(core, push, 'recorded', reason);
}

/** Reason for users why a signature or another artifact is not deployed. */
const NO_IMAGE = 'The tag does not contain a container image, so Davit stores it and does not deploy it.';

/** Saves the push of a tag that is not a container image. Such a tag is not a release and starts no deployment. */
export function recordArtifact({ store, now }: PushesDeps, { app, tag, digest, by }: Push): void {
  if (pushOf(store, app.id, tag)?.digest === digest && releaseTag(store, app.id, tag) === undefined) return;
  const result = { outcome: 'recorded', reason: NO_IMAGE } as const;
  store.tx((tx) => {
    // Delete the release of this tag, because an earlier push of the tag may have been an image.
    forgetRelease(tx, app.id, tag);
    recordPushRow(tx, { app_id: app.id, tag, digest, pushed_by: usernameOf(by), at: now(), ...result });
  });
}

/**
 * Saves the outcome of a push. Does nothing if the same outcome is already saved.
 * @param reason sentence that explains the outcome, or `null`
 */
function note(core: PushesDeps, push: Push, outcome: PushOutcome, reason: string | null): void {
  const known = pushOf(core.store, push.app.id, push.tag);
  const by = pushedBy(core.store, push);
  const isSame = known?.digest === push.digest && known.outcome === outcome && known.reason === reason;
  // A late notification can be the first that contains the user of a push.
  const isSameUser = by === null || by === known?.pushed_by;
  if (!isSame || !isSameUser) core.store.tx((tx) => record(core, tx, push, outcome, reason));
}

type Verdict = 'known' | 'covered' | 'pinned' | 'deploy';

function judge(db: Reader, app: AppTarget, push: Push): Verdict {
  const known = pushOf(db, app.id, push.tag);
  if (known?.digest === push.digest && known.outcome !== 'waiting' && !shouldHandleAgain(db, known, push))
    return 'known';
  if (app.spec.tag !== null) return 'pinned';
  return isCovered(newestRequested(db, app.id), push) ? 'covered' : 'deploy';
}

/**
 * Returns whether Davit must handle a saved push again. This is the case if the image was pushed again after a failure,
 * or if the user was unknown before.
 */
function shouldHandleAgain(db: Reader, known: PushRow, push: Push): boolean {
  if (known.outcome === 'unauthorized')
    return usernameOf(push.by) !== null && (known.pushed_by === null || push.at > known.at);
  if (known.outcome !== 'deployed') return push.at > known.at;
  const last = newestDeploymentOf(db, known.app_id, push);
  const hasFailed = last?.status === 'failed' || (last?.status === 'cancelled' && last.superseded_by === null);
  return hasFailed && push.at > (last.finished_at ?? 0);
}

/**
 * Returns the newest unfinished deployment of an app, or the live deployment. Ignores deployments that only scale,
 * restart or start the app.
 */
function newestRequested(db: Reader, appId: number): DeploymentRow | undefined {
  return openDeploymentsOfApp(db, appId).findLast((row) => !followsLive(row.trigger_kind)) ?? liveOf(db, appId);
}

function isCovered(newest: DeploymentRow | undefined, { tag, digest }: Push): boolean {
  return newest?.tag === tag && newest.digest === digest;
}

/**
 * Checks a push again inside the SQLite transaction, because the app may have changed since the first check. Returns
 * the deployment to save, if any.
 */
function wanted(core: PushesDeps, tx: Tx, push: Push): WantedDeployment[] {
  const app = currentApp(tx, push.app.id);
  if (app.spec.source !== 'registry' || judge(tx, app, push) !== 'deploy') return [];
  const { tag, digest } = push;
  const refusal = whyRefused(core, tx, push);
  if (refusal !== null) throw new DavitError('forbidden', refusal);
  // Read the user first, because a push with the outcome “deployed” is no longer a retry.
  const trigger: Trigger = { kind: 'push', by: pushedBy(tx, push) ?? BY, via: 'push' };
  record(core, tx, push, 'deployed', null);
  return [{ app, ask: { tag, digest, trigger } }];
}

/**
 * Returns the reason why a push is not authorized, or `null`. If the user of a retried push is unknown, the push is
 * authorized, because the first attempt checked the user.
 */
function whyRefused({ now }: PushesDeps, db: Reader, { app, tag, digest, by, at }: Push): string | null {
  if (by === null && waitingPush(db, { app, tag, digest }) !== undefined) return null;
  return whyNotAuthorized(db, app, by, at === 0 ? now() : at);
}

/** Returns the saved push if Davit could not deploy it yet and retries it. */
function waitingPush(db: Reader, { app, tag, digest }: Pick<Push, 'app' | 'tag' | 'digest'>): PushRow | undefined {
  const known = pushOf(db, app.id, tag);
  return known?.outcome === 'waiting' && known.digest === digest ? known : undefined;
}

/**
 * Returns the name of the user who pushed an image, or `null` if the user is unknown. A retry has no notification, so
 * the user of a retry is the user of the saved push.
 */
function pushedBy(db: Reader, push: Push): string | null {
  return usernameOf(push.by) ?? waitingPush(db, push)?.pushed_by ?? null;
}

function noteUnauthorized(core: PushesDeps, push: Push, reason: string, log: Logger): void {
  const { app, tag, by } = push;
  log.warn({ app: app.reference, tag, by: usernameOf(by), reason }, 'a push was not accepted');
  note(core, push, 'unauthorized', reason);
}

function record({ now }: PushesDeps, tx: Tx, push: Push, outcome: PushOutcome, reason: string | null): void {
  const { app, tag, digest } = push;
  const by = pushedBy(tx, push);
  const at = now();
  // The push time of a tag must never decrease. If the clock was set back, use the saved push time again.
  const since = Math.max(at, releaseTag(tx, app.id, tag)?.pushed_at ?? 0);
  recordRelease(tx, { appId: app.id, tag, digest, at: since, by });
  recordPushRow(tx, { app_id: app.id, tag, digest, pushed_by: by, at, outcome, reason });
}

function auditFacts(db: Reader, push: Push): AuditFacts {
  const { app } = push;
  return {
    actor: pushedBy(db, push) ?? BY,
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
