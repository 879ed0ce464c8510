/**
 * Chains and keys on disk, where the proxy reads them when it starts: one file each, never changed once it is there.
 * What the proxy could not load is kept out of its list: one broken certificate must not keep it from starting.
 */
import { X509Certificate } from 'node:crypto';
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { makeFolder, writeDurably } from '@davit/service/durable-files';
import type { CertificateProblem, RouteCertificate } from '../proxy.ts';
import { DEFAULT_CERTIFICATE } from './certificates.ts';
import { selfSigned } from './default-certificate.ts';

/** How many files are made durable at a time. */
const LANES = 16;
const SUFFIX = '.pem';

export class CertificateFiles {
  readonly #folder: string;
  /** The names of the files that are there; null until the folder was read. */
  #present: Set<string> | null = null;
  /** What this process has written itself: it was good then. */
  readonly #proven = new Set<string>();
  /** What is not to be served, and why. */
  readonly #refused = new Map<string, string>();

  /** @param folder the proxy's own */
  constructor(folder: string) {
    this.#folder = join(folder, 'certs');
  }

  /** Writes what is missing. @returns those that the proxy may be told of, and why the others not */
  async store(
    certificates: RouteCertificate[],
  ): Promise<{ served: RouteCertificate[]; problems: CertificateProblem[] }> {
    const present = await this.#open();
    const wanted = new Set(certificates.map(({ name }) => name));
    for (const name of this.#refused.keys()) if (!wanted.has(name)) this.#refused.delete(name);
    const missing = certificates.filter(({ name }) => !present.has(name) && !this.#refused.has(name));
    const next = missing.values();
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (const certificate of next) await this.#store(certificate);
      }),
    );
    return {
      served: certificates.filter(({ name }) => !this.#refused.has(name)),
      problems: [...this.#refused].map(([name, reason]) => ({ name, reason })),
    };
  }

  /** Chain and key of one that was stored. */
  read(name: string): Promise<string> {
    return readFile(this.#pathOf(name), 'utf8');
  }

  /** The proxy did not take it: a file from before is written anew, else it is not served for as long as it is wanted. */
  async refuse(name: string, reason: string): Promise<void> {
    if (this.#proven.has(name)) this.#refused.set(name, reason);
    else await this.#remove(name);
  }

  /** Removes what the proxy does not serve any more. */
  async keepOnly(names: Iterable<string>): Promise<void> {
    const keep = new Set([DEFAULT_CERTIFICATE, ...names]);
    for (const name of await this.#open()) if (!keep.has(name)) await this.#remove(name);
  }

  async #remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true });
    this.#present?.delete(name);
    this.#proven.delete(name);
  }

  async #open(): Promise<Set<string>> {
    if (this.#present !== null) return this.#present;
    await makeFolder(this.#folder, 0o700);
    await chmod(this.#folder, 0o700);
    const files = await readdir(this.#folder);
    const present = new Set(files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length)));
    if (!present.has(DEFAULT_CERTIFICATE)) await writeDurably(this.#pathOf(DEFAULT_CERTIFICATE), await selfSigned());
    this.#present = present.add(DEFAULT_CERTIFICATE);
    return present;
  }

  async #store(certificate: RouteCertificate): Promise<void> {
    const { name } = certificate;
    const text = this.#prove(certificate);
    if (text === null) return;
    await writeDurably(this.#pathOf(name), text);
    this.#present?.add(name);
    this.#proven.add(name);
  }

  /** Chain and key; null when they cannot be served. */
  #prove({ name, pem }: RouteCertificate): string | null {
    try {
      const text = pem();
      // The same library as the proxy's, with the same demands: what it takes the proxy takes.
      new X509Certificate(text);
      createSecureContext({ cert: text, key: text, ciphers: 'DEFAULT@SECLEVEL=2' });
      return text;
    } catch (error) {
      this.#refused.set(name, `The certificate cannot be used: ${(error as Error).message}.`);
      return null;
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}${SUFFIX}`);
  }
}
