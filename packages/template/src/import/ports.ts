import type { Teller } from './notes.ts';
import { at, listOf, pairsOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

/** Container port that a Compose file publishes on the host. */
export interface Port {
  container: number;
  /** Port of the host on which the container port is published. `null` if Docker selects the port. */
  published: number | null;
  isHttp: boolean;
  /** Whether the port is published only on a loopback address. Default: `false`. */
  isLocal?: boolean;
}

const LOCAL = /^(?:127\.[\d.]+|localhost|\[::1\]|::1)$/;

const MOST_IN_A_RANGE = 20;
/** Ports inside the ranges of `HTTP_RANGES` that usually do not use HTTP, such as 5432 for PostgreSQL. */
const NOT_HTTP = new Set([3306, 3389, 5432, 5433, 5671, 5672, 6379, 8388, 8883, 9042, 9092, 9093, 9094, 9300, 27017]);
const HTTP = new Set([80, 81, 443, 591, 1080, 1337, 2368, 2283, 19999]);
const HTTP_RANGES = [
  [3000, 3999],
  [4000, 4999],
  [5000, 5999],
  [7000, 7999],
  [8000, 8999],
  [9000, 9999],
] as const;

/**
 * Returns the published ports of a Compose service. The ports are in `ports`, or in the settings of Traefik and
 * nginx-proxy.
 */
export function portsOf(service: Values, variables: Variables, report: Teller): Port[] {
  const ports = listOf(service.ports).flatMap((entry) => portOf(entry, variables, report));
  const proxied = proxiedPort(service, variables);
  if (proxied === null) return distinct(ports);
  const others = ports.filter(({ container }) => container !== proxied);
  return distinct([{ container: proxied, published: null, isHttp: true }, ...others]);
}

/** Returns the ports in `expose` of a Compose service. Only other services can connect to these ports. */
export function exposedOf(service: Values, variables: Variables): number[] {
  return listOf(service.expose).flatMap((entry) => numberOf(variables.plain(textOf(entry) ?? '').split('/')[0]) ?? []);
}

function portOf(entry: unknown, variables: Variables, report: Teller): Port[] {
  const text = textOf(entry);
  if (text !== null) return shortPorts(variables.plain(text), report);
  const container = numberOf(textOf(at(entry, 'target')));
  const published = numberOf(variables.plain(textOf(at(entry, 'published')) ?? ''));
  if (container === null) {
    report.leftOut('ports', 'One of the ports has no `target`.');
    return [];
  }
  if (at(entry, 'protocol') === 'udp') return udp(container, report);
  const protocol = textOf(at(entry, 'app_protocol')) ?? '';
  const port = { container, published, isHttp: /^http/.test(protocol) || isHttp(container, published) };
  return [{ ...port, ...localTo(textOf(at(entry, 'host_ip')), variables) }];
}

/**
 * Parses the short syntax of Compose ports: `80`, `8080:80`, `127.0.0.1:8080:80`, or `3000-3005:3000-3005`, each with
 * an optional `/tcp`.
 */
function shortPorts(text: string, report: Teller): Port[] {
  const [, address = '', published = null, from = '', to = from, protocol = 'tcp'] =
    /^(?:(\[[^\]]*\]|[^:[\]]*):)??(?:(\d*(?:-\d+)?):)?(\d+)(?:-(\d+))?(?:\/([a-z]+))?$/.exec(text) ?? [];
  const [first, last] = [numberOf(from), numberOf(to)];
  if (first === null || last === null || last < first) {
    report.leftOut('ports', `“${shown(text)}” is not a valid port.`);
    return [];
  }
  if (protocol !== 'tcp') return udp(first, report);
  if (last - first >= MOST_IN_A_RANGE) {
    report.leftOut(
      'ports',
      `“${shown(text)}” is a range of more than ${MOST_IN_A_RANGE} ports. Add only the necessary ports.`,
    );
    return [];
  }
  const start = numberOf(published?.split('-')[0]);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const container = first + index;
    const host = start === null ? null : start + index;
    const isLocal = LOCAL.test(address);
    return { container, published: host, isHttp: isHttp(container, host), ...(isLocal && { isLocal }) };
  });
}

function localTo(address: string | null, variables: Variables): Pick<Port, 'isLocal'> {
  return address !== null && LOCAL.test(variables.plain(address)) ? { isLocal: true } : {};
}

function udp(port: number, report: Teller): Port[] {
  report.leftOut('ports', `Port ${port} uses UDP, which an instance does not forward.`);
  return [];
}

function isHttp(container: number, published: number | null): boolean {
  if (NOT_HTTP.has(container)) return false;
  if (published === 80 || published === 443 || HTTP.has(container)) return true;
  return HTTP_RANGES.some(([from, to]) => container >= from && container <= to);
}

/**
 * Returns the container port to which Traefik or nginx-proxy sends requests. Returns `null` if neither is configured.
 */
function proxiedPort(service: Values, variables: Variables): number | null {
  for (const [name, value] of pairsOf(service.labels)) {
    if (/^traefik\.http\.services\.[^.]+\.loadbalancer\.server\.port$/.test(name)) {
      return numberOf(variables.plain(value ?? ''));
    }
  }
  const environment = new Map(pairsOf(service.environment));
  return numberOf(variables.plain(environment.get('VIRTUAL_PORT') ?? ''));
}

function distinct(ports: readonly Port[]): Port[] {
  return [...new Map(ports.toReversed().map((port) => [port.container, port])).values()].toReversed();
}

function numberOf(text: string | null | undefined): number | null {
  const number = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0;
  return number >= 1 && number <= 65_535 ? number : null;
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
