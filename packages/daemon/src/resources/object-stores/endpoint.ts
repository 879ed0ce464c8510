/** Where a linked store is: what its provider asks for, put together and held against what is allowed. */
import { DavitError, invalidField, type StoreLink } from '@davit/api';
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

type Named = Pick<StoreLink, 'provider' | 'endpoint' | 'region' | 'account' | 'path_style' | 'public_endpoint'>;

/** @throws DavitError invalid_input, naming the field */
export function linkedPlaceOf(named: Named): LinkedPlace {
  const rule = providerOf(named.provider);
  demandFields(rule, named);
  const region = named.region ?? rule.region;
  const made = rule.endpointOf?.({ region, account: named.account ?? '' });
  return {
    endpoint: endpoint('endpoint', named.endpoint ?? made ?? ''),
    publicEndpoint: named.public_endpoint === null ? null : endpoint('public_endpoint', named.public_endpoint),
    // Of some the region is a part of the address and not of signatures.
    region: rule.signs ?? region,
    pathStyle: named.path_style ?? rule.pathStyle,
  };
}

/**
 * Whether this instance may connect to open addresses only. An admin of some projects must not find out through a store what
 * listens on the server and in its networks. An admin of all projects allows the private network only with an endpoint that
 * leads there now: otherwise the owner of a public name could point it there later.
 * @throws DavitError forbidden for an endpoint that is another address itself
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

/** @throws DavitError invalid_input */
export function endpoint(field: string, text: string): string {
  const found = endpointOf(text);
  if (found === null) {
    throw invalidField(
      field,
      'invalid_format',
      'must be http:// or https:// with a host and no path, such as https://s3.example.com.',
    );
  }
  if (!isRefusedEndpoint(found)) return found;
  throw invalidField(field, 'not_allowed', 'must not be an address that machines tell their own programs at.');
}

function demandFields({ label, asks, takes }: ProviderRule, named: Named): void {
  for (const field of asks) {
    if (named[field] !== undefined) continue;
    // An address of its own stands for what it is made of.
    if (field === 'account' && named.endpoint !== undefined) continue;
    throw invalidField(field, 'required', `is required for ${label}.`);
  }
  for (const field of ['endpoint', 'region', 'account', 'path_style'] as const) {
    if (named[field] === undefined || [...asks, ...takes].some((one) => one === field)) continue;
    throw invalidField(field, 'not_allowed', `must be left out for ${label}, which has its own.`);
  }
}
