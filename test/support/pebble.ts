/**
 * A certificate authority for tests: Debian's `pebble`, and its DNS server, whose records a test sets. Both run as
 * processes with their own folder and ports.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@davit/testkit/ports';
import { PATIENCE_MS } from '@davit/testkit/waiting';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

export interface PebbleOptions {
  /** Port to which the authority sends its challenges: the HTTP port of the instance. */
  httpPort: number;
  /** Lifetime of certificates in seconds. */
  validitySeconds?: number;
  /** Percentage of nonces that the authority refuses, so that clients have to retry. */
  rejectNonces?: number;
  /** External accounts to which ACME accounts must be bound: key id to key in base64url. */
  externalAccounts?: Record<string, string>;
}

/** Starts both processes and resolves when they respond. */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-pebble-'));
  const ports = {
    acme: await freePort(),
    management: await freePort(),
    dns: await freePort(),
    names: await freePort(),
  };
  const authority = await makeAuthority();
  const pebble = new Pebble(folder, ports, authority.root, options);
  try {
    await writeFile(join(folder, 'cert.pem'), authority.certificate);
    await writeFile(join(folder, 'key.pem'), authority.key);
    await pebble.start();
    return pebble;
  } catch (error) {
    await pebble[Symbol.asyncDispose]();
    throw error;
  }
}

interface Ports {
  acme: number;
  management: number;
  dns: number;
  /** Port at which the records of the DNS server are set. */
  names: number;
}

export class Pebble implements AsyncDisposable {
  /** URL of the ACME directory. */
  readonly directory: string;
  /** CA certificate of the authority's own HTTPS server, in PEM. */
  readonly trustedCa: string;
  /** `address:port` of the DNS server. */
  readonly resolver: string;
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #options: PebbleOptions;
  readonly #written: string[] = [];
  #children: ChildProcess[] = [];

  constructor(folder: string, ports: Ports, trustedCa: string, options: PebbleOptions) {
    this.#folder = folder;
    this.#ports = ports;
    this.#options = options;
    this.trustedCa = trustedCa;
    this.directory = `https://localhost:${ports.acme}/dir`;
    this.resolver = `127.0.0.1:${ports.dns}`;
  }

  /** Settings with which an instance orders certificates here. */
  get settings() {
    const { directory, trustedCa: trusted_ca, resolver } = this;
    return { acme: { email: 'admin@example.com', directory, trusted_ca, resolver } };
  }

  /** Number of certificates that were ordered since the first start. */
  get orders(): number {
    return this.#written.join('').match(/POST \/order-plz/g)?.length ?? 0;
  }

  /** Output of both processes. */
  get log(): string {
    return this.#written.join('');
  }

  /** Starts without accounts and other state, at the same addresses. */
  async start(): Promise<void> {
    const { acme, management, dns, names } = this.#ports;
    const { httpPort, validitySeconds, rejectNonces = 0, externalAccounts } = this.#options;
    const config = {
      listenAddress: `127.0.0.1:${acme}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: join(this.#folder, 'cert.pem'),
      privateKey: join(this.#folder, 'key.pem'),
      httpPort,
      tlsPort: 9,
      ocspResponderURL: '',
      externalAccountBindingRequired: externalAccounts !== undefined,
      ...(externalAccounts && { externalAccountMACKeys: externalAccounts }),
      ...(validitySeconds !== undefined && { certificateValidityPeriod: validitySeconds }),
    };
    const file = join(this.#folder, 'pebble.json');
    await writeFile(file, JSON.stringify({ pebble: config }));
    this.#run('pebble-challtestsrv', [
      ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${names}`, '-defaultIPv6', ''],
      ...['-http01', '', '-https01', '', '-tlsalpn01', ''],
    ]);
    this.#run('pebble', ['-config', file, '-dnsserver', this.resolver], {
      PEBBLE_VA_NOSLEEP: '1',
      // Each order must be validated, even if the name was validated before.
      PEBBLE_AUTHZREUSE: '0',
      PEBBLE_WFE_NONCEREJECT: String(rejectNonces),
    });
    await this.#answers();
  }

  /** Kills both processes, like a power loss. */
  async stop(): Promise<void> {
    const children = this.#children;
    this.#children = [];
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }

  /** Makes a name resolve to an address. With null, its resolution fails. */
  async resolve(host: string, address: string | null): Promise<void> {
    if (address === null) await this.names('/set-servfail', { host: `${host}.` });
    else {
      await this.names('/clear-servfail', { host: `${host}.` });
      await this.names('/add-a', { host: `${host}.`, addresses: [address] });
    }
  }

  /** Sends a command to the DNS server, such as `/set-txt`. */
  async names(path: string, body: object): Promise<void> {
    const url = `http://127.0.0.1:${this.#ports.names}${path}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  /** Returns the root certificate of issued certificates, in PEM. */
  root(): Promise<string> {
    return this.#get(this.#ports.management, '/roots/0');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #run(command: string, args: string[], env: Record<string, string> = {}): void {
    const path = process.env.PATH ?? '';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: path, ...env } });
    child.stdout?.on('data', (data) => this.#written.push(String(data)));
    child.stderr?.on('data', (data) => this.#written.push(String(data)));
    this.#children.push(child);
  }

  async #answers(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        await this.#get(this.#ports.acme, '/dir');
        return await this.names('/clear-request-history', { host: 'nobody.', type: 'dns' });
      } catch (cause) {
        if (performance.now() > deadline) throw new Error(`pebble does not answer: ${this.log}`, { cause });
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
  }

  async #get(port: number, path: string): Promise<string> {
    const clientRequest = request({ host: 'localhost', port, path, ca: this.trustedCa, agent: false }).end();
    const [response] = await once(clientRequest, 'response');
    return text(response);
  }
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** Creates a root certificate and a certificate for `localhost` that it signed, in PEM. */
async function makeAuthority(): Promise<{ root: string; certificate: string; key: string }> {
  x509.cryptoProvider.set(webcrypto as Crypto);
  const from = new Date(Date.now() - DAY_MS);
  const until = new Date(Date.now() + 30 * DAY_MS);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test root',
    notBefore: from,
    notAfter: until,
    signingAlgorithm: ALGORITHM,
    keys: keys as webcrypto.CryptoKeyPair,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  const own = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: root.subject,
    notBefore: from,
    notAfter: until,
    signingAlgorithm: ALGORITHM,
    publicKey: own.publicKey as CryptoKey,
    signingKey: keys.privateKey as CryptoKey,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey)).toString('base64');
  const pem = `-----BEGIN PRIVATE KEY-----\n${key.replace(/(.{64})/g, '$1\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
  return { root: root.toString('pem'), certificate: certificate.toString('pem'), key: pem };
}
