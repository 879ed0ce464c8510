/**
 * Builds the endpoint of a linked object store from the provider's fields, and checks whether the endpoint's address is
 * allowed.
 */
import { DavitError, invalidField, type ObjectStoreLink } from '@davit/api';
import { allowsHost } from '@davit/service';
import type { Actor } from '../../auth/context.ts';
import { CLOSED_ENDPOINT, endpointOf, isRefusedEndpoint, leadsToClosed } from './address.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { type ProviderRule, providerOf } from './providers.ts';

export interface EndpointSettings {
  endpoint: string;
  publicEndpoint: string | null;
  region: string;
  pathStyle: boolean;
}

type Named = Pick<ObjectStoreLink, 'provider' | 'endpoint' | 'region' | 'account' | 'path_style' | 'public_endpoint'>;

/**
 * Returns the endpoint settings of an object store that another provider runs.
 * @throws DavitError invalid_input with the name of the wrong field
 */
export function endpointSettingsOf(named: Named): EndpointSettings {
  const rule = providerOf(named.provider);
  demandFields(rule, named);
  const region = named.region ?? rule.region;
  const made = rule.endpointOf?.({ region, account: named.account ?? '' });
  return {
    endpoint: endpoint('endpoint', named.endpoint ?? made ?? ''),
    publicEndpoint: named.public_endpoint === null ? null : endpoint('public_endpoint', named.public_endpoint),
    // Some providers use one region name in the endpoint and another region name in the signatures of requests.
    region: rule.signs ?? region,
    pathStyle: named.path_style ?? rule.pathStyle,
  };
}

/**
 * Returns whether the daemon may connect only to public addresses of other servers for this object store. Without this
 * restriction, an admin of some projects could find out which servers exist in private networks.
 *
 * For an admin of all projects, private addresses are allowed only if the endpoint resolves to a private address now.
 * Otherwise, the owner of a public domain could later change the domain's DNS entry to a private address.
 * @throws DavitError forbidden if the endpoint contains a private IP address and the user is limited to some projects
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
 * Returns the normalized form of an endpoint URL.
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
  throw invalidField(
    field,
    'not_allowed',
    'must not be a reserved IP address, for example the address of a cloud metadata service (169.254.169.254).',
  );
}

function demandFields({ label, asks, takes }: ProviderRule, named: Named): void {
  for (const field of asks) {
    if (named[field] !== undefined) continue;
    // The field `account` is needed only for the default endpoint URL. So the field is optional if an endpoint is set.
    if (field === 'account' && named.endpoint !== undefined) continue;
    throw invalidField(field, 'required', `This field is required for ${label}.`);
  }
  for (const field of ['endpoint', 'region', 'account', 'path_style'] as const) {
    if (named[field] === undefined || [...asks, ...takes].some((one) => one === field)) continue;
    throw invalidField(field, 'not_allowed', `${label} has a fixed value for this field. Leave the field out.`);
  }
}
