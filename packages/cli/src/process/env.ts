import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Settings of the CLI from environment variables. An empty variable counts as not set. */
export interface Environment {
  /** Folder of credentials.json. */
  configDir: string;
  /** Data directory of the instance on this server, for `--local`. */
  dataDir: string;
  url: string | undefined;
  apiKey: string | undefined;
  context: string | undefined;
  noColor: boolean;
  forceColor: boolean;
  dumbTerminal: boolean;
  /** Whether a graphical display exists, so that a browser can open. */
  hasDisplay: boolean;
  dockerConfigDir: string;
  /** Returns an environment variable, for `from_env` in davit.yaml. Returns `undefined` if it is empty or not set. */
  variable(name: string): string | undefined;
}

/** Environment variables that the CLI reads, for the reference page. */
export const VARIABLES = {
  DAVIT_URL: 'Address of an instance. `DAVIT_URL` and `DAVIT_API_KEY` together replace the context.',
  DAVIT_API_KEY: 'API key for `DAVIT_URL`.',
  DAVIT_CONTEXT: 'Name of the context to use. `--context` takes precedence.',
  DAVIT_DATA_DIR: 'Data directory of the instance on this server, for `--local`.',
  XDG_CONFIG_HOME: 'Folder that contains `davit/credentials.json` (default: `~/.config`).',
  NO_COLOR: 'If `NO_COLOR` is set and not empty, the output has no colors.',
  DOCKER_CONFIG:
    'Configuration folder of the Docker client (default: `~/.docker`). `davit up` uses its current Docker context.',
  FORCE_COLOR:
    'If `FORCE_COLOR` is set, the output has colors even without a terminal. The values `0` and empty have no effect.',
} as const;

type Variables = Record<string, string | undefined>;

/**
 * Reads the settings of the CLI from environment variables. Other modules do not read environment variables directly.
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

/** Returns the environment of the CLI process plus additional variables, for starting a program. */
export function withVariables(added: Record<string, string>): Variables {
  return { ...process.env, ...added };
}

/** Returns the default data directory of an instance. The daemon has the same rule, and a test compares both. */
function defaultDataDir(xdgDataHome: string | undefined): string {
  if (process.getuid?.() === 0) return '/var/lib/davit';
  return join(xdgDataHome ?? join(homedir(), '.local', 'share'), 'davit');
}
