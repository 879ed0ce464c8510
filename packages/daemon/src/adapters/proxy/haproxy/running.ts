/** What the running proxy has, read from its answers. Pure. */

/** `ready`: takes new requests. `drain`: takes none, is checked. `maint`: neither. */
export type Admin = 'ready' | 'drain' | 'maint';

export interface RunningServer {
  name: string;
  /** `address:port`. */
  endpoint: string;
  admin: Admin;
  /** `unknown` until the first check of a checked server has an answer: until then the proxy only assumes. */
  sight: 'up' | 'down' | 'unknown';
}

export interface Running {
  /** By backend name; a backend without servers is absent. */
  servers: Map<string, RunningServer[]>;
  /** Entries of the maps, as they stand there. */
  routes: Map<string, string>;
  rules: Map<string, string>;
  challenges: Map<string, string>;
  /** Lines of the list of certificates, the one of the default certificate included. */
  certificates: RunningCertificate[];
}

export interface RunningCertificate {
  path: string;
  /** By which it is removed: one certificate may have two lines for a moment. */
  line: string;
  hosts: string[];
}

/** Reads one or more answers to `show servers state`. */
export function parseServersState(answers: string[]): Map<string, RunningServer[]> {
  const servers = new Map<string, RunningServer[]>();
  for (const line of answers.flatMap((answer) => answer.split('\n'))) {
    const fields = line.split(' ');
    // The version line and the one that names the fields come first.
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

/** `operation` 2 is running; `result` 0 and 1 are no answer yet, 2 is failed, 3 and 4 are passed. */
function parseSight(operation: number, result: number, checked: boolean): RunningServer['sight'] {
  if (operation === 0) return 'down';
  if (!checked) return 'up';
  if (result < 2) return 'unknown';
  return result === 2 || operation !== 2 ? 'down' : 'up';
}

/** Reads an answer to `show map`. */
export function parseMap(answer: string): Map<string, string> {
  return new Map(
    answer
      .split('\n')
      // Each begins with its address in memory; what else is said is no entry.
      .filter((line) => line.startsWith('0x'))
      .map((line) => line.split(' '))
      .flatMap(([, key, value]) => (key === undefined || value === undefined ? [] : [[key, value] as const])),
  );
}

/** Reads an answer to `show ssl crt-list -n`: `<path>:<line> [<settings>] <host> …`. */
export function parseCertificates(answer: string): RunningCertificate[] {
  return answer.split('\n').flatMap((text) => {
    const [, path, line, hosts] = /^(\/\S+):(\d+)(?: \[.*\])?((?: \S+)*) *$/.exec(text) ?? [];
    if (path === undefined || line === undefined) return [];
    return [{ path, line, hosts: (hosts ?? '').split(' ').filter((host) => host !== '') }];
  });
}

/** Reads answers to `show stat <backend> 4 -1`: what the last check of each server found, by `backend/server`. */
export function parseLastChecks(answers: string[]): Map<string, string> {
  const words = new Map<string, string>();
  for (const answer of answers) {
    const [header = '', ...lines] = answer.split('\n');
    const names = header.replace(/^# /, '').split(',');
    for (const line of lines) {
      const fields = line.split(',');
      const field = (name: string) => fields[names.indexOf(name)] ?? '';
      const found = [field('last_chk'), field('check_desc')].filter((word) => word !== '').join(', ');
      words.set(`${field('pxname')}/${field('svname')}`, found || 'it was not checked yet');
    }
  }
  return words;
}
