/** Text output of the uninstallation. */
import type { EngineObject } from '../adapters/engine/removal.ts';
import type { UninstallPlan, UninstallResult } from './uninstall.ts';

const LABELS: Record<EngineObject['kind'], [one: string, many: string]> = {
  container: ['container', 'containers'],
  firewall: ['firewall table', 'firewall tables'],
  network: ['network', 'networks'],
  volume: ['volume with its data', 'volumes with their data'],
  image: ['image name', 'image names'],
};

/** Returns one line for each object that will be removed or kept. */
export function planLines(plan: UninstallPlan): string[] {
  return [
    ...plan.objects.map(({ kind, name }) => `remove  ${kind.padEnd(9)} ${name}`),
    ...plan.files.map((path) => `remove  ${'file'.padEnd(9)} ${path}`),
    ...plan.keptVolumes.map((name) => `keep    ${'volume'.padEnd(9)} ${name}`),
    ...(plan.files.length === 0 ? [`keep    ${'folder'.padEnd(9)} ${plan.dataDir}`] : []),
  ];
}

/** Returns a summary of the plan, for the question to the operator. */
export function planSummary(plan: UninstallPlan): string[] {
  const counted = (Object.keys(LABELS) as EngineObject['kind'][]).flatMap((kind) => {
    const count = plan.objects.filter((object) => object.kind === kind).length;
    return count === 0 ? [] : [`${count} ${LABELS[kind][count === 1 ? 0 : 1]}`];
  });
  const isDataKept = plan.files.length === 0;
  return [
    `The command will remove the instance ${plan.instance}: ${counted.join(', ') || 'no Docker objects'}.`,
    plan.daemon === null ? 'The daemon is stopped.' : `The daemon (process ${plan.daemon}) will be stopped.`,
    isDataKept
      ? `The data directory ${plan.dataDir} and the volumes (${plan.keptVolumes.length}) stay.`
      : `The data directory ${plan.dataDir} will be deleted, with the database, the master key, the backups and the pushed images.`,
  ];
}

/** Returns lines that say what stays on the server, and how to remove it. */
export function resultLines(plan: UninstallPlan, { kept, keptPaths, sharedTags }: UninstallResult): string[] {
  const isDataKept = plan.files.length === 0;
  const isComplete = kept.length + keptPaths.length === 0;
  return [
    isComplete
      ? `The instance ${plan.instance} is removed.`
      : `Some objects of the instance ${plan.instance} could not be removed.`,
    ...kept.map(({ kind, name, reason }) => `Kept: ${kind} ${name}. ${reason}`),
    ...keptPaths.map(({ path, reason }) => `Kept: ${path}. ${reason}`),
    ...(isDataKept
      ? [
          ...plan.keptVolumes.map((name) => `Kept: volume ${name} with its data.`),
          `Kept: the data directory ${plan.dataDir} with the database, the master key, the backups and the pushed images.`,
          'To delete the data too, run the command again with --delete-data. To use the data again, start Davit with this data directory.',
        ]
      : []),
    ...(sharedTags === null || sharedTags.length === 0
      ? []
      : [
          `Kept: images that all instances share. This Docker Engine has no other instance, so you can remove them: docker image rm ${sharedTags.join(' ')}`,
        ]),
    ...(plan.service === null
      ? []
      : [`The service ${plan.service} started the daemon. Disable it: systemctl disable ${plan.service}`]),
  ];
}
