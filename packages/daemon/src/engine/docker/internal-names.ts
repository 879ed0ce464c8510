/**
 * Internal names, published when an instance is ready and withdrawn when it is drained.
 *
 * One small resolver a Davit (dnsmasq, without rights), joined to each of its networks under a fixed address that every
 * instance asks first. What it answers stands in one file; it is told of a change by the kernel. It lives without the
 * daemon and comes back with the machine. The engine's own aliases would do neither: they resolve from the start of a
 * container, ready or not, and are kept by clients for ten minutes.
 */
import { createHash } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineRefused } from '../errors.ts';
import { assertHostName } from '../names.ts';
import type { NameRecord, Network } from '../network.ts';
import { namesAddress } from '../subnets.ts';
import type { NamesContainer } from './names-container.ts';
import type { DockerNetworks } from './networks.ts';

/** The marker's address: reserved for examples, nothing is ever there. */
const MARKER_ADDRESS = '192.0.2.1';

/** How long a running resolver may take to read a change; it takes about a millisecond. */
const READ_WITHIN_MS = 1000;

/** How long a resolver may take that was just started. */
const START_WITHIN_MS = 15_000;

const ASK_AGAIN_MS = 2;

export class InternalNames {
  readonly #container: NamesContainer;
  readonly #networks: DockerNetworks;
  readonly #folder: string;
  /** One publication after the other: each is the whole state, the last one stands. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param folder on the engine's machine; the resolver reads it and only the daemon writes it */
  constructor(container: NamesContainer, networks: DockerNetworks, folder: string) {
    this.#container = container;
    this.#networks = networks;
    this.#folder = folder;
  }

  /** Resolves when the resolver answers with the records, and with nothing else. */
  async publish(records: NameRecord[]): Promise<void> {
    const text = hostsText(records);
    const work = this.#last.then(() => this.#publish(text));
    this.#last = work.catch(() => undefined);
    await work;
  }

  async #publish(text: string): Promise<void> {
    await this.prepareFolder();
    if ((await this.#read()) !== text) await this.#write(text);
    const [network] = await this.#networks.list();
    // Without a network there is nobody to ask; the file is there for the first one.
    if (network === undefined || (await answers(network, text, READ_WITHIN_MS))) return;
    await this.#container.ensure();
    if (await answers(network, text, READ_WITHIN_MS)) return;
    // It runs and does not see the file: the folder behind its mount was replaced by another.
    await this.#container.replace();
    if (await answers(network, text, START_WITHIN_MS)) return;
    throw new EngineRefused(
      `publish names: the resolver ${this.#container.name} does not answer at ${namesAddress(network.subnet)}: see its log`,
    );
  }

  /** The resolver runs as nobody: it can read what is written here, whatever the daemon's own file mode is. */
  async prepareFolder(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await chmod(this.#folder, 0o755);
  }

  async #read(): Promise<string | null> {
    return readFile(join(this.#folder, 'hosts'), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
  }

  /** The resolver passes over names with a dot in front, so it never reads half a file. */
  async #write(text: string): Promise<void> {
    const draft = join(this.#folder, '.hosts');
    await writeFile(draft, text);
    await chmod(draft, 0o644);
    await rename(draft, join(this.#folder, 'hosts'));
  }
}

/**
 * The file's content: a line an address, in the same order for the same records, and one name that stands for exactly
 * this content, by which one can ask whether it was read.
 * @throws EngineRefused for what is not a host name
 */
export function hostsText(records: NameRecord[]): string {
  const lines: string[] = [];
  for (const { name, addresses } of records) {
    assertHostName(name);
    for (const address of addresses) lines.push(`${address} ${name}`);
  }
  const content = [...new Set(lines)]
    .sort()
    .map((line) => `${line}\n`)
    .join('');
  return `${content}${MARKER_ADDRESS} ${markerOf(content)}\n`;
}

function markerOf(content: string): string {
  return `v-${createHash('sha256').update(content).digest('hex').slice(0, 32)}.davit.internal`;
}

/** Whether the resolver answers from this text, asked until it does or the time is over. */
async function answers(network: Network, text: string, withinMs: number): Promise<boolean> {
  const marker = text.trimEnd().split(' ').at(-1) ?? '';
  const resolver = new Resolver({ timeout: 250, tries: 1 });
  resolver.setServers([namesAddress(network.subnet)]);
  const end = performance.now() + withinMs;
  do {
    const found = await resolver.resolve4(marker).catch((): string[] => []);
    if (found.includes(MARKER_ADDRESS)) return true;
    await delay(ASK_AGAIN_MS);
  } while (performance.now() < end);
  return false;
}
