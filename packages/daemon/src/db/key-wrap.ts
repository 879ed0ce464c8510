/**
 * Encrypts a key for the owner of an X25519 private key. The public key suffices for the encryption. The master key can
 * therefore change without the recovery key. The private key is random, so no slow key derivation is needed.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Error for a public key with which nothing can be encrypted. */
export class PublicKeyInvalid extends Error {
  override name = 'PublicKeyInvalid';
}

/** Encrypted key. All fields except the context are base64url. */
export interface WrappedKey {
  /** X25519 public key of the recipient. */
  recipient: string;
  /** X25519 public key that was created for this encryption. */
  ephemeral: string;
  nonce: string;
  /** Key and authentication tag, encrypted with AES-256-GCM. */
  sealed: string;
}

const PURPOSE = 'davit wrapped key v1';

/**
 * Encrypts a key.
 * @param recipient public key, 32 bytes in base64url
 * @param context text that the decryption must repeat, for example the instance id
 * @throws PublicKeyInvalid
 */
export function wrapKey(key: Buffer, recipient: string, context: string): WrappedKey {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const ephemeral = String(publicKey.export({ format: 'jwk' }).x);
  const shared = sharedWith(privateKey, recipient);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derived(shared, recipient, ephemeral), nonce);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(key), cipher.final(), cipher.getAuthTag()]);
  return { recipient, ephemeral, nonce: nonce.toString('base64url'), sealed: sealed.toString('base64url') };
}

/**
 * Decrypts a key.
 * @param secret private key of the recipient, 32 bytes
 * @throws Error if the private key, the context or the encrypted key is wrong
 */
export function unwrapKey(wrapped: WrappedKey, secret: Uint8Array, context: string): Buffer {
  const { recipient, ephemeral, nonce, sealed } = wrapped;
  const d = Buffer.from(secret).toString('base64url');
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', d, x: recipient }, format: 'jwk' });
  const shared = diffieHellman({ privateKey, publicKey: publicKeyOf(ephemeral) });
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    derived(shared, recipient, ephemeral),
    Buffer.from(nonce, 'base64url'),
  );
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
}

function sharedWith(privateKey: KeyObject, recipient: string): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey: publicKeyOf(recipient) });
  } catch (cause) {
    throw new PublicKeyInvalid('The public key is not an X25519 public key.', { cause });
  }
}

function publicKeyOf(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
}

function derived(shared: Buffer, recipient: string, ephemeral: string): Buffer {
  return Buffer.from(hkdfSync('sha256', shared, `${recipient}.${ephemeral}`, PURPOSE, 32));
}
