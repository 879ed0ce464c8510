/** Checks of the whole instance, and repairs that cannot delete data. */
import { CHECK_NAMES, type CheckName, type InstanceCheck, type InstanceRepair } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects } from '../../authorization/lookup.ts';
import type { InstanceDeps } from './deps.ts';
import type { Finding } from './finding.ts';
import { liveFindings } from './live-checks.ts';

/** Sentence about each part without a problem. */
const FINE: Record<CheckName, string> = {
  daemon: 'The daemon responds.',
  state_database: 'The database of Davit has no damage.',
  recovery_key: 'The recovery key can restore a lost master key.',
  engine: 'Docker responds.',
  proxy: 'The proxy uses its current configuration.',
  registry: 'The registry responds.',
  ports: 'The ports of the proxy and the registry accept connections.',
  firewall: 'The firewall rules are set.',
  disk: 'The disk has enough free space.',
  clock: 'The clock of the server runs correctly.',
  certificates: 'No certificate has expired, and certificates can be requested.',
  domains: 'The DNS records of all domains point to this server.',
  backups: 'All backup schedules ran, and their backups are verified.',
  platform_images: 'The images of the proxy, registry, DNS resolver and databases are up to date.',
  orphans: 'Docker has no orphaned volumes or images.',
  apps: 'The images and logs of all apps are complete.',
  settings: 'The settings have no conflicts.',
};

/**
 * Checks all parts of the instance. Each part without a problem has one result with the state `ok`.
 * @throws DavitError forbidden for a user who is limited to some projects
 */
export async function checkInstance(
  core: InstanceDeps,
  { actor, signal }: Pick<OpContext, 'actor' | 'signal'>,
): Promise<InstanceCheck[]> {
  demandAllProjects(actor, 'check the instance');
  const live = await liveFindings(core, signal);
  // Most other checks need the database.
  if (core.store.isDamaged) return live.map((finding) => present(core, finding));
  const known = core.findings(null).filter(({ check, text }) => !isFound(live, check, text));
  return CHECK_NAMES.flatMap((name) => resultsOf(core, name, [...live, ...known]));
}

/**
 * Runs the repairs of all parts with a problem, and checks the instance again.
 * @throws DavitError forbidden for a user who is limited to some projects
 */
export async function repairInstance(core: InstanceDeps, ctx: OpContext): Promise<InstanceRepair> {
  const actions: InstanceRepair['actions'] = [];
  const before = await checkInstance(core, ctx);
  core.store.trail.demandRights();
  for (const name of new Set(before.flatMap((check) => (check.repairable ? [check.name] : [])))) {
    const message = await core.repairs[name]?.();
    if (message !== undefined) actions.push({ name, message });
  }
  return { actions, checks: await checkInstance(core, ctx) };
}

/** Returns whether a live check already reports the same problem. */
function isFound(live: readonly Finding[], check: CheckName, text: string): boolean {
  return live.some((finding) => finding.check === check && finding.text === text);
}

function resultsOf(core: InstanceDeps, name: CheckName, findings: readonly Finding[]): InstanceCheck[] {
  const own = findings.filter(({ check }) => check === name);
  if (own.length === 0) return [{ name, state: 'ok', message: FINE[name], repairable: false }];
  return own.map((finding) => present(core, finding));
}

function present(core: InstanceDeps, { check: name, state, text }: Finding): InstanceCheck {
  // Without Docker, repairs have no effect.
  const repairable = name in core.repairs && core.engineSight().available;
  return { name, state, message: text, repairable };
}
