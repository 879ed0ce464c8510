/**
 * Publishes internal DNS names of apps. A name is published only when a replica is ready. Docker's own network aliases
 * resolve too early, and clients cache the addresses.
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

/**
 * Test address in the last line of each `hosts` file. If its name resolves, dnsmasq has loaded the file. RFC 5737
 * reserves the address for documentation.
 */
const MARKER_ADDRESS = '192.0.2.1';

/**
 * Maximum time in milliseconds until a running dnsmasq has loaded a changed `hosts` file. Normally, dnsmasq needs about
 * 1 ms.
 */
const READ_WITHIN_MS = 1000;

/** Maximum time in milliseconds until a new DNS resolver container must respond. */
const START_WITHIN_MS = 15_000;

const POLL_INTERVAL_MS = 2;

/** Content of the `hosts` file for the dnsmasq process of one network. */
interface Page {
  network: string;
  /** IP address of the DNS resolver's container on the network. */
  address: string;
  text: string;
}

export class InternalNames {
  readonly #container: NamesContainer;
  readonly #networks: DockerNetworks;
  readonly #folder: NamesFolder;
  #records: NameRecord[] = [];
  /**
   * Promise of the last queued `publish` call. The calls run one at a time, because each call replaces all internal
   * DNS names.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(container: NamesContainer, networks: DockerNetworks, folder: NamesFolder) {
    this.#container = container;
    this.#networks = networks;
    this.#folder = folder;
  }

  /**
   * Publishes internal DNS names. The promise resolves when the DNS resolver returns exactly the given names on each
   * network.
   */
  async publish(records: NameRecord[]): Promise<void> {
    for (const { name } of records) assertHostName(name);
    await this.#serially(async () => {
      this.#records = records;
      await this.#publish(await this.#networks.list());
    });
  }

  /**
   * Connects the DNS resolver to a network. The promise resolves when the DNS resolver returns the last published names
   * on this network.
   */
  async join(network: Network): Promise<void> {
    await this.#serially(async () => {
      await this.#folder.prepare();
      const page = this.#page(network);
      /*
       * Blocks Docker's names `<container>.<network>` before the DNS resolver joins the network. Otherwise, the DNS
       * resolver could resolve these names.
       */
      const networks = await this.#networks.list();
      await this.#hide(networks);
      /*
       * Keeps an existing `hosts` file after a daemon restart. The names in the file are valid until the daemon writes
       * new names.
       */
      const text = await this.#folder.read(page.address);
      if (text === null) await this.#folder.write(page.address, page.text);
      await this.#ensureAnswers([{ ...page, text: text ?? page.text }]);
    });
  }

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

  /**
   * Starts the DNS resolver and waits until it has loaded the `hosts` files. The `hosts` files must exist before the
   * call.
   * @throws EngineRefused if the DNS resolver does not respond
   */
  async #ensureAnswers(pages: Page[]): Promise<void> {
    const isStarting = await this.#container.ensure();
    await this.#folder.wake(pages.map(({ address }) => address));
    const silent = await silentOf(pages, isStarting ? START_WITHIN_MS : READ_WITHIN_MS);
    if (silent.length === 0) return;
    // The mounted folder was probably deleted and created again. A new container is needed to mount the new folder.
    await this.#container.replace();
    const [still] = await silentOf(silent, START_WITHIN_MS);
    if (still === undefined) return;
    throw new EngineRefused(
      `The DNS resolver ${this.#container.name} does not respond at ${still.address}. Read the log of its container.`,
    );
  }

  /**
   * Writes a file with the names of all networks. dnsmasq then does not forward queries for `<container>.<network>` to
   * Docker's DNS server.
   */
  async #hide(networks: Network[]): Promise<void> {
    const isNew = await this.#folder.writeNetworks(networks.map(({ name }) => name));
    if (isNew) await this.#folder.wake(await this.#folder.addresses());
  }

  /** Writes changed `hosts` files. Deletes the folders of networks that no longer exist. */
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

  /** Returns whether the DNS resolver has loaded the current internal names and responds on every network. */
  async isAnswering(): Promise<boolean> {
    const pages = (await this.#networks.list()).map((network) => this.#page(network));
    return (await silentOf(pages, START_WITHIN_MS)).length === 0;
  }
}

/**
 * Returns the content of a `hosts` file. The name in the last line is a hash of the content. If this name resolves,
 * dnsmasq has loaded the file.
 * @throws EngineRefused
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

/** Returns the networks on which the DNS resolver did not return the new names before the timeout. */
async function silentOf(pages: Page[], withinMs: number): Promise<Page[]> {
  const found = await Promise.all(pages.map((page) => answers(page, withinMs)));
  return pages.filter((_, index) => !found[index]);
}

/** Returns whether the DNS resolver has loaded a `hosts` file. The query is repeated until the timeout. */
async function answers({ address, text }: Page, withinMs: number): Promise<boolean> {
  const marker = text.trimEnd().split(' ').at(-1) ?? '';
  const resolver = new Resolver({ timeout: 250, tries: 1 });
  resolver.setServers([address]);
  const end = performance.now() + withinMs;
  do {
    const found = await resolver.resolve4(marker).catch((): string[] => []);
    if (found.includes(MARKER_ADDRESS)) return true;
    await delay(POLL_INTERVAL_MS);
  } while (performance.now() < end);
  return false;
}
