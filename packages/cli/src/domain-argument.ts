import type { Client, Domain } from '@davit/api';
import { type AppParams, referenceOf } from './app-argument.ts';
import { CliError } from './exit.ts';
import { nearest } from './nearest.ts';

/**
 * The domain of an app that a host or a number means.
 * @throws CliError not_found, with hosts near what was given
 */
export async function domainOf(client: Client, params: AppParams, given: string): Promise<Domain> {
  const domains = await client.listDomains({ params });
  const found = domains.find(({ id, host }) => host === given.toLowerCase() || String(id) === given);
  if (found) return found;
  const near = nearest(
    given,
    domains.map(({ host }) => host),
  );
  const meant = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  throw new CliError('not_found', `${referenceOf(params)} has no domain «${given}».${meant}`);
}
