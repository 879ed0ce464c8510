/** Checks that send requests to Docker, the kernel or DNS servers. The other checks use results of reconcilers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { timestamp } from '@davit/api';
import { isPortFree } from '@davit/service';
import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { listeningProcess } from '../../config/ports.ts';
import { checkDatabase } from '../../db/check.ts';
import { DAMAGED } from '../../db/damage.ts';
import { newestAuditTime } from '../../db/tables/audit.ts';
import { findStrayHosts } from '../certificates/probe.ts';
import type { InstanceDeps } from './deps.ts';
import type { Finding } from './finding.ts';
import { recoveryKeyFindings } from './recovery-key.ts';

/** Maximum difference in milliseconds between the clock and the newest record. Larger differences are reported. */
const AHEAD_MS = 60_000;
/** Folder that exists if systemd synchronizes the clock. The file in it exists after the first synchronization. */
const TIMESYNC = '/run/systemd/timesync';
const MOST_NAMED = 10;

export async function liveFindings(core: InstanceDeps, signal: AbortSignal): Promise<Finding[]> {
  const found = await Promise.all([
    databaseFindings(core, signal),
    recoveryKeyFindings(core),
    engineFindings(core, signal),
    core.engine.capabilities.simulated ? [] : portFindings(core),
    clockFindings(core),
    domainFindings(core, signal),
  ]);
  return found.flat();
}

/** Reads the whole database. If it is damaged, Davit refuses changes from now on. */
async function databaseFindings({ store, facts }: InstanceDeps, signal: AbortSignal): Promise<Finding[]> {
  const found = await checkDatabase(join(facts.dataDir, 'davit.db'), signal);
  if (found.length > 0) store.noteDamage();
  return store.isDamaged ? [{ check: 'state_database', state: 'problem', text: DAMAGED }] : [];
}

async function engineFindings({ engine }: InstanceDeps, signal: AbortSignal): Promise<Finding[]> {
  try {
    await engine.info(signal);
    return [];
  } catch (error) {
    if (!(error instanceof EngineUnavailable) && !(error instanceof EngineRefused)) throw error;
    return [{ check: 'engine', state: 'problem', text: error.message }];
  }
}

async function portFindings({ facts }: InstanceDeps): Promise<Finding[]> {
  const { http, https, registry } = facts.ports;
  const ports = [
    { port: http, host: '0.0.0.0', of: 'the proxy’s HTTP port' },
    { port: https, host: '0.0.0.0', of: 'the proxy’s HTTPS port' },
    { port: registry, host: '127.0.0.1', of: 'the registry’s port' },
  ];
  const found = await Promise.all(
    ports.map(async ({ port, host, of }): Promise<Finding[]> => {
      // A user without permission for low ports cannot test the port, so the listening process also counts.
      if (listeningProcess(port) !== null || !(await isPortFree(host, port))) return [];
      const text = `No program listens on port ${port} (${of}). Davit starts the container again. If this fails, find the reason in the log of the instance.`;
      return [{ check: 'ports', state: 'problem', text }];
    }),
  );
  return found.flat();
}

function clockFindings({ store, now }: InstanceDeps): Finding[] {
  const newest = newestAuditTime(store);
  const ahead = newest !== undefined && newest > now() + AHEAD_MS;
  const set = `The clock of the server is behind the time of the newest audit entry (${timestamp(newest ?? 0)}). Correct the clock, for example with a time server.`;
  const synchronize =
    'The clock of the server is not synchronized with a time server. Check the service systemd-timesyncd.';
  const isUnsynchronized = existsSync(TIMESYNC) && !existsSync(join(TIMESYNC, 'synchronized'));
  return [
    ...(ahead ? [{ check: 'clock', state: 'problem', text: set } as const] : []),
    ...(isUnsynchronized ? [{ check: 'clock', state: 'warning', text: synchronize } as const] : []),
  ];
}

async function domainFindings(core: InstanceDeps, signal: AbortSignal): Promise<Finding[]> {
  if (core.store.isDamaged) return [];
  const stray = await findStrayHosts(core, signal);
  const missing = stray.filter(({ address }) => address === null);
  const elsewhere = stray.filter(({ address }) => address !== null);
  return [
    ...warning(missing, (names) => `These hosts have no DNS record: ${names}. Add records that point to this server.`),
    ...warning(
      elsewhere,
      (names) =>
        `The DNS records of these hosts point to another server: ${names}. Change them, unless a reverse proxy forwards the requests to this server.`,
    ),
  ];
}

function warning(hosts: readonly { host: string }[], sentence: (names: string) => string): Finding[] {
  if (hosts.length === 0) return [];
  const more = hosts.length > MOST_NAMED ? ` and ${hosts.length - MOST_NAMED} more` : '';
  const names = hosts.slice(0, MOST_NAMED).map(({ host }) => host);
  return [{ check: 'domains', state: 'warning', text: sentence(`${names.join(', ')}${more}`) }];
}
