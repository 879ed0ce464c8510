import { type Client, DavitError, type DeployPlan, type ErrorCode } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';
import type { DavitFile } from '../davit-yaml/schema.ts';
import type { Observed } from './observe.ts';
import { settingsOf } from './settings.ts';

type PlannedSteps = DeployPlan['steps'];

/** API error codes that `davit plan` ignores, because their cause may be gone when the real deployment starts. */
const REFUSED: readonly ErrorCode[] = ['conflict', 'quota_exceeded'];

/**
 * Deployment steps that depend on the current image. If the CLI will build a new image, `davit plan` does not show
 * these steps, because the new image is not in the registry yet.
 */
const OF_THE_IMAGE = new Set(['resolve', 'pull']);

/**
 * Returns the steps of the next deployment from an API request with `dry_run=true`. Returns an empty list if the app
 * has no release yet, or if no deployment is possible now.
 */
export async function plannedSteps(
  client: Client,
  params: AppParams,
  file: DavitFile,
  { app, live }: Observed,
): Promise<PlannedSteps> {
  if (app === null) return [];
  const { tag } = settingsOf(file, null);
  const isNamed = file.image !== undefined && tag !== null;
  if (!isNamed && live === null) return [];
  try {
    const query = { dry_run: 'true' } as const;
    const answer = await client.deployApp({ params, query, body: isNamed ? { tag } : {} });
    const { steps } = answer as DeployPlan;
    return steps.filter(({ name }) => file.image !== undefined || !OF_THE_IMAGE.has(name));
  } catch (error) {
    if (error instanceof DavitError && REFUSED.includes(error.code)) return [];
    throw error;
  }
}
