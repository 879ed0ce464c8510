/** Reads the state of the running HAProxy from the output of HAProxy's `show` commands. */

/**
 * Administrative state of an HAProxy server. `ready` means that the server receives new requests. `drain` means that
 * the server receives no new requests, but its health is checked. `maint` means that HAProxy does not use the server.
 */
export type Admin = 'ready' | 'drain' | 'maint';

export interface RunningServer {
  name: string;
  /** Address of the server as `address:port`. IPv6 addresses are in brackets. */
  endpoint: string;
  admin: Admin;
  /**
   * Health of the server as HAProxy reports it. `unknown` means that HAProxy has not finished the first health check.
   */
  sight: 'up' | 'down' | 'unknown';
}

export interface Running {
  /** Map from backend name to the HAProxy servers of the backend. The map omits backends without servers. */
  servers: Map<string, RunningServer[]>;
  /** Entries of the running HAProxy's route map. The key is `<host>/<path>/`. */
  routes: Map<string, string>;
  rules: Map<string, string>;
  challenges: Map<string, string>;
  /** Lines of HAProxy's certificate list, including the default certificate. */
  certificates: RunningCertificate[];
}

export interface RunningCertificate {
  path: string;
  /**
   * Line number in HAProxy's certificate list. HAProxy needs the number to remove the line. A certificate has two lines
   * while its hosts change.
   */
  line: string;
  hosts: string[];
}

/** Parses one or more outputs of HAProxy's command `show servers state`. Returns the servers by backend name. */
export function parseServersState(answers: string[]): Map<string, RunningServer[]> {
  const servers = new Map<string, RunningServer[]>();
  for (const line of answers.flatMap((answer) => answer.split('\n'))) {
    const fields = line.split(' ');
    // Skips the first lines of `show servers state`, which contain the format version and the field names.
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
 * Returns whether an HAProxy server is healthy.
 * @param operation server state: 0 is down, 2 is running
 * @param result last health check: 0 or 1 is no result, 2 failed, 3 or 4 passed
 */
function parseSight(operation: number, result: number, checked: boolean): RunningServer['sight'] {
  if (operation === 0) return 'down';
  if (!checked) return 'up';
  if (result < 2) return 'unknown';
  return result === 2 || operation !== 2 ? 'down' : 'up';
}

/** Parses the output of HAProxy's command `show map`. Returns the values of the map by key. */
export function parseMap(answer: string): Map<string, string> {
  return new Map(
    answer
      .split('\n')
      // In the output of `show map`, each line with an entry starts with a memory address.
      .filter((line) => line.startsWith('0x'))
      .map((line) => line.split(' '))
      .flatMap(([, key, value]) => (key === undefined || value === undefined ? [] : [[key, value] as const])),
  );
}

/**
 * Parses the output of HAProxy's command `show ssl crt-list -n`. Each line has the format `<path>:<line> [<settings>]
 * <host> …`.
 */
export function parseCertificates(answer: string): RunningCertificate[] {
  return answer.split('\n').flatMap((text) => {
    const [, path, line, hosts] = /^(\/\S+):(\d+)(?: \[.*\])?((?: \S+)*) *$/.exec(text) ?? [];
    if (path === undefined || line === undefined) return [];
    return [{ path, line, hosts: (hosts ?? '').split(' ').filter((host) => host !== '') }];
  });
}

/**
 * Parses outputs of HAProxy's command `show stat <backend> 4 -1`. Returns a map from `backend/server` to the result of
 * the server's last health check.
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
      words.set(`${field('pxname')}/${field('svname')}`, found || 'the proxy has not checked this replica yet');
    }
  }
  return words;
}
