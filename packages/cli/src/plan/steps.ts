import { type Client, DavitError, type DeployPlan, type ErrorCode } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';
import type { DavitFile } from '../davit-yaml/schema.ts';
import type { Observed } from './observe.ts';
import { settingsOf } from './settings.ts';

type PlannedSteps = DeployPlan['steps'];

/** Errors that would refuse a deployment now but possibly not later. */
const REFUSED: readonly ErrorCode[] = ['conflict', 'quota_exceeded'];

/** Steps that belong to the current image. A new build has another tag, which is not pushed yet. */
const OF_THE_IMAGE = new Set(['resolve', 'pull']);

/**
 * Returns the steps of the deployment in the words of the instance. The result is empty if the instance cannot list
 * them: before the first release of the app, or if it would refuse a deployment now.
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
