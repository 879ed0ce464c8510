/** Tokens that a registry must refuse, derived from a valid token as an attacker would forge them. */
import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { selfSignedCertificate } from '../../packages/daemon/src/auth/self-signed.ts';

type Claims = Record<string, unknown>;

export interface Forger {
  /** Key of the instance, which signs tokens that are wrong in another way. */
  key: KeyObject;
  /** Certificate of the key, in PEM. */
  certificate: string;
  /** Claims of a valid token. */
  claims: Claims;
}

/** Returns forged tokens by name. */
export function forgedTokens({ key, certificate, claims }: Forger): Record<string, string> {
  const own = x5cOf(certificate);
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const life = { notBefore: Date.now() - 1_000, notAfter: Date.now() + 86_400_000 };
  const foreignCertificate = x5cOf(selfSignedCertificate(foreign, { name: String(claims.iss), ...life }));
  const now = Math.floor(Date.now() / 1_000);
  const right = { typ: 'JWT', alg: 'ES256', x5c: [own] };
  const changed = (change: Claims) => signed(right, { ...claims, ...change }, key);
  const good = signed(right, claims, key);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const jwk = foreign.export({ format: 'jwk' });
  const { d: _, ...publicJwk } = jwk;
  const more = encoded({ ...claims, access: [{ type: 'registry', name: 'catalog', actions: ['*'] }] });

  return {
    'a foreign key with its own certificate': signed({ ...right, x5c: [foreignCertificate] }, claims, foreign),
    'a foreign key under our certificate': signed(right, claims, foreign),
    'our key under a foreign certificate': signed({ ...right, x5c: [foreignCertificate] }, claims, key),
    'a foreign certificate before ours': signed({ ...right, x5c: [foreignCertificate, own] }, claims, foreign),
    'our certificate before a foreign one, foreign key': signed(
      { ...right, x5c: [own, foreignCertificate] },
      claims,
      foreign,
    ),
    'a foreign key named in the header': signed({ typ: 'JWT', alg: 'ES256', jwk: publicJwk }, claims, foreign),
    'a foreign key named beside our certificate': signed({ ...right, jwk: publicJwk }, claims, foreign),
    'a foreign key under a name': signed({ typ: 'JWT', alg: 'ES256', kid: 'ABCD:EFGH' }, claims, foreign),
    'no certificate and no name': signed({ typ: 'JWT', alg: 'ES256' }, claims, key),
    'an empty chain': signed({ ...right, x5c: [] }, claims, key),
    'a chain that is none': signed({ ...right, x5c: ['AAAA'] }, claims, key),
    'a chain that is text': signed({ ...right, x5c: own }, claims, key),
    'no algorithm': `${encoded({ typ: 'JWT', alg: 'none' })}.${payload}.`,
    'no algorithm under our certificate': `${encoded({ ...right, alg: 'none' })}.${payload}.`,
    'no algorithm, in capitals': `${encoded({ ...right, alg: 'NONE' })}.${payload}.${signature}`,
    'the public key as a secret': hmac({ typ: 'JWT', alg: 'HS256' }, payload, certificate),
    'the public key as a secret, under our certificate': hmac({ ...right, alg: 'HS256' }, payload, certificate),
    'another algorithm’s name': `${encoded({ ...right, alg: 'RS256' })}.${payload}.${signature}`,
    'another type': signed({ ...right, typ: 'JWS' }, claims, key).replace(/[^.]+$/, 'AAAA'),
    'no signature': `${header}.${payload}.`,
    'a signature that was changed': `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    'a signature in another form': `${header}.${payload}.${sign('sha256', Buffer.from(`${header}.${payload}`), key).toString('base64url')}`,
    'more rights under the old signature': `${header}.${more}.${signature}`,
    'one that has ended': changed({ exp: now - 120, nbf: now - 400, iat: now - 400 }),
    'one that has not begun': changed({ nbf: now + 600, exp: now + 900 }),
    'no end': changed({ exp: undefined }),
    'for another service': changed({ aud: 'other' }),
    'for several services': changed({ aud: ['davit'] }),
    'without an audience': changed({ aud: undefined }),
    'from another issuer': changed({ iss: 'davit-zzzzzzzz' }),
    'without an issuer': changed({ iss: undefined }),
    'two parts': `${header}.${payload}`,
    'four parts': `${good}.x`,
    garbage: 'x'.repeat(20_000),
    'nothing at all': '',
  };
}

/** Returns a valid token, which proves that the forged tokens are refused only because of their forged part. */
export function rightToken({ key, certificate, claims }: Forger): string {
  return signed({ typ: 'JWT', alg: 'ES256', x5c: [x5cOf(certificate)] }, claims, key);
}

export function privateKey(pem: string): KeyObject {
  return createPrivateKey(pem);
}

function signed(header: object, claims: Claims, key: KeyObject): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function hmac(header: object, payload: string, secret: string): string {
  const text = `${encoded(header)}.${payload}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function x5cOf(certificate: string): string {
  return new X509Certificate(certificate).raw.toString('base64');
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
