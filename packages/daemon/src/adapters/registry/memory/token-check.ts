/** Checks registry tokens for the in-memory registry, with the same rules as the registry program Distribution. */
import { verify, X509Certificate } from 'node:crypto';
import type { RegistrySetup } from '../registry.ts';

interface Claims {
  iss?: unknown;
  aud?: unknown;
  exp?: unknown;
  access?: { type?: unknown; name?: unknown; actions?: unknown[] }[];
}

/**
 * Returns whether an `Authorization` header contains a token of the Davit instance that allows pulls from a repository.
 */
export function mayPull(setup: RegistrySetup, authorization: string | undefined, repository: string): boolean {
  const claims = claimsOf(setup, authorization);
  if (claims === null || claims.iss !== setup.issuer || claims.aud !== setup.service) return false;
  if (typeof claims.exp !== 'number' || claims.exp * 1_000 < Date.now()) return false;
  const isAllowed = claims.access?.some(
    ({ type, name, actions }) => type === 'repository' && name === repository && actions?.includes('pull'),
  );
  return isAllowed ?? false;
}

/** Returns the claims of a token, or `null` if the token has no valid signature. */
function claimsOf({ certificate }: RegistrySetup, authorization = ''): Claims | null {
  const [, header = '', payload = '', signature = ''] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? [];
  if (signature === '') return null;
  const key = { key: new X509Certificate(certificate).publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
}
