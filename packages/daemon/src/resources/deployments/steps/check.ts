import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckProblemCode } from '@davit/api';
import type { Exit } from '../../../adapters/engine/instance.ts';
import type { Probe, ProbeResult } from '../../../adapters/engine/probe.ts';
import { memoryKill } from '../../../app-spec/memory-kill.ts';
import { limitsOf } from '../../../db/instance-limits.ts';
import { type InstanceRow, instancesOfDeployment } from '../../../db/tables/instance.ts';
import { unavailableDatabase } from '../attached-databases.ts';
import { LINES_KEPT, recordLines, redact } from '../record-lines.ts';
import { DeployFailed, type Step, type Work } from '../work.ts';
import { containerOf } from './instances.ts';

/**
 * Delay between readiness checks, as a fraction of the time since the first check. The first checks are frequent, so
 * that Davit detects a fast start. Later checks are rare, so that they do not slow down the app.
 */
const PAUSE_SHARE = 0.1;

/**
 * Step that sends readiness probes to the new replicas. The step ends when all replicas are ready, when a replica
 * exits, or when the grace period has ended. A replica receives no requests before it is ready.
 */
export const check: Step = {
  name: 'check',
  phase: 'checking',
  async run(work, signal) {
    const stop = new AbortController();
    const until = AbortSignal.any([signal, stop.signal]);
    const rows = instancesOfDeployment(work.base.store, work.deploymentId);
    try {
      await Promise.all(rows.map((row) => becomesReady(work, row, until)));
    } finally {
      stop.abort();
    }
  },
};

/**
 * Returns the readiness probe of a container: HTTP, the image's health check, or TCP. If no probe is possible, returns
 * `null`. A container without a probe is ready if it does not exit for some time.
 */
function probeFor(work: Pick<Work, 'spec' | 'row'>): Probe | null {
  const { port, healthcheck } = work.row();
  const { path, timeout_ms: timeoutMs } = work.spec.health;
  if (path !== null && port !== null) return { kind: 'http', port, path, timeoutMs };
  if (healthcheck) return { kind: 'command', timeoutMs };
  return port === null ? null : { kind: 'tcp', port, timeoutMs };
}

async function becomesReady(work: Work, row: InstanceRow, signal: AbortSignal): Promise<void> {
  const id = containerOf(row);
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const exit = work.base.engine.waitExit(id, until).then((e): Outcome => ({ exit: e }));
  // If the app is ready before its container exits, `finally` aborts `waitExit`. Ignore the error of the aborted call.
  exit.catch(() => undefined);
  try {
    const probe = probeFor(work);
    const ready = probe === null ? settles(work, until) : answers(work, id, probe, until);
    const outcome = await Promise.race([exit, ready]);
    if (outcome !== 'ready') await fail(work, row, outcome);
  } finally {
    over.abort();
  }
}

type Outcome = 'ready' | { exit: Exit } | { notReady: string; code: CheckProblemCode };

async function settles(work: Work, signal: AbortSignal): Promise<Outcome> {
  await sleep(work.limits.workerSettleMs, undefined, { signal });
  return 'ready';
}

async function answers(work: Work, id: string, probe: Probe, signal: AbortSignal): Promise<Outcome> {
  const { interval_ms, grace_s, successes } = work.spec.health;
  const began = performance.now();
  let inARow = 0;
  for (;;) {
    const probedAt = performance.now();
    const result: ProbeResult = await work.base.engine.probe(id, probe, signal);
    signal.throwIfAborted();
    inARow = result.ok ? inARow + 1 : 0;
    if (inARow >= successes) return 'ready';
    const waited = probedAt - began;
    const pause = Math.min(Math.max(waited * PAUSE_SHARE, work.limits.firstProbeMs), interval_ms);
    if (waited + pause > grace_s * 1_000) {
      /*
       * Remove the values of variables from the output of a health check. The output can contain secrets, for example a
       * connection string.
       */
      const reason = result.ok ? `only ${inARow} successful probes in a row` : redact(result.reason, work.variables);
      const code = !result.ok && result.isPortClosed ? 'port_closed' : 'health_check_failed';
      return { notReady: `${describe(probe)}: ${reason}`, code };
    }
    await sleep(Math.max(probedAt + pause - performance.now(), 0), undefined, { signal });
  }
}

function describe(probe: Probe): string {
  if (probe.kind === 'http') return `GET ${probe.path} on port ${probe.port}`;
  return probe.kind === 'tcp' ? `connection to port ${probe.port}` : 'HEALTHCHECK';
}

async function fail(work: Work, row: InstanceRow, outcome: Exclude<Outcome, 'ready'>): Promise<never> {
  const lines = await lastLines(work, containerOf(row));
  const replica = `Replica ${row.ordinal}`;
  if ('exit' in outcome && outcome.exit.oomKilled) {
    const message = memoryKill(`${replica} was killed`, limitsOf(row).memory_bytes);
    throw new DeployFailed(message, lines, { code: 'memory_limit_exceeded' });
  }
  const cause = unavailableDatabase(work.base.store, work.app.id);
  const because = cause === null ? '' : ` ${cause}`;
  if ('exit' in outcome)
    throw new DeployFailed(`${replica} exited with code ${outcome.exit.exitCode}.${because}`, lines);
  const { notReady, code } = outcome;
  const message = `${replica} did not become ready within ${work.spec.health.grace_s} s (${notReady}).${because}`;
  throw new DeployFailed(message, lines, { code });
}

async function lastLines(work: Work, id: string): Promise<string[]> {
  const lines = await work.base.engine.lastLines(id, LINES_KEPT);
  return recordLines(lines.map(({ line }) => line).join('\n'), work.variables);
}
