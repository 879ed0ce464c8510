/** Deployments under traffic. The benchmark runs many of them, and a live test a few. */
import type { Deployment } from '@davit/api';
import type { AppParams, Instance } from './instance.ts';
import { testAppImage } from './test-app-image.ts';
import { type Rates, startTraffic, type TrafficReport } from './traffic.ts';

export const APP: AppParams = { project: 'shop', environment: 'production', app: 'web' };
export const NEIGHBOUR: AppParams = { project: 'shop', environment: 'production', app: 'neighbour' };

const SETTINGS = { port: 8080, health: { path: '/health', grace_s: 20 } };
/** Number of successful deployments before a release that never becomes ready. */
const SICK_EVERY = 10;

/** Creates the app and its neighbor and deploys both. */
export async function deployBoth(instance: Instance): Promise<void> {
  const image = await testAppImage(instance.docker);
  for (const params of [APP, NEIGHBOUR]) {
    await instance.createApp(params, { image, ...SETTINGS });
    demandSuccess(await instance.deploy(params, 'v1'));
  }
}

export interface DeploysReport {
  traffic: TrafficReport;
  deploys: number;
  /** Number of releases that never became ready. */
  sick: number;
  /** Durations of the successful deployments in milliseconds. */
  durationsMs: number[];
}

/**
 * Deploys v1 and v2 in turn under traffic, sometimes a release that never becomes ready, and waits for the last
 * retirement.
 * @param onDeploy called after each deployment
 */
export async function deployUnderTraffic(
  instance: Instance,
  deploys: number,
  options: { rates?: Rates; onDeploy?: (done: number) => void } = {},
): Promise<DeploysReport> {
  await deployBoth(instance);
  await using traffic = await startTraffic({
    port: instance.httpPort,
    host: instance.hostOf(APP),
    neighbour: instance.hostOf(NEIGHBOUR),
    ...(options.rates && { rates: options.rates }),
  });
  const durationsMs: number[] = [];
  let sick = 0;
  for (let done = 1; done <= deploys; done += 1) {
    if (done % SICK_EVERY === Math.min(SICK_EVERY, deploys) - 2) {
      sick += 1;
      await trySick(instance);
    }
    const deployment = demandSuccess(await instance.deploy(APP, done % 2 === 0 ? 'v1' : 'v2'));
    traffic.expect(deployment.id);
    durationsMs.push(deployment.duration_ms ?? 0);
    options.onDeploy?.(done);
  }
  await instance.atRest(APP);
  return { traffic: await traffic.stop(), deploys, sick, durationsMs };
}

/** Deploys a release that listens but is never healthy. No request may reach it. */
async function trySick(instance: Instance): Promise<void> {
  await instance.client.patchApp({ params: APP, body: { health: { grace_s: 2 } } });
  const deployment = await instance.deploy(APP, 'sick');
  if (deployment.status !== 'failed') throw new Error(`the release that is never well ${deployment.status}`);
  await instance.client.patchApp({ params: APP, body: { health: { grace_s: SETTINGS.health.grace_s } } });
}

function demandSuccess(deployment: Deployment): Deployment {
  if (deployment.status === 'succeeded') return deployment;
  throw new Error(`deploy ${deployment.tag}: ${deployment.status}: ${deployment.error}`);
}
