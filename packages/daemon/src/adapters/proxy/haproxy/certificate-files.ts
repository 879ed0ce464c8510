/**
 * Stores TLS certificates in files that never change. HAProxy does not start with an invalid certificate, so HAProxy's
 * certificate list omits rejected certificates.
 */
import { X509Certificate } from 'node:crypto';
import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { makeFolder, writeDurably } from '@davit/service/durable-files';
import type { CertificateProblem, RouteCertificate } from '../proxy.ts';
import { DEFAULT_CERTIFICATE } from './certificates.ts';
import { selfSigned } from './default-certificate.ts';

/** Maximum number of certificate files that are written to disk at the same time. */
const LANES = 16;
const SUFFIX = '.pem';

export class CertificateFiles {
  readonly #folder: string;
  /** Names of the certificates with a file in the certificate folder. `null` until the daemon has read the folder. */
  #present: Set<string> | null = null;
  /** Names of the certificates whose files this daemon process has checked and written. */
  readonly #proven = new Set<string>();
  /** Map from certificate name to the reason why HAProxy does not serve the certificate. */
  readonly #refused = new Map<string, string>();

  /** @param folder folder of HAProxy's files on the host */
  constructor(folder: string) {
    this.#folder = join(folder, 'certs');
  }

  /**
   * Checks certificates and writes the missing certificate files.
   * @returns the certificates that HAProxy may serve, and the problems of all other certificates
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

  /** Returns the certificate chain and private key of a stored TLS certificate in PEM format. */
  read(name: string): Promise<string> {
    return readFile(this.#pathOf(name), 'utf8');
  }

  /**
   * Handles a certificate that HAProxy rejected. If an earlier daemon process wrote the file, the file is deleted. The
   * certificate is then checked and written again.
   */
  async refuse(name: string, reason: string): Promise<void> {
    /*
     * This daemon process wrote the file, so HAProxy would also reject a new file. HAProxy does not get the certificate
     * again.
     */
    if (this.#proven.has(name)) this.#refused.set(name, reason);
    else await this.#remove(name);
  }

  /** Deletes all certificate files except the files with the given names and the default certificate. */
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

  /** Returns a certificate chain and its private key in PEM format. Returns `null` if Node.js cannot use them. */
  #prove({ name, pem }: RouteCertificate): string | null {
    try {
      const text = pem();
      /*
       * Node.js gets the same OpenSSL settings as HAProxy (`SECLEVEL=2`), so HAProxy accepts every certificate that
       * Node.js accepts.
       */
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
