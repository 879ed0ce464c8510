/** Parses the running proxy's output into its state. Pure. */

/**
 * Administrative state. A `ready` server gets new requests. A `drain` server gets none but is checked. A `maint` server
 * is not used at all.
 */
export type Admin = 'ready' | 'drain' | 'maint';

export interface RunningServer {
  name: string;
  /** Address and port as `address:port`. */
  endpoint: string;
  admin: Admin;
  /**
   * Health of the server as the proxy sees it. `unknown` until the first check of a checked server has a result,
   * because the proxy only assumes a state before.
   */
  sight: 'up' | 'down' | 'unknown';
}

export interface Running {
  /** Servers by backend name. Backends without servers are absent. */
  servers: Map<string, RunningServer[]>;
  /** Entries of the maps as the proxy has them. */
  routes: Map<string, string>;
  rules: Map<string, string>;
  challenges: Map<string, string>;
  /** Lines of the list of certificates, including the default certificate. */
  certificates: RunningCertificate[];
}

export interface RunningCertificate {
  path: string;
  /** Line number by which the certificate is removed. One certificate may temporarily have two lines. */
  line: string;
  hosts: string[];
}

/** Parses one or more outputs of `show servers state`. */
export function parseServersState(answers: string[]): Map<string, RunningServer[]> {
  const servers = new Map<string, RunningServer[]>();
  for (const line of answers.flatMap((answer) => answer.split('\n'))) {
    const fields = line.split(' ');
    // The output begins with a version line and a line of field names.
    if (fields.length < 20 || fields[0] === '#') continue;
    const backend = fields[1] ?? '';
    servers.set(backend, [...(servers.get(backend) ?? []), parseServer(fields)]);
  }
  return servers;
}

const CHECK_CONFIGURED = 0x01 | 0x02;
const MAINT = 0x01 | 0x02 | 0x04 | 0x20;
const DRAIN = 0x08 | 0x10;

function parseServer(fields: string[]): RunningServer {
  const [name = '', address = '', operation, admin, , , , , result, , checkState] = fields.slice(3);
  const port = fields[18];
  return {
    name,
    endpoint: address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`,
    admin: parseAdmin(Number(admin)),
    sight: parseSight(Number(operation), Number(result), (Number(checkState) & CHECK_CONFIGURED) !== 0),
  };
}

function parseAdmin(flags: number): Admin {
  if ((flags & MAINT) !== 0) return 'maint';
  return (flags & DRAIN) !== 0 ? 'drain' : 'ready';
}

/**
 * Converts the fields of a check. `operation` 2 means running. `result` 0 and 1 mean no result yet, 2 means failed, and
 * 3 and 4 mean passed.
 */
function parseSight(operation: number, result: number, checked: boolean): RunningServer['sight'] {
  if (operation === 0) return 'down';
  if (!checked) return 'up';
  if (result < 2) return 'unknown';
  return result === 2 || operation !== 2 ? 'down' : 'up';
}

/** Parses the output of `show map`. */
export function parseMap(answer: string): Map<string, string> {
  return new Map(
    answer
      .split('\n')
      // Each entry begins with its memory address. Other lines are not entries.
      .filter((line) => line.startsWith('0x'))
      .map((line) => line.split(' '))
      .flatMap(([, key, value]) => (key === undefined || value === undefined ? [] : [[key, value] as const])),
  );
}

/** Parses the output of `show ssl crt-list -n`: `<path>:<line> [<settings>] <host> …`. */
export function parseCertificates(answer: string): RunningCertificate[] {
  return answer.split('\n').flatMap((text) => {
    const [, path, line, hosts] = /^(\/\S+):(\d+)(?: \[.*\])?((?: \S+)*) *$/.exec(text) ?? [];
    if (path === undefined || line === undefined) return [];
    return [{ path, line, hosts: (hosts ?? '').split(' ').filter((host) => host !== '') }];
  });
}

/**
 * Parses the output of `show stat <backend> 4 -1`. Returns the result of each server's last check by `backend/server`.
 */
export function parseLastChecks(answers: string[]): Map<string, string> {
  const words = new Map<string, string>();
  for (const answer of answers) {
    const [header = '', ...lines] = answer.split('\n');
    const names = header.replace(/^# /, '').split(',');
    for (const line of lines) {
      const fields = line.split(',');
      const field = (name: string) => fields[names.indexOf(name)] ?? '';
      const found = [field('last_chk'), field('check_desc')].filter((word) => word !== '').join(', ');
      words.set(`${field('pxname')}/${field('svname')}`, found || 'the proxy has not been checked yet');
    }
  }
  return words;
}
