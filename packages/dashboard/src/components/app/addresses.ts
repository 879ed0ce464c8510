import { type App, type Domain, hostUrl, type Instance, isCovered, type Serving } from '@davit/api';
import { isLocalDomain } from '../../util/local-domain.ts';

export interface Address {
  /** Address of an app that users can copy. The address is a URL, or a host name with a port. */
  text: string;
  /** Whether the address is a URL that a browser can open. */
  opens: boolean;
  kind: 'domain' | 'default domain' | 'TCP port' | 'private';
  /** Note for the user about the address, for example about its TLS certificate. `null` if there is no note. */
  note: string | null;
  tone: 'good' | 'warning' | 'error' | 'soft';
}

type Served = Pick<App, 'port' | 'suggested_host' | 'internal_host' | 'tcp_ports'>;

/** Returns all current addresses of an app. If a domain has a valid certificate, its address begins with `https`. */
export function addressesOf(
  app: Served,
  domains: readonly Domain[],
  certificates: Serving['certificates'],
  instance: Pick<Instance, 'ports' | 'domain'>,
): Address[] {
  const serving = { ports: instance.ports, certificates };
  const hasCertificate = isCovered(app.suggested_host, certificates);
  const own: Address = {
    text: hostUrl({ host: app.suggested_host }, serving),
    opens: true,
    kind: 'default domain',
    note: hasCertificate ? null : 'HTTP only, because there is no certificate.',
    tone: 'soft',
  };
  const named = domains.map(
    (domain): Address => ({ text: hostUrl(domain, serving), opens: true, kind: 'domain', ...stateOf(domain) }),
  );
  const tcp = app.tcp_ports.map(
    ({ host_port, container_port }): Address => ({
      text: `${instance.domain}:${host_port}`,
      opens: false,
      kind: 'TCP port',
      note: `Connects directly to port ${container_port} of the app, without the proxy.`,
      tone: 'soft',
    }),
  );
  const internal: Address = {
    text: app.port == null ? app.internal_host : `${app.internal_host}:${app.port}`,
    opens: false,
    kind: 'private',
    note: 'Only apps in this environment can reach this address.',
    tone: 'soft',
  };
  return [...named, ...(app.port === null ? [] : [own]), ...tcp, internal];
}

function stateOf({ certificate, redirect_to: to, maintenance }: Domain): Pick<Address, 'note' | 'tone'> {
  if (to !== null) return { note: `Redirects to ${to}.`, tone: 'soft' };
  if (maintenance !== null) return { note: 'Maintenance mode is on.', tone: 'warning' };
  const { status, problem } = certificate;
  switch (status) {
    case 'active':
      return { note: problem === null ? 'Certificate active.' : `Certificate active. ${problem}`, tone: 'good' };
    case 'ordering':
      return { note: 'The certificate is being requested.', tone: 'warning' };
    case 'waiting':
      return { note: problem ?? 'Davit has not requested the certificate yet.', tone: 'warning' };
    case 'failed':
      return { note: problem ?? 'The certificate request failed.', tone: 'error' };
    case 'none':
      return { note: problem ?? 'HTTP only, because there is no certificate.', tone: 'soft' };
  }
}

/**
 * Returns the domains of an app that a link can open. Redirects are omitted. If the instance has only a local domain,
 * the DNS of a public domain without a certificate is probably not set up. Such a public domain is omitted, unless the
 * app has no port and thus no default host.
 */
export function openableDomains(
  { port, domains }: Pick<App, 'port' | 'domains'>,
  certificates: Serving['certificates'],
  instance: Pick<Instance, 'domain'>,
): App['domains'] {
  const isSetUp = (host: string) =>
    port === null || !isLocalDomain(instance.domain) || isLocalDomain(host) || isCovered(host, certificates);
  return domains.filter(({ host, redirect_to }) => redirect_to === null && isSetUp(host));
}
