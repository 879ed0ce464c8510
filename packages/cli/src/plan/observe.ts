/** Reads the current state of the project, environment and app that a davit.yaml names. */
import { type App, type Client, DavitError, type Deployment, type Variables } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';

export interface Observed {
  hasProject: boolean;
  hasEnvironment: boolean;
  app: App | null;
  /**
   * Variables of the app. If the app does not exist: variables of its environment, or else of its project. `null` if
   * the project does not exist.
   */
  variables: Variables | null;
  /** Live deployment of the app, which receives the requests, or `null` if there is none. */
  live: Deployment | null;
}

/** @throws DavitError if an API request fails, except with `not_found` */
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
 * Returns the live deployment of an app. Returns `null` if the app has none, or if the deployment was deleted from the
 * history.
 */
export async function liveOf(client: Client, params: AppParams, app: App): Promise<Deployment | null> {
  if (app.live_deployment === null) return null;
  return found(client.getDeployment({ params: { ...params, deployment: String(app.live_deployment) } }));
}

async function found<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DavitError && error.code === 'not_found') return null;
    throw error;
  }
}
