/** Where a linked store is: what its provider asks for, put together and held against what is allowed. */
import { DavitError, type StoreLink } from '@davit/api';
import { endpointOf, isRefusedEndpoint } from '../objects/address.ts';
import { type ProviderRule, providerOf } from '../objects/providers.ts';

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

/** @throws DavitError invalid_input */
export function endpoint(field: string, text: string): string {
  const found = endpointOf(text);
  if (found === null) {
    throw new DavitError(
      'invalid_input',
      `${field}: must be http:// or https:// with a host and no path, such as https://s3.example.com.`,
    );
  }
  if (!isRefusedEndpoint(found)) return found;
  throw new DavitError('invalid_input', `${field}: must not be an address that machines tell their own programs at.`);
}

function demandFields({ label, asks, takes }: ProviderRule, named: Named): void {
  for (const field of asks) {
    if (named[field] !== undefined) continue;
    // An address of its own stands for what it is made of.
    if (field === 'account' && named.endpoint !== undefined) continue;
    throw new DavitError('invalid_input', `${field}: is required for ${label}.`);
  }
  for (const field of ['endpoint', 'region', 'account', 'path_style'] as const) {
    if (named[field] === undefined || [...asks, ...takes].some((one) => one === field)) continue;
    throw new DavitError('invalid_input', `${field}: must be left out for ${label}, which has its own.`);
  }
}
