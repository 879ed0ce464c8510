/** Current state on the instance of everything that a file names. */
import { type App, type Client, DavitError, type Deployment, type Variables } from '@davit/api';
import type { AppParams } from '../arguments/app.ts';

export interface Observed {
  hasProject: boolean;
  hasEnvironment: boolean;
  app: App | null;
  /** Variables of the app or, if there is no app, of its environment or project. `null` if none of them exists. */
  variables: Variables | null;
  /** Release that receives new requests. */
  live: Deployment | null;
}

/** @throws DavitError of any of the reads except `not_found` */
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

/** Returns the live deployment of an app, or `null` if there is none or its record was removed. */
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
