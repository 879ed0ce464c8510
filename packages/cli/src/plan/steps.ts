import { type AppSpec, type Client, DavitError, type DeployPlan, type ErrorCode } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';
import type { DavitFile } from '../davit-yaml/schema.ts';
import type { Observed } from './observe.ts';
import { imageTag, settingsOf } from './settings.ts';

type PlannedSteps = DeployPlan['steps'];

/** API error codes that `davit plan` ignores. Their cause may no longer exist when the actual deployment starts. */
const REFUSED: readonly ErrorCode[] = ['conflict', 'not_found', 'quota_exceeded'];

/**
 * Deployment steps that depend on the current image. If the CLI will build a new image, `davit plan` does not show
 * these steps. Reason: the registry does not have the new image yet.
 */
const OF_THE_IMAGE = new Set(['resolve', 'pull']);

/**
 * Returns the steps of the deployment that `davit up` would start. The steps come from an API request with
 * `dry_run=true`. Returns an empty list if no deployment is possible now, or if the CLI will build the app's first
 * image.
 * @param settings changed settings of the plan, which affect the steps. `null` if no setting changes
 */
export async function plannedSteps(
  client: Client,
  params: AppParams,
  { file, settings, observed }: { file: DavitFile; settings: AppSpec | null; observed: Observed },
): Promise<PlannedSteps> {
  const { app, live } = observed;
  const isBuilt = file.image === undefined;
  if (app === null || (isBuilt && live === null)) return [];
  const tag = isBuilt ? null : imageTag(settingsOf(file, app), live);
  try {
    const query = { dry_run: 'true' } as const;
    const answer =
      settings === null
        ? await client.deployApp({ params, query, body: tag === null ? {} : { tag } })
        : await client.putApp({ params, query, body: { ...settings, tag } });
    const { steps } = answer as DeployPlan;
    return steps.filter(({ name }) => !isBuilt || !OF_THE_IMAGE.has(name));
  } catch (error) {
    if (error instanceof DavitError && REFUSED.includes(error.code)) return [];
    throw error;
  }
}
