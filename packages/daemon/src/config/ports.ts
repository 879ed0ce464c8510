import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { PortSetting } from './config.ts';

/** A port that was set by hand is held by somebody else; the message names the holder. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

export interface ChosenPort {
  port: number;
  /** What to tell the person, when it is not the port that was meant. */
  note: string | null;
}

const TRIES = 200;
/** Ports below 1024 need root; a replacement for 80 or 443 is looked for where everybody may listen: 8080, 8443. */
const UNPRIVILEGED = 8000;

/**
 * Chooses a port to listen on. The remembered one wins over a default, so that addresses stay; one set by hand is taken
 * as it is or refused.
 * @param purpose for messages, for example `the proxy’s HTTP port`
 * @param remembered what the last start used
 * @param ours whether we hold the remembered port ourselves just now (a proxy that goes on while the daemon is away)
 * @param chosen what this start will listen on already
 * @throws PortTaken
 */
export async function choosePort(
  setting: PortSetting,
  where: { host: string; purpose: string; remembered: number | null; ours: boolean; chosen?: readonly number[] },
): Promise<ChosenPort> {
  const { host, purpose, remembered, ours, chosen = [] } = where;
  const wanted = setting.explicit ? setting.port : (remembered ?? setting.port);
  const isOurs = chosen.includes(wanted);
  if (!isOurs && ((ours && wanted === remembered) || (await isFree(host, wanted)))) return { port: wanted, note: null };
  const taker = isOurs ? 'Davit itself' : (listeningProcess(wanted) ?? 'another process');
  const holder = `Port ${wanted} (${purpose}) is taken by ${taker}`;
  if (setting.explicit) throw new PortTaken(`${holder}: stop it, or choose another port.`);
  const first = wanted < 1024 ? UNPRIVILEGED + wanted : wanted + 1;
  for (let port = first; port < first + TRIES; port++) {
    if (!chosen.includes(port) && (await isFree(host, port)))
      return { port, note: `${holder}; ${port} is used instead, from now on.` };
  }
  throw new PortTaken(`${holder}, and so are the ${TRIES} after ${first}: choose one by hand.`);
}

function isFree(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}

/** Who listens on a TCP port, as `name (pid)`; null when that cannot be seen. */
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
    // The process ended meanwhile, or is not ours to look into.
    return false;
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // No such table on this kernel: then the holder stays unnamed.
    return '';
  }
}
