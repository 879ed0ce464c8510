/** Finds data of earlier apps and databases that the first installation of a Compose file would not use. */
import type { Client, InstallPlan, TemplateInstall } from '@davit/api';
import { CliError } from '../errors/exit.ts';

export interface KeptData {
  /**
   * Map from the key of a database in the template to the reference of an existing database. This database was kept
   * when a template was uninstalled.
   */
  databases: Record<string, string>;
  /**
   * Volumes of deleted apps that have the same name and mount path as a planned app. The format is `/path of
   * project/environment/app`.
   */
  volumes: string[];
}

/** Returns earlier data that belongs to the apps and databases of a plan. Only data that the user can see is found. */
export async function keptDataOf(
  client: Client,
  { manifest, resources }: Pick<InstallPlan, 'manifest' | 'resources'>,
  installs: readonly TemplateInstall[],
): Promise<KeptData> {
  const kept = new Set(installs.flatMap(keptDatabases));
  const databases = resources.flatMap(({ kind, key, reference }) =>
    kind === 'database' && key !== null && kept.has(reference) ? [[key, reference] as const] : [],
  );
  const mounts = new Set(
    manifest.apps.flatMap(({ key, volumes }) => {
      const app = resources.find((one) => one.kind === 'app' && one.key === key);
      return app === undefined ? [] : volumes.map(({ path }) => mountOf(path, app.reference));
    }),
  );
  const found = mounts.size === 0 ? [] : await client.listVolumes();
  const volumes = found.filter(({ state }) => state === 'kept').map(({ path, app }) => mountOf(path, app));
  return { databases: Object.fromEntries(databases), volumes: volumes.filter((mount) => mounts.has(mount)) };
}

function keptDatabases({ status, resources }: TemplateInstall): string[] {
  if (status !== 'uninstalled') return [];
  return resources.flatMap(({ kind, state, reference }) =>
    kind === 'database' && state === 'kept' ? [reference] : [],
  );
}

function mountOf(path: string, app: string): string {
  return `${path} of ${app}`;
}

/**
 * Returns the field of an installation request that reuses data of an earlier installation.
 * @throws CliError with exit `conflict` if such data exists and the user did not set `--adopt-data`
 */
export function adoptionOf(
  { databases, volumes }: KeptData,
  adoptsData: boolean,
): { adopt?: { databases: Record<string, string>; volumes: boolean } } {
  const kept = [
    ...Object.values(databases).map((reference) => `the database ${reference}`),
    ...volumes.map((mount) => `the volume ${mount}`),
  ];
  if (kept.length === 0) return {};
  if (adoptsData) return { adopt: { databases, volumes: volumes.length > 0 } };
  throw new CliError(
    'conflict',
    `Data of an earlier installation still exists: ${kept.join(', ')}. Nothing was changed. To use this data, add --adopt-data. To start without it, delete it with \`davit database delete\` or \`davit volume delete\`.`,
  );
}
