import type { AppPlan } from './apps.ts';
import { isSameSource } from './jobs.ts';

/**
 * Marks apps that receive no requests as workers. A worker declares no port, runs its own command, and has the same
 * image as an app with a port. Without the mark, an instance would wait for a response on the port of the image.
 */
export function markWorkers(plans: readonly AppPlan[]): void {
  const servers = plans.filter(({ port }) => port !== null);
  for (const plan of plans) {
    const { service, port } = plan;
    const { values, tell: report } = service;
    const hasCommand = [values.command, values.entrypoint].some((value) => value !== undefined && value !== null);
    const server = servers.find((other) => isSameSource(other.service.values, values));
    if (port !== null || !hasCommand || server === undefined) continue;
    plan.isWorker = true;
    report.changed(
      'ports',
      `The service has no port, but ${server.service.name} has one with the same image. It becomes a worker.`,
    );
  }
}
