import { interpolated, itemsOf, mappingOf, textOf } from '../compose.ts';
import { type Part, type Verdict, verdictOf } from '../part.ts';

const MOST_IN_A_RANGE = 20;

interface Published {
  ports: number[];
  isLocal: boolean;
}

export function checkPorts({ kind, made }: Part, value: unknown): Verdict {
  const published = itemsOf(value).flatMap(publishedOf);
  if (kind !== 'app' || published.length === 0) return 'none';
  const tcp = portsIn(made.tcp);
  const http = [...portsIn(made.domains), ...portsIn([made])];
  const differences = published.flatMap(({ ports, isLocal }) =>
    ports.filter((port) => !tcp.includes(port) && !http.includes(port) && !isLocal && !isTls(port, http)),
  );
  const isNone = published.every(({ isLocal }) => isLocal) && http.length === 0;
  return isNone ? 'none' : verdictOf(differences.map((port) => `port ${port} is missing`));
}

/** The proxy of the instance does TLS, so the app needs no port 443 beside another port for HTTP. */
function isTls(port: number, http: readonly number[]): boolean {
  return port === 443 && http.length > 0;
}

export function checkExpose({ kind, made, service }: Part, value: unknown): Verdict {
  const exposed = itemsOf(value).map((one) => Number(interpolated(textOf(one)).split('/')[0]));
  if (kind !== 'app' || exposed.length === 0 || exposed.some(Number.isNaN)) return 'none';
  if (itemsOf(service.values.ports).length > 0) return 'correct';
  return verdictOf(
    exposed.includes(Number(made.port)) ? [] : [`the port is ${made.port} and not ${exposed.join(' or ')}`],
  );
}

/** Returns the TCP ports that a service publishes or exposes, in the order of the file. */
export function declaredPorts(values: Record<string, unknown>): number[] {
  const published = itemsOf(values.ports).flatMap((entry) => publishedOf(entry).flatMap(({ ports }) => ports));
  const exposed = itemsOf(values.expose).map((one) => Number(interpolated(textOf(one)).split('/')[0]));
  return [...published, ...exposed];
}

function portsIn(value: unknown): number[] {
  return itemsOf(value).flatMap((one) => {
    const { port } = mappingOf(one);
    return port === undefined ? [] : [Number(port)];
  });
}

/** Returns the container ports of an entry in `ports`, or an empty list for UDP and for large ranges. */
function publishedOf(entry: unknown): Published[] {
  const long = mappingOf(entry);
  if (long.target !== undefined)
    return long.protocol === 'udp' ? [] : [{ ports: [Number(long.target)], isLocal: isLoopback(textOf(long.host_ip)) }];
  const [address = '', protocol = 'tcp'] = interpolated(textOf(entry)).split('/');
  const [range = '', , ...host] = address.split(':').toReversed();
  const [first = 0, last = first] = range.split('-').map(Number);
  const count = last - first + 1;
  if (protocol !== 'tcp' || !(first >= 1 && last <= 65_535 && count >= 1 && count <= MOST_IN_A_RANGE)) return [];
  const ports = Array.from({ length: count }, (_, index) => first + index);
  return [{ ports, isLocal: isLoopback(host.toReversed().join(':')) }];
}

function isLoopback(address: string): boolean {
  return /^(?:127\.|localhost$|\[?::1\]?$)/.test(address);
}
