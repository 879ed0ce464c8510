/**
 * Reads the current state of the app in a davit.yaml from the instance. Also checks whether the project and the
 * environment exist.
 */
import { type App, type Client, DavitError, type Deployment, type Variables } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';

export interface Observed {
  hasProject: boolean;
  hasEnvironment: boolean;
  app: App | null;
  /**
   * Variables of the app. If the app does not exist yet, these are the variables of the environment or project. `null`
   * if the project does not exist.
   */
  variables: Variables | null;
  /** Deployment whose release receives the app's requests. `null` if there is no such deployment. */
  live: Deployment | null;
}

/** @throws DavitError if an API request fails with a code other than `not_found` */
export async function observe(client: Client, params: AppParams): Promise<Observed> {
  const { project, environment } = params;
  const app = await found(client.getApp({ params }));
  if (app !== null) {
    const variables = await client.getAppEnv({ params });
    return { hasProject: true, hasEnvironment: true, app, variables, live: await liveOf(client, params, app) };
  }
  const there = await found(client.getProject({ params: { project } }));
  const hasEnvironment = there?.environments.includes(environment) ?? false;
  const variables = hasEnvironment
    ? await client.getEnvironmentEnv({ params: { project, environment } })
    : there && (await client.getProjectEnv({ params: { project } }));
  return { hasProject: there !== null, hasEnvironment, app: null, variables, live: null };
}

/**
 * Returns the deployment whose release receives the app's requests. Returns `null` if there is no such deployment, or
 * if the API responds with `not_found`.
 */
export async function liveOf(client: Client, params: AppParams, app: App): Promise<Deployment | null> {
  if (app.live_deployment === null) return null;
  return found(client.getDeployment({ params: { ...params, deployment: String(app.live_deployment) } }));
}

async function found<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof DavitError && error.code === 'not_found') return null;
    throw error;
  }
}
