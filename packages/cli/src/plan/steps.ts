import { type Client, DavitError, type DeployPlan, type ErrorCode } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';
import type { DavitFile } from '../davit-yaml/schema.ts';
import type { Observed } from './observe.ts';
import { settingsOf } from './settings.ts';

type PlannedSteps = DeployPlan['steps'];

/** It would refuse the deployment now, and may take it when it is asked for. */
const REFUSED: readonly ErrorCode[] = ['conflict', 'quota_exceeded'];

/** They are of the release that is there, and what is built comes from a tag that nobody has pushed yet. */
const OF_THE_IMAGE = new Set(['resolve', 'pull']);

/**
 * What the deployment would do, in the instance's own words; none where it cannot say yet: before the app's first
 * release, or when it would refuse the deployment now.
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
