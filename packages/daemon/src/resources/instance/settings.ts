/**
 * API functions for instance settings. SQLite stores only settings that differ from the default. So a new version of
 * Davit can change a default.
 */
import { isDeepStrictEqual } from 'node:util';
import { InstanceSettings, invalidField, refusedField, type SettingsPatch } from '@davit/api';
import { isPublicAddress } from '@davit/service';
import { type Fields, isFields } from '../../app-spec/fields.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects } from '../../authorization/lookup.ts';
import { SETTINGS_KEY } from '../../config/instance-settings.ts';
import { retryNames } from '../../db/tables/certificate-name.ts';
import { writeSetting } from '../../db/tables/settings.ts';
import { fieldError } from '../../input/field-error.ts';
import { mergePatch } from '../../input/merge-patch.ts';
import { resumeAuthority } from '../certificates/account.ts';
import { demandCertificates, PemRefused } from '../certificates/pem.ts';
import { normalizeNetwork } from '../domains/canonical.ts';
import { recordOwnDomain } from '../domains/former-domains.ts';
import { refuseTakenDomain, refuseUntrustedDomain } from '../domains/taken-hosts.ts';
import type { InstanceDeps } from './deps.ts';
import { canonicalHostAccess } from './host-access.ts';

export function readSettings(core: InstanceDeps, _ctx: OpContext): InstanceSettings {
  return core.settings();
}

/**
 * Applies a JSON merge patch to the settings of the instance.
 * @param confirm the new domain of the instance again. Required if an app has used the domain.
 * @throws DavitError invalid_input, conflict, forbidden
 */
export function patchSettings(
  core: InstanceDeps,
  ctx: OpContext,
  patch: SettingsPatch,
  confirm?: string,
): InstanceSettings {
  return keep(core, ctx, mergePatch(core.settings(), patch), confirm);
}

/**
 * Replaces the settings of the instance.
 * @param confirm the new domain of the instance again. Required if an app has used the domain.
 * @throws DavitError invalid_input, conflict, forbidden
 */
export function putSettings(
  core: InstanceDeps,
  ctx: OpContext,
  settings: InstanceSettings,
  confirm?: string,
): InstanceSettings {
  return keep(core, ctx, settings, confirm);
}

function keep(
  core: InstanceDeps,
  { actor }: OpContext,
  wanted: unknown,
  confirm: string | undefined,
): InstanceSettings {
  demandAllProjects(actor, 'change settings of the whole instance');
  const parsed = InstanceSettings.safeParse(wanted);
  if (!parsed.success) throw fieldError(parsed.error, wanted);
  const before = core.settings();
  const settings = {
    ...parsed.data,
    trusted_proxies: trustedNetworks(parsed.data.trusted_proxies),
    host_access: canonicalHostAccess(parsed.data.host_access),
  };
  if (isDeepStrictEqual(settings, before)) return before;
  demandUsable(settings, before);
  demandSafeDomain(core, settings, confirm);
  core.store.tx((tx) => {
    writeSetting(tx, SETTINGS_KEY, JSON.stringify(differing(settings, InstanceSettings.parse({}))));
    tx.event({ kind: 'instance', data: { change: 'settings' } });
  });
  recordOwnDomain(core.store, core.facts.domain, core.now());
  follow(core, settings, before);
  return core.settings();
}

/**
 * Checks rules for the instance settings that a Zod schema cannot express.
 * @throws DavitError invalid_input
 */
function demandUsable(wanted: InstanceSettings, before: InstanceSettings): void {
  const { public_address: address, acme } = wanted;
  if (address !== null && !isPublicAddress(address)) {
    throw invalidField('public_address', 'not_allowed', 'must be a public IP address.');
  }
  if (acme.trusted_ca !== null && acme.trusted_ca !== before.acme.trusted_ca) demandTrusted(acme.trusted_ca);
}

/**
 * Checks a new domain of the instance. The domain must not be a current or former host name of an app. It must not be a
 * subdomain of such a host name either.
 * @throws DavitError conflict
 */
function demandSafeDomain({ store, facts }: InstanceDeps, wanted: InstanceSettings, confirm: string | undefined): void {
  const next = facts.domainWith(wanted);
  if (next === facts.domain) return;
  refuseTakenDomain(store, next);
  refuseUntrustedDomain(store, next, confirm);
}

/**
 * Normalizes the setting `trusted_proxies`. A network that contains all addresses is refused, because then every client
 * could send a false client address.
 * @throws DavitError invalid_input
 */
function trustedNetworks({ forwarded_for, proxy_protocol }: InstanceSettings['trusted_proxies']) {
  const inOneForm = (field: string, inputs: readonly string[]) => [
    ...new Set(
      inputs.map((input, index) => {
        const network = normalizeNetwork(input);
        if (network !== null && !network.endsWith('/0')) return network;
        const what =
          network === null ? 'an address or a network, such as 10.0.0.0/8' : 'a network other than 0.0.0.0/0 and ::/0';
        throw invalidField(
          `trusted_proxies.${field}.${index}`,
          network === null ? 'invalid_format' : 'not_allowed',
          `must be ${what}.`,
        );
      }),
    ),
  ];
  return {
    forwarded_for: inOneForm('forwarded_for', forwarded_for),
    proxy_protocol: inOneForm('proxy_protocol', proxy_protocol),
  };
}

/** @throws DavitError invalid_input if the text does not consist of PEM certificates */
function demandTrusted(pem: string): void {
  try {
    demandCertificates(pem);
  } catch (cause) {
    if (!(cause instanceof PemRefused)) throw cause;
    throw refusedField({ ...cause.problem, path: 'acme.trusted_ca' }, { cause });
  }
}

/** Applies changed host names and a changed certificate authority without a restart of the daemon. */
function follow(core: InstanceDeps, after: InstanceSettings, before: InstanceSettings): void {
  if (!isDeepStrictEqual(after.trusted_proxies, before.trusted_proxies)) core.nudgeRoutes();
  const namesOf = ({ domain, public_address, acme }: InstanceSettings) => ({ domain, public_address, acme });
  if (isDeepStrictEqual(namesOf(after), namesOf(before))) return;
  // Retry certificate orders now, because earlier orders may have failed with the old setting.
  if (!isDeepStrictEqual(after.acme, before.acme)) {
    resumeAuthority(core);
    core.store.tx(retryNames);
  }
  core.nudgeRoutes();
  core.nudgeCertificates();
  // Update the databases too, because the TLS certificates of publicly accessible databases contain the domain.
  core.nudgeDatabases();
}

/** Returns the settings that differ from their default. Nested objects are compared field by field. */
function differing(fields: Fields, usual: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (isDeepStrictEqual(value, usual[name])) return [];
    return [[name, isFields(value) && isFields(usual[name]) ? differing(value, usual[name]) : value]];
  });
  return Object.fromEntries(entries);
}
