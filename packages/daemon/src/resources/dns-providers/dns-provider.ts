/**
 * Functions for DNS providers. Davit uses DNS providers for the DNS-01 challenges of TLS certificates. The credentials
 * of DNS providers are stored encrypted, and no API response contains them.
 */
import {
  DavitError,
  type DnsProvider,
  type DnsProviderCreate,
  type DnsProviderPatch,
  invalidField,
  timestamp,
} from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import { LegoFailed, RecordsRefused } from '../../adapters/lego/lego.ts';
import { unsealed } from '../../app-spec/unsealed.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { retryNames } from '../../db/tables/certificate-name.ts';
import {
  changeDnsProvider,
  type DnsProviderRow,
  deleteDnsProvider,
  dnsProviderById,
  insertDnsProvider,
  listDnsProviders as listRows,
} from '../../db/tables/dns-provider.ts';
import { haveHostWithin } from '../../db/tables/domain.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { credentialsOf, sealCredentials } from './credentials.ts';
import type { DnsProvidersDeps } from './deps.ts';

/** Maximum number of DNS providers of an instance. */
const MOST = 50;

const WHAT = 'change DNS providers';

/** Returns the DNS providers that the user can see, sorted by name. */
export function listDnsProviders(
  { store }: DnsProvidersDeps,
  { actor }: OpContext,
  query: PageQuery = {},
): Page<DnsProvider> {
  const seen = listRows(store).flatMap((row) => seenBy(store, actor, row) ?? []);
  return mapPage(
    pageOf(seen, (row) => row.name, query),
    present,
  );
}

/**
 * Returns a DNS provider.
 * @throws DavitError not_found if the provider does not exist or the user cannot see the provider
 */
export function readDnsProvider(
  { store }: DnsProvidersDeps,
  { actor }: OpContext,
  number: string | undefined,
): DnsProvider {
  const row = seenBy(store, actor, found(store, number));
  if (row === null) throw missing();
  return present(row);
}

/**
 * Returns a DNS provider with only the domains that the user may see. A user may see a domain if a project of the user
 * has a host name in this domain. If the user may see no domain, returns `null`.
 */
function seenBy(db: Reader, { projects }: OpContext['actor'], row: DnsProviderRow): DnsProviderRow | null {
  if (projects === null) return row;
  const domains = domainsOf(row).filter((domain) => haveHostWithin(db, projects, domain));
  return domains.length === 0 ? null : { ...row, domains: JSON.stringify(domains) };
}

/**
 * Adds a DNS provider and stores its credentials encrypted.
 * @throws DavitError invalid_input, conflict; forbidden for a user who is limited to some projects
 */
export async function addDnsProvider(
  core: DnsProvidersDeps,
  ctx: OpContext,
  input: DnsProviderCreate,
  check: boolean,
): Promise<DnsProvider> {
  demandAllProjects(ctx.actor, WHAT);
  await demandKnown(core, input.provider, check);
  const { name, provider, credentials, check_propagation } = input;
  const domains = [...new Set(input.domains)].toSorted();
  const at = core.now();
  const made = core.store.tx((tx) => {
    refuseTaken(tx, null, name, domains);
    if (listRows(tx).length >= MOST) {
      throw new DavitError(
        'conflict',
        `The instance already has ${MOST} DNS providers, the maximum. Delete one first.`,
      );
    }
    core.store.trail.about({ target: name });
    const row = {
      ...{ name, provider, check_propagation: check_propagation ? 1 : 0, created_at: at, updated_at: at },
      ...{ variables: JSON.stringify(Object.keys(credentials).toSorted()), domains: JSON.stringify(domains) },
    };
    retryNames(tx);
    return insertDnsProvider(tx, row, (id) => sealCredentials(core.sealer, id, credentials));
  });
  core.nudgeCertificates();
  return present(made);
}

/**
 * Changes a DNS provider. Fields that the patch does not contain stay unchanged.
 * @throws DavitError not_found, and the errors of `addDnsProvider`
 */
export async function patchDnsProvider(
  core: DnsProvidersDeps,
  ctx: OpContext,
  number: string | undefined,
  patch: DnsProviderPatch,
  check: boolean,
): Promise<DnsProvider> {
  demandAllProjects(ctx.actor, WHAT);
  const before = found(core.store, number);
  if (patch.provider !== undefined) await demandKnown(core, patch.provider, check);
  const changed = core.store.tx((tx) => {
    const now = found(tx, number);
    const credentials = patch.credentials ?? stored(core, now);
    const domains = patch.domains === undefined ? domainsOf(now) : [...new Set(patch.domains)].toSorted();
    const name = patch.name ?? now.name;
    refuseTaken(tx, now.id, name, domains);
    core.store.trail.about({ target: before.name });
    const row: DnsProviderRow = {
      ...now,
      name,
      provider: patch.provider ?? now.provider,
      credentials: sealCredentials(core.sealer, now.id, credentials),
      variables: JSON.stringify(Object.keys(credentials).toSorted()),
      domains: JSON.stringify(domains),
      check_propagation: (patch.check_propagation ?? now.check_propagation === 1) ? 1 : 0,
      updated_at: core.now(),
    };
    changeDnsProvider(tx, row);
    retryNames(tx);
    return row;
  });
  core.nudgeCertificates();
  return present(changed);
}

/**
 * Deletes a DNS provider.
 * @throws DavitError not_found; forbidden for a user who is limited to some projects
 */
export function removeDnsProvider(core: DnsProvidersDeps, { actor }: OpContext, number: string | undefined): void {
  demandAllProjects(actor, WHAT);
  core.store.tx((tx) => {
    const row = found(tx, number);
    core.store.trail.about({ target: row.name });
    /*
     * Retry the certificate orders that waited for this DNS provider. Without the provider, these orders can use
     * another type of challenge.
     */
    retryNames(tx);
    deleteDnsProvider(tx, row.id);
  });
  core.nudgeCertificates();
}

/**
 * Checks that the program lego supports a DNS provider. Davit uses lego for DNS challenges.
 * @param check if `false`, the provider is not compared with lego's list of providers
 * @throws DavitError invalid_input, conflict, check_failed
 */
async function demandKnown({ lego }: DnsProvidersDeps, provider: string, check: boolean): Promise<void> {
  if (lego === null) {
    throw new DavitError(
      'conflict',
      'DNS providers do not work on this instance, because Docker is simulated and no real containers run. Use an instance with Docker.',
    );
  }
  if (!check) return;
  const known = await lego.providers().catch((cause: unknown) => {
    const isEngine = cause instanceof EngineRefused || cause instanceof RecordsRefused;
    if (!(cause instanceof LegoFailed) && !isEngine) throw cause;
    const why = isEngine
      ? 'Davit cannot read the list of DNS providers; find the reason in the log of the instance.'
      : cause.message;
    throw new DavitError('check_failed', `${why} To save the provider without checking its name, send check=false.`, {
      cause,
    });
  });
  if (known.includes(provider)) return;
  throw invalidField(
    'provider',
    'invalid_value',
    `“${provider}” is not a DNS provider that lego supports. See go-acme.github.io/lego/dns.`,
  );
}

function stored({ sealer }: DnsProvidersDeps, row: DnsProviderRow): Record<string, string> {
  return unsealed(
    () => credentialsOf(sealer, row),
    `The credentials of the DNS provider ${row.name} cannot be decrypted, because they were changed outside Davit. Set them again.`,
  );
}

/** Checks that no other DNS provider has the given name or one of the given domains. */
function refuseTaken(db: Reader, own: number | null, name: string, domains: readonly string[]): void {
  for (const row of listRows(db)) {
    if (row.id === own) continue;
    if (row.name === name)
      throw new DavitError(
        'conflict',
        `A DNS provider ${name} already exists. Change that DNS provider, or choose another name.`,
      );
    const taken = domainsOf(row).find((domain) => domains.includes(domain));
    if (taken)
      throw new DavitError(
        'conflict',
        `The domain ${taken} belongs to the DNS provider ${row.name}. Remove the domain from that DNS provider first.`,
      );
  }
}

function present({ credentials: _, ...row }: DnsProviderRow): DnsProvider {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    variables: JSON.parse(row.variables) as string[],
    domains: domainsOf(row),
    check_propagation: row.check_propagation === 1,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

function domainsOf({ domains }: Pick<DnsProviderRow, 'domains'>): string[] {
  return JSON.parse(domains) as string[];
}

function found(db: Reader, number: string | undefined): DnsProviderRow {
  const row = byPathNumber(number, (id) => dnsProviderById(db, id));
  if (row === undefined) throw missing();
  return row;
}

function missing(): DavitError {
  return new DavitError('not_found', 'The DNS provider does not exist. List the DNS providers.');
}
