/**
 * Keys for the communication between the instance and its registry: a signing key with its certificate, and two
 * secrets. They are created at their first use and stored encrypted.
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

/** Audience (`aud`) of registry tokens. It must be a string, because the registry does not accept a list. */
export const REGISTRY_SERVICE = 'davit';

/** Subject (`sub`) of the registry tokens for the daemon itself. No account can have this name. */
export const ENGINE_USER = 'davit';

/** Pattern of the user name with which Docker pulls images for one app. No account can have such a name. */
const APP_ACCOUNT = /^davit\/app\/([1-9]\d{0,14})$/;

/**
 * Subject (`sub`) of a registry token for a push. The subject contains an id of the table `push_credentials`. No user
 * name can match this pattern.
 */
const PUSH_SUBJECT = /^davit\/push\/([1-9]\d{0,14})$/;

/**
 * Lifetime of a registry token in seconds. After the token expires, the registry accepts it for another
 * `TOKEN_LEEWAY_S` seconds.
 */
export const TOKEN_LIFE_S = 300;
export const TOKEN_LEEWAY_S = 60;
/**
 * Time in seconds from the start of a token's validity to its creation. The validity starts earlier, because the clock
 * of a registry may be slow.
 */
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

/** Signing key and its certificate, which are stored together as one encrypted value. */
interface Signing {
  key: string;
  certificate: string;
}

interface Signer {
  /**
   * Encrypted signing key, exactly as stored in the database. If the value in the database differs, the signing key in
   * memory is outdated.
   */
  sealed: string;
  key: KeyObject;
  certificate: string;
  /** Certificate as Base64-encoded DER. This is the format of the JWT header `x5c`. */
  x5c: string;
  renewAt: number;
}

/** Access that a registry token allows: actions in repositories, or `catalog` to list all repositories. */
export type GrantedAccess = RegistryAccess[] | 'catalog';

export class RegistryKeys {
  readonly #parts: RegistryKeysParts;
  readonly issuer: string;
  #signer: Signer | null = null;

  constructor(parts: RegistryKeysParts) {
    this.#parts = parts;
    this.issuer = `davit-${parts.davitId}`;
  }

  /**
   * Returns the certificate of the signing key in PEM format. Davit replaces the signing key half a year before this
   * certificate expires.
   */
  certificate(): string {
    return this.#signing().certificate;
  }

  /** Returns a secret. The registry sends this secret with its notifications about image pushes. */
  hookSecret(): string {
    return this.#secret(HOOK_SECRET);
  }

  /**
   * Returns the user name and password with which Docker pulls images for an app. Both never expire, but Davit checks
   * the permissions each time they are used.
   */
  appCredential(appId: number): { username: string; password: string } {
    const username = `davit/app/${appId}`;
    const password = createHmac('sha256', this.#secret(ENGINE_SECRET)).update(username).digest('base64url');
    return { username, password };
  }

  /**
   * Returns the id of the app for which a user name and password for image pulls were created. Returns `null` for any
   * other user name and password.
   */
  appOfCredential({ username, password }: { username: string; password: string }): number | null {
    const appId = Number(APP_ACCOUNT.exec(username)?.[1] ?? 0);
    return appId > 0 && equalSecrets(password, this.appCredential(appId).password) ? appId : null;
  }

  /**
   * Creates a signed registry token that allows exactly the given access and is valid for five minutes.
   * @param subject subject (`sub`) of the token
   */
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
    // A JWT needs the ECDSA signature as two raw numbers and not as DER.
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
    // The new key is not part of the audit entry of the current request, because no user requested the key.
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

  /**
   * Decrypts a stored key. Returns `null` if the stored key was changed outside Davit. Davit can then create a new key,
   * because nothing depends on the old key.
   */
  #unseal(sealed: string, name: string): string | null {
    try {
      return this.#parts.sealer.open(sealed, name);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

/**
 * Returns the subject (`sub`) of a registry token for an image push. The registry sends this subject back in its
 * notification about the push.
 */
export function pushSubject(credentialId: number): string {
  return `davit/push/${credentialId}`;
}

/**
 * Returns the id in `push_credentials` from the subject (`sub`) of a registry token. Returns `null` if the token is not
 * for a push.
 */
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
