/**
 * What the instance and its registry know each other by: the key that signs tokens, with its certificate, and two
 * secrets. Made at the first start and kept sealed.
 */
import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
  X509Certificate,
} from 'node:crypto';
import type { RegistryAccess } from '../adapters/registry/registry.ts';
import { SealBroken, type Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';
import { readSetting, writeSetting } from '../db/tables/settings.ts';
import { equalSecrets, randomSecret } from './secrets.ts';
import { selfSignedCertificate } from './self-signed.ts';

/** In every token: for whom it is. The registry takes it as one string alone. */
export const REGISTRY_SERVICE = 'davit';

/** The subject of the daemon's own tokens: a name that no account may have. */
export const ENGINE_USER = 'davit';

/** The account with which the engine pulls for one app. No user can have such a name. */
const APP_ACCOUNT = /^davit\/app\/([1-9]\d{0,14})$/;

/** The subject of a token that allows pushing: the number of a push credential. No user can have such a name. */
const PUSH_SUBJECT = /^davit\/push\/([1-9]\d{0,14})$/;

/** How long a token holds, and for how long after that the registry lets it pass still. */
export const TOKEN_LIFE_S = 300;
export const TOKEN_LEEWAY_S = 60;
/** Of the token's beginning: clocks differ. */
const BACKDATED_S = 60;

const DAY_MS = 24 * 60 * 60_000;
const CERTIFICATE_LIFE_MS = 730 * DAY_MS;
const RENEWED_BEFORE_MS = 180 * DAY_MS;

const SIGNING_KEY = 'registry.signing-key';
const HOOK_SECRET = 'registry.hook-secret';
const ENGINE_SECRET = 'registry.engine-secret';

export interface RegistryKeysParts {
  davitId: string;
  store: Store;
  sealer: Sealer;
  now: () => number;
}

/** As it is kept; the whole of it is sealed. */
interface Signing {
  /** PEM. */
  key: string;
  certificate: string;
}

interface Signer {
  /** What it was read from. */
  sealed: string;
  key: KeyObject;
  certificate: string;
  /** The certificate in the form that a token carries. */
  x5c: string;
  renewAt: number;
}

/** `catalog`: the list of all repositories. */
export type GrantedAccess = RegistryAccess[] | 'catalog';

export class RegistryKeys {
  readonly #parts: RegistryKeysParts;
  readonly issuer: string;
  #signer: Signer | null = null;

  constructor(parts: RegistryKeysParts) {
    this.#parts = parts;
    this.issuer = `davit-${parts.davitId}`;
  }

  /** PEM of the certificate whose key signs; another one half a year before it ends. */
  certificate(): string {
    return this.#signing().certificate;
  }

  /** What the registry shows when it tells of a push. */
  hookSecret(): string {
    return this.#secret(HOOK_SECRET);
  }

  /**
   * The credential with which the engine pulls for one app. It is derived from the app's number and never expires. Its
   * rights are checked at each use.
   */
  appCredential(appId: number): { username: string; password: string } {
    const username = `davit/app/${appId}`;
    const password = createHmac('sha256', this.#secret(ENGINE_SECRET)).update(username).digest('base64url');
    return { username, password };
  }

  /** Returns the app that the credential belongs to, or `null` for any other credential. */
  appOfCredential({ username, password }: { username: string; password: string }): number | null {
    const appId = Number(APP_ACCOUNT.exec(username)?.[1] ?? 0);
    return appId > 0 && equalSecrets(password, this.appCredential(appId).password) ? appId : null;
  }

  /** A token that lets its bearer do exactly this, for five minutes. @param subject whose it is */
  token(subject: string, access: GrantedAccess): string {
    const { key, x5c } = this.#signing();
    const at = Math.floor(this.#parts.now() / 1_000);
    const header = { typ: 'JWT', alg: 'ES256', x5c: [x5c] };
    const claims = {
      iss: this.issuer,
      sub: subject,
      aud: REGISTRY_SERVICE,
      exp: at + TOKEN_LIFE_S,
      nbf: at - BACKDATED_S,
      iat: at - BACKDATED_S,
      jti: randomUUID(),
      access: claimsOf(access),
    };
    const signed = `${encoded(header)}.${encoded(claims)}`;
    // The raw form of the signature: two numbers, as JWT has it, and not DER.
    return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  }

  #signing(): Signer {
    const { store, now } = this.#parts;
    const sealed = store.memo(SIGNING_KEY, () => readSetting(store, SIGNING_KEY));
    if (sealed !== undefined && this.#signer?.sealed !== sealed) this.#signer = this.#open(sealed);
    if (sealed === undefined || this.#signer === null || this.#signer.renewAt <= now()) this.#signer = this.#renew();
    return this.#signer;
  }

  #open(sealed: string): Signer | null {
    const text = this.#unseal(sealed, SIGNING_KEY);
    return text === null ? null : signerOf(sealed, JSON.parse(text) as Signing);
  }

  #renew(): Signer {
    const { store, sealer, now } = this.#parts;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const life = { notBefore: now() - DAY_MS, notAfter: now() + CERTIFICATE_LIFE_MS };
    const made: Signing = {
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      certificate: selfSignedCertificate(privateKey, { name: this.issuer, ...life }),
    };
    const sealed = sealer.seal(JSON.stringify(made), SIGNING_KEY);
    // No part of the request that happens to need it first.
    store.trail.apart(() => store.tx((tx) => writeSetting(tx, SIGNING_KEY, sealed)));
    return signerOf(sealed, made);
  }

  #secret(name: string): string {
    const { store, sealer } = this.#parts;
    const sealed = store.memo(name, () => readSetting(store, name));
    const known = sealed === undefined ? null : this.#unseal(sealed, name);
    if (known !== null) return known;
    const secret = randomSecret();
    store.trail.apart(() => store.tx((tx) => writeSetting(tx, name, sealer.seal(secret, name))));
    return secret;
  }

  /** Null for what was changed outside Davit: nothing hangs on it, so that another one is made. */
  #unseal(sealed: string, name: string): string | null {
    try {
      return this.#parts.sealer.open(sealed, name);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

/** Returns the subject of a token for a push, which the registry sends back in its notification. */
export function pushSubject(credentialId: number): string {
  return `davit/push/${credentialId}`;
}

/** Returns the number of the push credential that a subject names, or null for any other subject. */
export function credentialOfSubject(subject: string): number | null {
  const id = Number(PUSH_SUBJECT.exec(subject)?.[1] ?? 0);
  return id > 0 ? id : null;
}

function signerOf(sealed: string, { key, certificate }: Signing): Signer {
  const read = new X509Certificate(certificate);
  return {
    sealed,
    key: createPrivateKey(key),
    certificate,
    x5c: read.raw.toString('base64'),
    renewAt: read.validToDate.getTime() - RENEWED_BEFORE_MS,
  };
}

function claimsOf(access: GrantedAccess) {
  if (access === 'catalog') return [{ type: 'registry', name: 'catalog', actions: ['*'] }];
  return access.map(({ repository, actions }) => ({ type: 'repository', name: repository, actions }));
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
