import type { Scope } from '../meaning/scope.ts';

/** Checks that a worker has no port, health path or domains. A worker is an app that receives no requests. */
export function checkWorkers({ draft, error }: Scope): void {
  for (const [index, app] of draft.apps.entries()) {
    if (app.worker !== true) continue;
    const { port, health, domains = [] } = app;
    // A manifest always contains the list of domains, even if the list is empty.
    const given = { port: port !== undefined, health: health !== undefined, domains: domains.length > 0 };
    const [key] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
    if (key === undefined) continue;
    const message = `The app is a worker, so it receives no requests, but it has \`${key}\`.`;
    error('worker.requests', ['apps', index, key], message, `Remove \`${key}\` or \`worker\`.`);
  }
}
