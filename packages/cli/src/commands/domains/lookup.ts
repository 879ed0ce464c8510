import type { Client, Domain } from '@davit/api';
import { type AppParams, referenceOf } from '../../arguments/app.ts';
import { CliError } from '../../errors/exit.ts';
import { nearest } from '../../errors/nearest.ts';
import { domainName } from '../../views/domain.ts';

/**
 * Finds a domain of an app by its host name, by its host name and path, or by its ID.
 * @throws CliError with exit `not_found`
 * @throws CliError with exit `conflict` if several domains have the host name
 */
export async function domainOf(client: Client, params: AppParams, given: string): Promise<Domain> {
  const domains = await client.listDomains({ params });
  const wanted = given.toLowerCase();
  const exact = domains.find((domain) => domainName(domain).toLowerCase() === wanted || String(domain.id) === given);
  if (exact) return exact;
  const [found, another] = domains.filter(({ host }) => host === wanted);
  if (found && another) {
    const names = domains.filter(({ host }) => host === wanted).map(domainName);
    throw new CliError(
      'conflict',
      `The app has several domains with the host ${given}: write one of ${names.join(', ')}.`,
    );
  }
  if (found) return found;
  const near = nearest(given, domains.map(domainName));
  const meant = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  throw new CliError('not_found', `${referenceOf(params)} has no domain "${given}".${meant}`);
}
