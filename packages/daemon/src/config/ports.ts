import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isPortFree } from '@davit/service';
import type { PortSetting } from './config.ts';

/**
 * Error for a port that a user has set but another process already uses. The message contains the name of that process.
 */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Error for an IP address that the server does not have. The message explains what to do. */
export class AddressMissing extends Error {
  override name = 'AddressMissing';
}

export interface ChosenPort {
  port: number;
  /** Message for the operator if Davit does not use the configured port. `null` if Davit uses the configured port. */
  note: string | null;
}

const TRIES = 200;
/**
 * Number that Davit adds to a port below 1024 if the daemon cannot use this port. Only root may use ports below 1024.
 * For example, port 80 becomes port 8080.
 */
const UNPRIVILEGED = 8000;

/**
 * Selects a port to listen on. The port of the last start is preferred over the default port, so that addresses stay
 * the same. Fails if a user has set the port and another process uses it.
 * @param hosts addresses on which the port must be free
 * @param purpose text for messages, for example `the proxy’s HTTP port`
 * @param remembered port of the last start
 * @param ours whether this instance may already use the remembered port. For example, the HAProxy container uses its
 * port while the daemon is stopped.
 * @param chosen ports that this start has already selected
 * @throws PortTaken if another process uses a port that a user has set
 * @throws AddressMissing if the server does not have one of the addresses
 */
export async function choosePort(
  setting: PortSetting,
  where: {
    hosts: readonly string[];
    purpose: string;
    remembered: number | null;
    ours: boolean;
    chosen?: readonly number[];
  },
): Promise<ChosenPort> {
  const { hosts, purpose, remembered, ours, chosen = [] } = where;
  const wanted = setting.explicit ? setting.port : (remembered ?? setting.port);
  const isOurs = chosen.includes(wanted);
  if (!isOurs && ours && wanted === remembered) return { port: wanted, note: null };
  await demandAddresses(hosts, purpose);
  if (!isOurs && (await isFreeOn(hosts, wanted))) return { port: wanted, note: null };
  const taker = isOurs ? 'Davit itself' : (listeningProcess(wanted) ?? 'another process');
  const holder = `Port ${wanted} (${purpose}) is in use by ${taker}`;
  if (setting.explicit) throw new PortTaken(`${holder}. Stop that program, or choose another port.`);
  const first = wanted < 1024 ? UNPRIVILEGED + wanted : wanted + 1;
  for (let port = first; port < first + TRIES; port++) {
    if (!chosen.includes(port) && (await isFreeOn(hosts, port)))
      return { port, note: `${holder}. Davit uses port ${port} from now on.` };
  }
  throw new PortTaken(`${holder}, and the ${TRIES} ports from ${first} are in use too. Set a free port.`);
}

/** Checks that the server has the addresses. Without this check, a missing address would look like a port in use. */
async function demandAddresses(hosts: readonly string[], purpose: string): Promise<void> {
  for (const host of hosts) {
    // With port 0, the operating system selects a free port. If listening still fails, the address is the problem.
    if (await isPortFree(host, 0)) continue;
    const advice = host.startsWith('127.')
      ? `Add it with “ip address add ${host}/8 dev lo”, then start Davit again.`
      : 'Choose an address of this server.';
    throw new AddressMissing(
      `Davit cannot listen on ${host} (${purpose}), because this server does not have the address. ${advice}`,
    );
  }
}

async function isFreeOn(hosts: readonly string[], port: number): Promise<boolean> {
  for (const host of hosts) if (!(await isPortFree(host, port))) return false;
  return true;
}

/**
 * Returns the process that listens on a TCP port, as `name (process 123)`. Returns `null` if the process cannot be
 * determined.
 */
export function listeningProcess(port: number): string | null {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listeningInodes(file, port)));
  if (inodes.size === 0) return null;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (!holdsSocket(pid, inodes)) continue;
    return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`;
  }
  return null;
}

const LISTENING = '0A';

function listeningInodes(file: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readOrEmpty(file)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) && fields[3] === LISTENING)
    .map((fields) => fields[9] ?? '');
}

function holdsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
  } catch {
    // The open files of a process cannot be read if the process has exited or belongs to another user.
    return false;
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A kernel without IPv6 has no file /proc/net/tcp6. In this case, no process listens on an IPv6 address.
    return '';
  }
}
