import { coversHost } from './certificate-name.ts';
import type { Certificate } from './schemas/certificate.ts';
import type { AppDomain, Domain } from './schemas/domain.ts';
import type { Instance } from './schemas/instance.ts';

/** Host of an app: a domain, or the default host, for which only `host` is set. */
export interface WebHost {
  host: string;
  path?: string | null;
  https?: AppDomain['https'];
  certificate?: Pick<Domain['certificate'], 'status'>;
}

/** Ports and certificates of the instance, which determine the URLs of apps. */
export interface Serving {
  ports: Pick<Instance['ports'], 'http' | 'https'>;
  certificates: readonly Pick<Certificate, 'hosts' | 'status'>[];
}

/** Returns whether an active certificate covers a host name. */
export function isCovered(host: string, certificates: Serving['certificates']): boolean {
  return certificates.some(({ hosts, status }) => status === 'active' && hosts.some((name) => coversHost(name, host)));
}

/**
 * Returns the URL of a host. It starts with `https` only if the host has an active certificate or refuses plain HTTP.
 * The dashboard and the command line both use this rule, so that they show the same URL.
 */
export function hostUrl({ host, path, https, certificate }: WebHost, { ports, certificates }: Serving): string {
  const isSecure = https === 'only' || certificate?.status === 'active' || isCovered(host, certificates);
  const [scheme, port, usual] = isSecure ? ['https', ports.https, 443] : ['http', ports.http, 80];
  return `${scheme}://${host}${port === usual ? '' : `:${port}`}${path ?? '/'}`;
}
