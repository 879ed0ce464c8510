/**
 * Certificate chains and keys on disk, where the proxy reads them at its start. Each certificate has one file, which
 * never changes after its creation. A certificate that the proxy could not load is removed from the list, because one
 * broken certificate must not prevent the start.
 */
import { X509Certificate } from 'node:crypto';
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { makeFolder, writeDurably } from '@davit/service/durable-files';
import type { CertificateProblem, RouteCertificate } from '../proxy.ts';
import { DEFAULT_CERTIFICATE } from './certificates.ts';
import { selfSigned } from './default-certificate.ts';

/** Number of files that are written durably in parallel. */
const LANES = 16;
const SUFFIX = '.pem';

export class CertificateFiles {
  readonly #folder: string;
  /** Names of the existing files, or `null` before the folder was read. */
  #present: Set<string> | null = null;
  /** Certificates that this process checked and wrote itself. */
  readonly #proven = new Set<string>();
  /** Reasons why certificates are not served, by name. */
  readonly #refused = new Map<string, string>();

  /** @param folder folder of the proxy */
  constructor(folder: string) {
    this.#folder = join(folder, 'certs');
  }

  /**
   * Writes the missing files.
   * @returns the certificates that the proxy may serve, and the problems of the other certificates
   */
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

  /** Reads the chain and key of a stored certificate. */
  read(name: string): Promise<string> {
    return readFile(this.#pathOf(name), 'utf8');
  }

  /**
   * Handles a certificate that the proxy rejected. A file of an earlier process is removed and written again. A file of
   * this process is not served as long as a table contains the certificate.
   */
  async refuse(name: string, reason: string): Promise<void> {
    if (this.#proven.has(name)) this.#refused.set(name, reason);
    else await this.#remove(name);
  }

  /** Removes all other certificates, which the proxy no longer serves. */
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

  /** Returns the chain and key, or `null` if they cannot be served. */
  #prove({ name, pem }: RouteCertificate): string | null {
    try {
      const text = pem();
      // Node.js and the proxy use the same TLS library. With the same requirements, the proxy accepts every certificate
      // that passes this check.
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
