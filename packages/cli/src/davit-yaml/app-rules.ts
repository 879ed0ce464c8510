/**
 * Rules of the instance that a davit.yaml alone can break, because they compare several keys. `davit up` saves one key
 * after the other, so the instance would report such an error only after some changes.
 */
import {
  isRedirectChain,
  isWithin,
  MOST_VOLUMES,
  normalizeHost,
  normalizePath,
  type Redirecting,
  readHost,
  repeatedHeader,
  unsharedPart,
} from '@davit/api';
import type { z } from 'zod';

interface DomainObject {
  host: string;
  path?: string | null | undefined;
  redirect_to?: string | null | undefined;
  headers?: object | undefined;
}

interface Compared {
  scale?: number | undefined;
  volumes: string[];
  domains: (string | DomainObject)[];
}

/** Adds an error of a davit.yaml at the position of a key. */
export function complain(ctx: z.RefinementCtx, path: (string | number)[], message: string): void {
  ctx.addIssue({ code: 'custom', path, message });
}

export function oneReplicaWithVolumes({ scale = 1, volumes }: Compared, ctx: z.RefinementCtx): void {
  if (unsharedPart(scale, { volumes: volumes.map((path) => ({ path })), tcpPorts: [] }) === null) return;
  complain(
    ctx,
    ['scale'],
    'must be 1, because an app with a volume can have only one replica: set it to 1, or remove the volumes',
  );
}

export function volumesApart({ volumes }: Compared, ctx: z.RefinementCtx): void {
  if (volumes.length > MOST_VOLUMES) complain(ctx, ['volumes'], `must have at most ${MOST_VOLUMES} paths`);
  for (const [index, path] of volumes.entries()) {
    const outer = volumes.find((other) => other !== path && isWithin(other, path));
    if (outer !== undefined) complain(ctx, ['volumes', index], `is inside the volume ${outer}: choose another path`);
  }
}

/** Characters of a scheme, port or path, which are not part of a host name. */
const MORE_THAN_A_HOST = /[\s/\\:@?#]/;

export function fullHosts({ domains }: Compared, ctx: z.RefinementCtx): void {
  for (const [index, domain] of domains.entries()) {
    const isShort = typeof domain === 'string';
    const { host, redirect_to, path }: DomainObject = isShort ? { host: domain } : domain;
    const check = (key: string, problem: string | null) => {
      if (problem !== null) complain(ctx, ['domains', index, ...(isShort ? [] : [key])], problem);
    };
    check('host', hostProblem(host));
    if (redirect_to) check('redirect_to', hostProblem(redirect_to));
    const read = normalizePath(path ?? null);
    if (path && typeof read === 'object') check('path', read.problem);
  }
}

function hostProblem(host: string): string | null {
  if (MORE_THAN_A_HOST.test(host))
    return 'must be only a host name, such as shop.example.com: for a path or a port, use the keys "path" and "port"';
  const read = readHost(host);
  return 'problem' in read ? read.problem : null;
}

export function redirectsElsewhere({ domains }: Compared, ctx: z.RefinementCtx): void {
  const all = domains.map(normalizedDomain);
  for (const [index, domain] of all.entries()) {
    const path = ['domains', index, 'redirect_to'];
    if (domain.redirect_to === domain.host)
      complain(ctx, path, 'is the host of the domain itself: choose another host');
    else if (all.some((other) => isRedirectChain(domain, other)))
      complain(ctx, path, 'is itself redirected: choose a host that is not redirected');
  }
}

export function headersOnce({ domains }: Compared, ctx: z.RefinementCtx): void {
  for (const [index, domain] of domains.entries()) {
    const repeated = typeof domain === 'string' ? undefined : repeatedHeader(domain.headers ?? {});
    if (repeated === undefined) continue;
    complain(ctx, ['domains', index, 'headers', repeated], 'is listed twice: header names are case-insensitive');
  }
}

/** Returns host, path and target of a domain in the form of the instance. Invalid parts stay unchanged. */
export function normalizedDomain(domain: string | DomainObject): Redirecting {
  const { host, path, redirect_to }: DomainObject = typeof domain === 'string' ? { host: domain } : domain;
  const read = normalizePath(path || null);
  return {
    host: normalizeHost(host) ?? host,
    path: typeof read === 'string' ? read : (path ?? ''),
    redirect_to: redirect_to ? (normalizeHost(redirect_to) ?? redirect_to) : null,
  };
}
