/**
 * Rules of the instance that a davit.yaml alone can break, because they compare several keys. `davit up` saves one key
 * after the other, so the instance would report such an error only after some changes.
 */
import { isIPv4 } from 'node:net';
import { isWithin, MOST_VOLUMES } from '@davit/api';
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
  if (scale <= 1 || volumes.length === 0) return;
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

export function fullHosts({ domains }: Compared, ctx: z.RefinementCtx): void {
  for (const [index, domain] of domains.entries()) {
    const isShort = typeof domain === 'string';
    const { host, redirect_to, path }: DomainObject = isShort ? { host: domain } : domain;
    const at = (key: string) => ['domains', index, ...(isShort ? [] : [key])];
    const wrong = 'must be a full host name with a dot, such as shop.example.com, without a wildcard';
    if (!isFullHost(host)) complain(ctx, at('host'), wrong);
    if (redirect_to && !isFullHost(redirect_to)) complain(ctx, at('redirect_to'), wrong);
    if (path && !path.startsWith('/')) complain(ctx, at('path'), 'must begin with “/”');
  }
}

function isFullHost(host: string): boolean {
  return bare(host).includes('.') && !host.includes('*') && !isIPv4(host);
}

export function redirectsElsewhere({ domains }: Compared, ctx: z.RefinementCtx): void {
  const redirects = domains.filter(
    (domain): domain is DomainObject => typeof domain !== 'string' && Boolean(domain.redirect_to),
  );
  const ofWholeHosts = new Set(redirects.filter(({ path }) => !path).map(({ host }) => bare(host)));
  for (const [index, domain] of domains.entries()) {
    if (typeof domain === 'string' || !domain.redirect_to) continue;
    const [path, target] = [['domains', index, 'redirect_to'], bare(domain.redirect_to)];
    if (target === bare(domain.host)) complain(ctx, path, 'is the host of the domain itself: choose another host');
    else if (ofWholeHosts.has(target))
      complain(ctx, path, 'is itself redirected: choose a host that is not redirected');
  }
}

export function headersOnce({ domains }: Compared, ctx: z.RefinementCtx): void {
  for (const [index, domain] of domains.entries()) {
    const names = typeof domain === 'string' ? [] : Object.keys(domain.headers ?? {});
    const double = names.find((name, at) => names.findIndex((one) => one.toLowerCase() === name.toLowerCase()) < at);
    if (double === undefined) continue;
    complain(ctx, ['domains', index, 'headers', double], 'is listed twice: header names are case-insensitive');
  }
}

function bare(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
