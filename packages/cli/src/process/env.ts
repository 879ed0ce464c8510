import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Settings of the CLI from environment variables. An empty environment variable is treated as not set. */
export interface Environment {
  /** Folder that contains credentials.json. */
  configDir: string;
  /** Data directory of the instance on this machine, for `--local`. */
  dataDir: string;
  url: string | undefined;
  apiKey: string | undefined;
  context: string | undefined;
  noColor: boolean;
  forceColor: boolean;
  dumbTerminal: boolean;
  /** Whether the machine has a graphical display. If so, the CLI can open a browser. */
  hasDisplay: boolean;
  dockerConfigDir: string;
  /**
   * Returns an environment variable of the CLI process, for `from_env` in davit.yaml and for the proxy. Returns
   * `undefined` if the variable is empty or not set.
   */
  variable(name: string): string | undefined;
}

/** Environment variables that the CLI reads. The reference page of the CLI lists these variables. */
export const VARIABLES = {
  DAVIT_URL:
    'Address of an instance. If you set `DAVIT_URL` and `DAVIT_API_KEY`, commands use them instead of a context.',
  DAVIT_API_KEY: 'API key for `DAVIT_URL`.',
  DAVIT_CONTEXT: 'Name of the context to use. `--context` takes precedence.',
  DAVIT_DATA_DIR: 'Data directory of the instance on this server, for `--local`.',
  XDG_CONFIG_HOME: 'Folder that contains `davit/credentials.json` (default: `~/.config`).',
  NO_COLOR: 'If `NO_COLOR` is set and not empty, the output has no colors.',
  DOCKER_CONFIG:
    'Configuration folder of the Docker client (default: `~/.docker`). `davit up` uses the Docker context that is selected in this folder.',
  FORCE_COLOR:
    'If `FORCE_COLOR` is set, the output has colors even without a terminal. An empty value or `0` has no effect.',
  HTTPS_PROXY:
    'Address of the proxy for instances whose address begins with `https://`. Requests to your own computer use no proxy. `https_proxy` takes precedence. A proxy needs Node 24.5 or later.',
  HTTP_PROXY: 'Address of the proxy for instances whose address begins with `http://`. `http_proxy` takes precedence.',
  NO_PROXY:
    'Hosts that are reached without a proxy, separated by commas: names, parent domains, IP addresses, IP ranges such as `10.0.0.0/8`, or `*` for all hosts. `no_proxy` takes precedence.',
  SSL_CERT_FILE:
    'File with the certificate authorities that the command line trusts, in PEM format. It replaces the authorities that Node trusts. `NODE_EXTRA_CA_CERTS` adds authorities.',
} as const;

type Variables = Record<string, string | undefined>;

/**
 * Reads the settings of the CLI from environment variables. This is the only code that reads environment variables
 * directly.
 */
export function environmentOfProcess(variables: Variables = process.env): Environment {
  const get = (name: string) => variables[name] || undefined;
  return {
    configDir: join(get('XDG_CONFIG_HOME') ?? join(get('HOME') ?? homedir(), '.config'), 'davit'),
    dataDir: resolve(get('DAVIT_DATA_DIR') ?? defaultDataDir(get('XDG_DATA_HOME'))),
    url: get('DAVIT_URL'),
    apiKey: get('DAVIT_API_KEY'),
    context: get('DAVIT_CONTEXT'),
    noColor: get('NO_COLOR') !== undefined,
    forceColor: get('FORCE_COLOR') !== undefined && get('FORCE_COLOR') !== '0',
    dumbTerminal: get('TERM') === 'dumb',
    hasDisplay: get('DISPLAY') !== undefined || get('WAYLAND_DISPLAY') !== undefined,
    dockerConfigDir: get('DOCKER_CONFIG') ?? join(get('HOME') ?? homedir(), '.docker'),
    variable: get,
  };
}

/**
 * Returns the environment variables for a command that the CLI starts: all variables of the CLI process and the given
 * variables.
 */
export function withVariables(added: Record<string, string>): Variables {
  return { ...process.env, ...added };
}

/**
 * Returns the default data directory of an instance. The daemon determines this default with its own code. A test
 * checks that both defaults are equal.
 */
function defaultDataDir(xdgDataHome: string | undefined): string {
  if (process.getuid?.() === 0) return '/var/lib/davit';
  return join(xdgDataHome ?? join(homedir(), '.local', 'share'), 'davit');
}
