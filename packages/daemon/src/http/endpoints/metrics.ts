import { DavitError } from '@davit/api';
import { type AuthenticationParts, authenticate } from '../../auth/actor.ts';
import { demand } from '../../authorization/lookup.ts';
import type { Exposition } from '../../resources/metrics/exposition.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange } from '../exchange.ts';

/** Returns the endpoint for Prometheus metrics of all apps. The names of the metrics are not part of the stable API. */
export function metricsEndpoint(exposition: Exposition, parts: AuthenticationParts): Endpoint {
  return absentEndpoint('GET /metrics', { access: 'open', compresses: true }, async ({ exchange }) => {
    demandEverything(parts, exchange);
    const body = await exposition.text();
    return { status: 200, body, headers: { 'Content-Type': exposition.contentType(), 'Cache-Control': 'no-store' } };
  });
}

/**
 * Checks that the caller has access to all projects.
 * @throws DavitError unauthorized, or forbidden if the caller has access to only some projects
 */
function demandEverything(parts: AuthenticationParts, exchange: Exchange): void {
  const { actor } = authenticate(parts, exchange);
  demand(actor, 'read');
  if (actor.projects === null) return;
  const message = 'The metrics contain data of all projects. Use an API key of a user with access to all projects.';
  throw new DavitError('forbidden', message);
}
