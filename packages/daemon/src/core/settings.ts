/** What an admin sets for the whole instance. Only what differs from the defaults is kept, so that these can improve. */
import { isDeepStrictEqual } from 'node:util';
import { DavitError, InstanceSettings, type SettingsPatch } from '@davit/api';
import { isPublicAddress } from '@davit/service';
import { resumeAuthority } from '../certificates/account.ts';
import { demandCertificates, PemRefused } from '../certificates/pem.ts';
import { sslipDomain } from '../certificates/public-address.ts';
import type { OpContext } from '../context.ts';
import { type Fields, isFields } from '../release/fields.ts';
import { SETTINGS_KEY } from '../release/settings.ts';
import { retryNames } from '../store/certificate-name.ts';
import { writeSetting } from '../store/settings.ts';
import type { Core } from './core.ts';
import { refuseTakenDomain } from './domain-owner.ts';
import { fieldError } from './field-error.ts';
import { demandAllProjects } from './lookup.ts';
import { mergePatch } from './merge-patch.ts';

export function readSettings(core: Core, _ctx: OpContext): InstanceSettings {
  return core.settings();
}

/**
 * Lays a JSON merge patch over them.
 * @throws DavitError invalid_input when the whole is not valid then; conflict for a domain under which a host of an app
 * is; forbidden for an actor that is limited to some projects
 */
export function patchSettings(core: Core, ctx: OpContext, patch: SettingsPatch): InstanceSettings {
  return keep(core, ctx, mergePatch(core.settings(), patch));
}

/**
 * Replaces them.
 * @throws DavitError invalid_input; conflict for a domain under which a host of an app is; forbidden for a limited actor
 */
export function putSettings(core: Core, ctx: OpContext, settings: InstanceSettings): InstanceSettings {
  return keep(core, ctx, settings);
}

function keep(core: Core, { actor }: OpContext, wanted: unknown): InstanceSettings {
  demandAllProjects(actor, 'change what concerns all of them');
  const parsed = InstanceSettings.safeParse(wanted);
  if (!parsed.success) throw fieldError(parsed.error);
  const before = core.settings();
  if (isDeepStrictEqual(parsed.data, before)) return before;
  demandUsable(core, parsed.data, before);
  core.store.tx((tx) => {
    writeSetting(tx, SETTINGS_KEY, JSON.stringify(differing(parsed.data, InstanceSettings.parse({}))));
    tx.event({ kind: 'instance', data: { change: 'settings' } });
  });
  follow(core, parsed.data, before);
  return core.settings();
}

/** What a look at the fields alone does not tell. @throws DavitError invalid_input; conflict */
function demandUsable({ store, facts }: Core, wanted: InstanceSettings, before: InstanceSettings): void {
  const { domain, public_address: address, acme } = wanted;
  if (address !== null && !isPublicAddress(address)) {
    throw new DavitError('invalid_input', 'public_address: must be an address that the whole world can reach.');
  }
  if (acme.trusted_ca !== null && acme.trusted_ca !== before.acme.trusted_ca) demandTrusted(acme.trusted_ca);
  const next = domain ?? (address === null ? null : sslipDomain(address));
  if (next !== null && next !== facts.domain) refuseTakenDomain(store, next);
}

/** @throws DavitError invalid_input */
function demandTrusted(pem: string): void {
  try {
    demandCertificates(pem);
  } catch (cause) {
    if (!(cause instanceof PemRefused)) throw cause;
    throw new DavitError('invalid_input', cause.message.replace(/^certificate/, 'acme.trusted_ca'), { cause });
  }
}

/** What hosts there are and who certificates are ordered from acts at once, without a restart of anything that serves. */
function follow(core: Core, after: InstanceSettings, before: InstanceSettings): void {
  const namesOf = ({ domain, public_address, acme }: InstanceSettings) => ({ domain, public_address, acme });
  if (isDeepStrictEqual(namesOf(after), namesOf(before))) return;
  // Whatever came in the way may be what was changed.
  if (!isDeepStrictEqual(after.acme, before.acme)) {
    resumeAuthority(core);
    core.store.tx(retryNames);
  }
  core.nudgeRoutes();
  core.nudgeCertificates();
}

/** The fields, of objects those inside, that are not as in `usual`. */
function differing(fields: Fields, usual: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (isDeepStrictEqual(value, usual[name])) return [];
    return [[name, isFields(value) && isFields(usual[name]) ? differing(value, usual[name]) : value]];
  });
  return Object.fromEntries(entries);
}
