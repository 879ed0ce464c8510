import type { Logger } from '@davit/service';
import { EngineRefused } from '../adapters/engine/errors.ts';
import type { HostAccess } from '../adapters/engine/host-access.ts';
import { publishedPorts } from '../db/tables/published-port.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Reconciler that sets the server's firewall rules for containers. If the last run could not set the rules, it reports
 * the reason.
 */
export interface FirewallWatch {
  task: Task;
  /** Returns the reason why the firewall rules are not set, or `null` if they are set. */
  problem(): string | null;
  /**
   * Makes the next run set the firewall rules even if they have not changed. This is necessary because a restart of
   * Docker or the server removes the rules.
   */
  distrust(): void;
}

/**
 * Interval in milliseconds at which Davit sets unchanged firewall rules again, because another program may have deleted
 * the rules.
 */
const SET_AGAIN_MS = 60_000;

const RETRY_MS = 5_000;

/**
 * Sets the firewall rules for containers. It does this when the rules change, after a restart of Docker, and at a fixed
 * interval.
 */
export function keepFirewall(
  base: Pick<ReconcilersDeps, 'engine' | 'store' | 'settings' | 'facts' | 'running'>,
  log: Logger,
): FirewallWatch {
  let problem: string | null = 'The firewall rules for containers are not set yet.';
  let set: { rules: string; at: number } | null = null;
  return {
    problem: () => problem,
    distrust() {
      set = null;
    },
    task: {
      name: 'firewall',
      everyMs: 10_000,
      async run() {
        const access = hostAccess(base);
        const rules = JSON.stringify(access);
        if (set?.rules === rules && base.running() - set.at < SET_AGAIN_MS) return undefined;
        try {
          await base.engine.limitHostAccess(access);
        } catch (error) {
          /*
           * If Docker is unavailable, the old firewall rules stay active. Another warning reports that Docker is
           * unavailable.
           */
          if (error instanceof EngineRefused || set === null) problem = PROBLEM;
          log.warn({ error }, 'the firewall rules for containers could not be set; Davit tries again');
          return RETRY_MS;
        }
        set = { rules, at: base.running() };
        problem = null;
        return undefined;
      },
    },
  };
}

const PROBLEM =
  'The firewall rules for containers could not be set, so containers may be able to connect to other services of this server. Find the reason in the log of the instance.';

function hostAccess({ store, settings, facts }: Pick<ReconcilersDeps, 'store' | 'settings' | 'facts'>): HostAccess {
  const { http, https } = facts.ports;
  return { tcpPorts: [http, https, ...publishedPorts(store)], exceptions: settings().host_access };
}
