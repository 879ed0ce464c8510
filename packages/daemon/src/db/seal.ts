import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type WrappedKey, wrapKey } from './key-wrap.ts';

/**
 * Error for an encrypted value that cannot be decrypted. The value was moved, changed or encrypted with another key.
 */
export class SealBroken extends Error {
  override name = 'SealBroken';
  /** Location of the encrypted value in the database, for example `variables/app/12/TOKEN`. */
  readonly place: string;

  constructor(location: string, why: string, options?: ErrorOptions) {
    super(`The stored value ${location} cannot be used: ${why}.`, options);
    this.place = location;
  }
}

/**
 * Encrypts secrets for SQLite with AES-256-GCM. The location of a value is part of the authenticated data. A value that
 * is copied to another location therefore cannot be decrypted.
 */
export class Sealer {
  readonly #key: Buffer;
  /**
   * Key for HMACs, derived from the master key. Encryption uses a different key, because one key must not be used for
   * both purposes.
   */
  readonly #macKey: Buffer;
  readonly keyId: string;

  /** @param key master key of 32 bytes */
  constructor(key: Buffer) {
    if (key.length !== 32) throw new Error('the master key must have 32 bytes');
    this.#key = key;
    this.#macKey = createHmac('sha256', key).update('davit mac key').digest();
    this.keyId = createHash('sha256').update('davit key id').update(key).digest('hex').slice(0, 8);
  }

  /**
   * Encrypts a text.
   * @param location location of the encrypted text in the database: table, owner and name, for example
   * `variables/app/12/TOKEN`
   */
  seal(plain: string, location: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    cipher.setAAD(Buffer.from(location));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${this.keyId}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
  }

  /**
   * Returns the HMAC of a text, in hexadecimal. Davit uses HMACs to detect changes of unencrypted data. Without the
   * master key, a valid HMAC cannot be created.
   */
  mac(text: string, location: string): string {
    return createHmac('sha256', this.#macKey).update(`${location}\0${text}`).digest('hex');
  }

  /** Returns the key for the MACs of database rows. */
  get rowMacKey(): Buffer {
    return this.derive(Buffer.alloc(0), 'davit row macs');
  }

  /**
   * Derives a separate 32-byte key from the master key. The derived key encrypts large data, such as one backup file.
   */
  derive(salt: Buffer, purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, salt, purpose, 32));
  }

  /**
   * Encrypts the master key for the owner of another key.
   * @param recipient X25519 public key, base64url
   */
  wrapFor(recipient: string, context: string): WrappedKey {
    return wrapKey(this.#key, recipient, context);
  }

  /**
   * Decrypts a text.
   * @throws SealBroken if the encrypted text was changed or moved, or was encrypted with another key
   */
  open(sealed: string, location: string): string {
    const [version, keyId, nonce, data] = sealed.split('.');
    if (version !== 'v1' || !nonce || !data)
      throw new SealBroken(location, 'the value does not have the format of an encrypted value');
    if (keyId !== this.keyId)
      throw new SealBroken(location, `the value was encrypted with another master key (${keyId})`);
    const bytes = Buffer.from(data, 'base64url');
    try {
      // The cipher throws an error if the nonce, the authentication tag or the ciphertext is too short.
      const decipher = createDecipheriv('aes-256-gcm', this.#key, Buffer.from(nonce, 'base64url'));
      decipher.setAAD(Buffer.from(location));
      decipher.setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new SealBroken(
        location,
        'the encrypted value was changed, or was copied from another location in the database',
        { cause },
      );
    }
  }
}
