/**
 * An app whose record contains all kinds of data, on a simulated engine, so that only the cost of reads is measured.
 */
import type { AppParams, Instance } from '../../test/support/instance.ts';

export const SAMPLE: AppParams = { project: 'shop', environment: 'production', app: 'web' };

export async function makeSampleApp(instance: Instance, params: AppParams = SAMPLE): Promise<void> {
  await instance.createApp(params, {
    image: 'registry.example.com/shop/web',
    port: 8080,
    scale: 1,
    args: ['--workers', '4'],
    release_command: ['bin/migrate', '--all'],
    health: { path: '/health' },
    limits: { cpu: 2, memory_bytes: 512 * 1024 ** 2 },
  });
  for (const host of ['www', 'api']) {
    await instance.client.addDomain({
      params,
      body: { host: `${host}.${params.app}.${params.project}.example.com` },
    });
  }
  const deployment = await instance.deploy(params, 'v1');
  if (deployment.status !== 'succeeded') throw new Error(`deploy the sample app: ${deployment.error}`);
}

export function pathOf({ project, environment, app }: AppParams): string {
  return `/api/apps/${project}/${environment}/${app}`;
}

/**
 * Reads a path with the API key of the instance, as the measured clients do.
 * @throws Error if the response is not 200
 */
export async function readAs(instance: Instance, path: string): Promise<string> {
  const response = await fetch(`${instance.url}${path}`, { headers: { authorization: `Bearer ${instance.key}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`read ${path}: ${response.status} ${text}`);
  return text;
}
