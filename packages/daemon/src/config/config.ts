import { join, resolve } from 'node:path';
import { ConfigInvalid, defaultDataDir, parseListen, parsePort } from '@davit/service';
import { flagOf, type RawSettings, SETTINGS, type SettingName } from './settings.ts';

/**
 * Port on which Davit listens. If another process uses the port, Davit selects another port. If a user has set the
 * port, the start fails instead.
 */
export interface PortSetting {
  port: number;
  explicit: boolean;
}

export interface Config {
  listen: PortSetting & { host: string };
  httpPort: PortSetting;
  httpsPort: PortSetting;
  registryPort: PortSetting;
  /** Loopback port to which HAProxy sends its access log. */
  accessPort: PortSetting;
  dataDir: string;
  domain: string;
  /**
   * `true` if a user has set the domain with a flag or environment variable. Davit then does not derive the domain from
   * the server's IP address.
   */
  domainIsSet: boolean;
  engine: 'auto' | 'docker' | 'memory';
  /** Address of the Docker Engine in the format of `DOCKER_HOST`, or `null` for the default socket. */
  dockerHost: string | null;
  /**
   * IPv4 range in CIDR notation for the Docker networks of environments. The prefix length must be between 8 and 24.
   */
  networkPool: string;
  masterKeyFile: string;
  setupToken: string | null;
  /**
   * Code with which the operator confirms that the data directory was moved. After a move, the daemon prints this code
   * and does not start. The code is valid for only one move.
   */
  adopt: string | null;
  demo: boolean;
  proxyImage: string | null;
  registryImage: string | null;
  /**
   * Path of a `sources.list` file with the APT sources for the images that Davit builds. `null` means the APT sources
   * of the server.
   */
  aptSources: string | null;
  catalogUrl: string | null;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/** Default loopback port for the access log of HAProxy. */
const ACCESS_PORT = 7_391;

/**
 * Information about the daemon process, for example whether it runs as root. The path of the default data directory
 * depends on this information.
 */
export interface ProcessFacts {
  isRoot: boolean;
  xdgDataHome: string | undefined;
}

/**
 * Creates the configuration from unparsed settings. Adds defaults and validates all values.
 * @throws ConfigInvalid with the list of all invalid settings
 */
export function makeConfig(raw: RawSettings, facts: ProcessFacts): Config {
  const problems: string[] = [];
  const check = <T>(name: SettingName, parse: (text: string) => T | null, text: string, rule: string): T | null => {
    const value = parse(text);
    if (value === null) problems.push(`${SETTINGS[name].env} (--${flagOf(name)}) ${rule}, not “${text}”.`);
    return value;
  };
  const text = (name: SettingName): string => raw[name] ?? SETTINGS[name].default;
  const port = (name: 'httpPort' | 'httpsPort' | 'registryPort'): PortSetting => ({
    port: check(name, parsePort, text(name), 'must be a port number') ?? 0,
    explicit: raw[name] !== undefined,
  });
  const choice = <const C extends string>(name: SettingName, choices: readonly C[]): C => {
    const found = check(
      name,
      (t) => choices.find((c) => c === t) ?? null,
      text(name),
      `must be one of ${choices.join(', ')}`,
    );
    return found ?? (choices[0] as C);
  };
  const listen = check('listen', parseListen, text('listen'), 'must be an address and a port, such as 127.0.0.1:3000');
  const dataDir = resolve(raw.dataDir ?? defaultDataDir('davit', facts.xdgDataHome, facts.isRoot));
  const config: Config = {
    listen: { host: listen?.host ?? '', port: listen?.port ?? 0, explicit: raw.listen !== undefined },
    httpPort: port('httpPort'),
    httpsPort: port('httpsPort'),
    registryPort: port('registryPort'),
    accessPort: { port: ACCESS_PORT, explicit: false },
    dataDir,
    domain: check('domain', parseDomain, text('domain'), 'must be a host name') ?? '',
    domainIsSet: raw.domain !== undefined,
    engine: choice('engine', ['auto', 'docker', 'memory']),
    dockerHost: raw.dockerHost ?? null,
    networkPool:
      check('networkPool', parsePool, text('networkPool'), 'must be a private network, such as 10.208.0.0/12') ?? '',
    masterKeyFile: raw.masterKeyFile ? resolve(raw.masterKeyFile) : join(dataDir, 'master.key'),
    setupToken: raw.setupToken ?? null,
    adopt: raw.adopt ?? null,
    demo: choice('demo', ['1', '0']) === '1',
    proxyImage: raw.proxyImage ?? null,
    registryImage: raw.registryImage ?? null,
    aptSources: raw.aptSources ? resolve(raw.aptSources) : null,
    catalogUrl: raw.catalogUrl ?? null,
    logLevel: choice('logLevel', ['info', 'debug', 'warn', 'error']),
  };
  if (problems.length > 0) throw new ConfigInvalid(problems.join('\n'));
  return config;
}

function parseDomain(text: string): string | null {
  const domain = text.toLowerCase().replace(/\.$/, '');
  const labels = domain.split('.');
  return domain.length <= 200 && labels.every((l) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(l)) ? domain : null;
}

function parsePool(text: string): string | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text);
  if (!match) return null;
  const octets = match.slice(1, 5).map(Number);
  const prefix = Number(match[5]);
  return octets.every((octet) => octet <= 255) && prefix >= 8 && prefix <= 24 ? text : null;
}
