/**
 * Internal names, published when an instance is ready and withdrawn when it is drained.
 *
 * One container for each Davit, joined to each of its networks under a fixed address that every instance queries first.
 * It runs one dnsmasq for each network, which has only the names of that network. It runs without the daemon and
 * restarts with the server. Aliases of the engine are no replacement: they resolve before a container is ready, and
 * clients cache them for ten minutes.
 */
import { createHash } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineRefused } from '../../errors.ts';
import { assertHostName } from '../../names.ts';
import type { NameRecord, Network } from '../../network.ts';
import { namesAddress } from '../../subnets.ts';
import type { DockerNetworks } from '../networks/networks.ts';
import type { NamesContainer } from './container.ts';
import type { NamesFolder } from './folder.ts';

/** The marker's address: reserved for examples, nothing is ever there. */
const MARKER_ADDRESS = '192.0.2.1';

/** How long a running resolver may take to read a change; it takes about a millisecond. */
const READ_WITHIN_MS = 1000;

/** How long a resolver may take that was just started. */
const START_WITHIN_MS = 15_000;

const ASK_AGAIN_MS = 2;

/** What the resolver of one network is to answer from. */
interface Page {
  network: string;
  /** Of the resolver on that network. */
  address: string;
  text: string;
}

export class InternalNames {
  readonly #container: NamesContainer;
  readonly #networks: DockerNetworks;
  readonly #folder: NamesFolder;
  #records: NameRecord[] = [];
  /** One publication after the other: each is the whole state, the last one stands. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(container: NamesContainer, networks: DockerNetworks, folder: NamesFolder) {
    this.#container = container;
    this.#networks = networks;
    this.#folder = folder;
  }

  /** Resolves when the resolver answers on each network with the records of that network, and with nothing else. */
  async publish(records: NameRecord[]): Promise<void> {
    for (const { name } of records) assertHostName(name);
    await this.#serially(async () => {
      this.#records = records;
      await this.#publish(await this.#networks.list());
    });
  }

  /** Resolves when the resolver answers on a network, with the names that were published last. */
  async join(network: Network): Promise<void> {
    await this.#serially(async () => {
      await this.#folder.prepare();
      const page = this.#page(network);
      // Before the resolver is on the network: from then on the engine's resolver finds its containers.
      const networks = await this.#networks.list();
      await this.#hide(networks);
      // After a restart of the daemon, the file on disk has names that this process does not have yet.
      const text = await this.#folder.read(page.address);
      if (text === null) await this.#folder.write(page.address, page.text);
      await this.#ensureAnswers([{ ...page, text: text ?? page.text }]);
    });
  }

  /** Takes the resolver off a network. */
  async leave(network: Network): Promise<void> {
    const address = namesAddress(network.subnet);
    await this.#serially(async () => {
      await this.#folder.remove(address);
      await this.#folder.wake([address]);
      await this.#container.leave(network.name);
    });
  }

  async #publish(networks: Network[]): Promise<void> {
    await this.#folder.prepare();
    const pages = networks.map((network) => this.#page(network));
    await this.#hide(networks);
    await this.#write(pages);
    const silent = await silentOf(pages, READ_WITHIN_MS);
    if (silent.length > 0) await this.#ensureAnswers(silent);
  }

  /** Makes the resolver run, join these networks and answer there from these texts, which are on disk. */
  async #ensureAnswers(pages: Page[]): Promise<void> {
    const isStarting = await this.#container.ensure();
    await this.#folder.wake(pages.map(({ address }) => address));
    const silent = await silentOf(pages, isStarting ? START_WITHIN_MS : READ_WITHIN_MS);
    if (silent.length === 0) return;
    // It runs and does not see the file: the folder behind its mount was replaced by another.
    await this.#container.replace();
    const [still] = await silentOf(silent, START_WITHIN_MS);
    if (still === undefined) return;
    throw new EngineRefused(
      `publish names: the resolver ${this.#container.name} does not answer at ${still.address}: see its log`,
    );
  }

  /** Keeps the resolver from asking the engine for containers by the names of these networks. */
  async #hide(networks: Network[]): Promise<void> {
    const isNew = await this.#folder.writeNetworks(networks.map(({ name }) => name));
    if (isNew) await this.#folder.wake(await this.#folder.addresses());
  }

  /** Writes what has changed, and removes what belongs to no network. */
  async #write(pages: Page[]): Promise<void> {
    const changed: string[] = [];
    for (const { address, text } of pages) {
      if ((await this.#folder.read(address)) === text) continue;
      await this.#folder.write(address, text);
      changed.push(address);
    }
    const wanted = new Set(pages.map(({ address }) => address));
    for (const address of await this.#folder.addresses()) {
      if (wanted.has(address)) continue;
      await this.#folder.remove(address);
      changed.push(address);
    }
    await this.#folder.wake(changed);
  }

  #page({ name, subnet }: Network): Page {
    const records = this.#records.filter((record) => record.network === name);
    return { network: name, address: namesAddress(subnet), text: hostsText(records) };
  }

  async #serially(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    await done;
  }

  /** Whether the resolver answers on each network with the names that were published last. */
  async isAnswering(): Promise<boolean> {
    const pages = (await this.#networks.list()).map((network) => this.#page(network));
    return (await silentOf(pages, START_WITHIN_MS)).length === 0;
  }
}

/**
 * The file's content: a line an address, in the same order for the same records, and one name that stands for exactly
 * this content, by which one can ask whether it was read.
 * @throws EngineRefused for what is not a host name
 */
export function hostsText(records: Pick<NameRecord, 'name' | 'addresses'>[]): string {
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

/** Returns the networks whose resolver does not answer from the new text in time. */
async function silentOf(pages: Page[], withinMs: number): Promise<Page[]> {
  const found = await Promise.all(pages.map((page) => answers(page, withinMs)));
  return pages.filter((_, index) => !found[index]);
}

/** Whether the resolver answers from this text, asked until it does or the time is over. */
async function answers({ address, text }: Page, withinMs: number): Promise<boolean> {
  const marker = text.trimEnd().split(' ').at(-1) ?? '';
  const resolver = new Resolver({ timeout: 250, tries: 1 });
  resolver.setServers([address]);
  const end = performance.now() + withinMs;
  do {
    const found = await resolver.resolve4(marker).catch((): string[] => []);
    if (found.includes(MARKER_ADDRESS)) return true;
    await delay(ASK_AGAIN_MS);
  } while (performance.now() < end);
  return false;
}
