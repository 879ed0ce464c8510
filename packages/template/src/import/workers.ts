import type { AppPlan } from './apps.ts';
import { isSameSource } from './jobs.ts';

/**
 * Finds the apps that receive no requests. Such a service declares no port and runs its own command in the image of
 * another service, which does declare one. Without this, an instance waits until the port of the image answers.
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
