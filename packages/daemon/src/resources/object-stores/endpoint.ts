/** Address of a linked store: created from the fields of its provider and checked against the allowed addresses. */
import { DavitError, invalidField, type ObjectStoreLink } from '@davit/api';
import { allowsHost } from '@davit/service';
import type { Actor } from '../../auth/context.ts';
import { CLOSED_ENDPOINT, endpointOf, isRefusedEndpoint, leadsToClosed } from './address.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { type ProviderRule, providerOf } from './providers.ts';

export interface LinkedPlace {
  endpoint: string;
  publicEndpoint: string | null;
  region: string;
  pathStyle: boolean;
}

type Named = Pick<ObjectStoreLink, 'provider' | 'endpoint' | 'region' | 'account' | 'path_style' | 'public_endpoint'>;

/**
 * Returns the address of a linked store.
 * @throws DavitError invalid_input with the name of the field
 */
export function linkedPlaceOf(named: Named): LinkedPlace {
  const rule = providerOf(named.provider);
  demandFields(rule, named);
  const region = named.region ?? rule.region;
  const made = rule.endpointOf?.({ region, account: named.account ?? '' });
  return {
    endpoint: endpoint('endpoint', named.endpoint ?? made ?? ''),
    publicEndpoint: named.public_endpoint === null ? null : endpoint('public_endpoint', named.public_endpoint),
    // For some providers, the region is only a part of the address, and signatures use another name.
    region: rule.signs ?? region,
    pathStyle: named.path_style ?? rule.pathStyle,
  };
}

/**
 * Returns whether this instance may connect only to open addresses. Otherwise an admin of some projects could find out
 * what listens on the server and in its networks. An admin of all projects allows a private network only with an
 * endpoint that resolves to this network now. Otherwise the owner of a public name could let the name resolve to the
 * private network later.
 * @throws DavitError forbidden for an endpoint that contains a closed IP address
 */
export async function publicOnlyFor(
  { isOpenAddress }: Pick<ObjectStoresDeps, 'isOpenAddress'>,
  { projects }: Pick<Actor, 'projects'>,
  endpoint: string,
): Promise<boolean> {
  if (projects === null) return !(await leadsToClosed(endpoint, isOpenAddress));
  if (!allowsHost(new URL(endpoint), isOpenAddress)) throw new DavitError('forbidden', CLOSED_ENDPOINT);
  return true;
}

/**
 * Returns the canonical form of an endpoint.
 * @throws DavitError invalid_input
 */
export function endpoint(field: string, text: string): string {
  const found = endpointOf(text);
  if (found === null) {
    throw invalidField(
      field,
      'invalid_format',
      'must be an http or https address without a path, such as https://s3.example.com.',
    );
  }
  if (!isRefusedEndpoint(found)) return found;
  throw invalidField(field, 'not_allowed', 'must not be the address of a metadata service.');
}

function demandFields({ label, asks, takes }: ProviderRule, named: Named): void {
  for (const field of asks) {
    if (named[field] !== undefined) continue;
    // A given endpoint replaces the account, from which the endpoint would otherwise be created.
    if (field === 'account' && named.endpoint !== undefined) continue;
    throw invalidField(field, 'required', `is required for ${label}.`);
  }
  for (const field of ['endpoint', 'region', 'account', 'path_style'] as const) {
    if (named[field] === undefined || [...asks, ...takes].some((one) => one === field)) continue;
    throw invalidField(field, 'not_allowed', `cannot be set for ${label}, which has a fixed value.`);
  }
}
