import { type AppPlan, splitPorts } from './apps.ts';
import { healthPort } from './health.ts';
import type { Inputs } from './inputs.ts';
import { camelCase } from './names.ts';
import { exposedOf, type Port, portsOf } from './ports.ts';
import { dependenciesOf, type Service } from './services.ts';
import type { Variables } from './variables.ts';

interface Planned {
  plans: AppPlan[];
  /** Map from the key of an app to the keys of template inputs for the app's domains. */
  domains: Map<string, string[]>;
  /** Map from a published port of the host to the key of the template input for its domain. */
  byPublished: Map<number, string>;
}

/** Determines the ports and domains of all apps before the first app is created. */
export function planApps(services: readonly Service[], variables: Variables, inputs: Inputs): Planned {
  const apps = services.filter(({ role }) => role === 'app');
  const found = apps.map((service) => ({
    service,
    ports: splitPorts(portsOf(service.values, variables, service.tell)),
  }));
  const total = found.reduce((sum, { ports }) => sum + ports.http.length, 0);
  const hostPorts = new Set<number>();
  const byPublished = new Map<number, string>();
  const domains = new Map<string, string[]>();
  const plans = found.map(({ service, ports }) => {
    if (ports.hasTls)
      service.tell.changed('ports', 'Port 443 is not needed, because the proxy of the instance handles TLS.');
    const own = ports.http.map((port, index) => {
      const key = inputs.domain(domainKey(service, port, index, total), domainLabel(service, port, index));
      if (port.published !== null && !byPublished.has(port.published)) byPublished.set(port.published, key);
      const before = port.isLocal === true ? ' In the Compose file, only the server itself could reach this port.' : '';
      service.tell.changed('ports', `Port ${port.container} is served at the domain from the input “${key}”.${before}`);
      return { key, port: port.container };
    });
    domains.set(
      service.key,
      own.map(({ key }) => key),
    );
    const [first] = own;
    const [exposed = null] = exposedOf(service.values, variables);
    return {
      service,
      isWorker: false,
      port: first?.port ?? exposed ?? healthPort(service.values, variables),
      domains: own.map(({ key, port }) => ({ host: `\${input.${key}}`, ...(port !== first?.port && { port }) })),
      tcp: ports.tcp.filter((port) => !isKeptLocal(port, service)).map((port) => tcpPort(port, hostPorts, service)),
      dependsOn: [],
      databases: [],
    };
  });
  return { plans, domains, byPublished };
}

function domainKey({ name }: Service, { container }: Port, index: number, total: number): string {
  if (total === 1) return 'domain';
  const own = camelCase(name).replace(/^[^a-zA-Z]+/, '') || 'app';
  return index === 0 ? `${own}Domain` : `${own}Domain${container}`;
}

function domainLabel({ name }: Service, { container }: Port, index: number): string {
  return index === 0 ? `Host name of ${name}` : `Host name of port ${container} of ${name}`;
}

/**
 * Returns whether a published port is bound to a loopback address. The import omits such a port, because only programs
 * on the server could use it.
 */
function isKeptLocal({ container, isLocal = false }: Port, { tell: report }: Service): boolean {
  if (isLocal)
    report.leftOut(
      'ports',
      `In the Compose file, only the server itself could reach port ${container}. Add the port to \`tcp\` to make it public.`,
    );
  return isLocal;
}

/**
 * Converts a published port to a TCP port of an app. Does not change the port on the server, except if the port is
 * missing, below 1024 or already used.
 */
function tcpPort(
  { container, published }: Port,
  taken: Set<number>,
  { tell: report }: Service,
): { port: number; host?: string } {
  if (published === null || published < 1_024 || taken.has(published)) {
    report.changed('ports', `Port ${container} is published on a port of the host that the instance chooses.`);
    return { port: container };
  }
  taken.add(published);
  report.carried('ports', `Port ${container} is published on port ${published} of the host.`);
  return { port: container, host: String(published) };
}

/** Returns the dependencies of each app and job. Omits dependencies that would create a cycle. */
export function planDependencies(
  services: readonly Service[],
  isJob: (service: Service) => boolean,
): Map<string, Dependencies> {
  const byName = new Map(services.map((service) => [service.name, service]));
  const waiting = new Map<string, Dependencies>();
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (waiting.get(from)?.keys ?? []).some((next) => reaches(next, to, seen));
  };
  for (const service of services) {
    const own: Dependencies = { keys: [], databases: [] };
    waiting.set(service.key, own);
    if (service.role === 'none' || service.role === 'database') continue;
    for (const { name } of dependenciesOf(service.values)) {
      const other = byName.get(name);
      if (other?.role === 'database') own.databases.push(other.key);
      else if (other?.role === 'app' || (other?.role === 'job' && isJob(other))) {
        if (reaches(other.key, service.key))
          service.tell.leftOut('depends_on', `${name} also waits for this service, so this dependency was removed.`);
        else own.keys.push(other.key);
      } else service.tell.leftOut('depends_on', `${name.slice(0, 60)} is not a service of the template.`);
    }
    if (own.keys.length > 0) service.tell.carried('depends_on', `The service waits for ${own.keys.join(', ')}.`);
    else if (own.databases.length > 0) service.tell.carried('depends_on', 'Databases run before any app starts.');
  }
  return waiting;
}

export interface Dependencies {
  keys: string[];
  databases: string[];
}
