/**
 * Decides whether HAProxy listens on the registry's local port. HAProxy does not start if another program uses one of
 * its ports, and then all apps would be unreachable. HAProxy therefore gets this port only while the port is free.
 */
import { isPortFree } from '@davit/service';
import { portTaken } from '../../registry/port-taken.ts';
import { LOCAL_ADDRESS, localBind } from './registry-front.ts';

export interface RegistryPortParts {
  port: number;
  /** Returns the HAProxy configuration on disk, or an empty text if there is no configuration. */
  readConfig: () => Promise<string>;
  /** Returns whether a program could listen on an address. By default, the function tries to listen. */
  isFree?: (host: string, port: number) => Promise<boolean>;
}

export class RegistryPort {
  readonly #parts: RegistryPortParts;
  /**
   * `true` if HAProxy listens on the registry's local port. `null` before the first check. A check of the port alone
   * cannot tell whether HAProxy or another program uses the port.
   */
  #isHeld: boolean | null = null;
  #isRefused = false;

  constructor(parts: RegistryPortParts) {
    this.#parts = parts;
  }

  /** Returns the port if HAProxy may listen on it. Returns `null` while another program uses the port. */
  async usable(): Promise<number | null> {
    const { port, readConfig, isFree = isPortFree } = this.#parts;
    // The daemon writes only free ports to the configuration file. If the port is in the file, HAProxy usually listens
    // on the port. If the daemon was killed before HAProxy loaded the file, the reload may fail. The caller then calls
    // `refuse`.
    this.#isHeld ??= (await readConfig()).split('\n').some((line) => line.trim() === localBind(port));
    this.#isRefused = !this.#isHeld && !(await isFree(LOCAL_ADDRESS, port));
    return this.#isRefused ? null : port;
  }

  /** Records that HAProxy now uses the port that the last `usable` call returned. */
  confirm(): void {
    this.#isHeld = !this.#isRefused;
  }

  /**
   * Records that HAProxy could not listen on an address.
   * @returns `true` if the address is the registry's local port; HAProxy must then start or reload without this port
   */
  refuse(address: string): boolean {
    if (this.#isRefused || address !== `${LOCAL_ADDRESS}:${this.#parts.port}`) return false;
    this.#isHeld = false;
    this.#isRefused = true;
    return true;
  }

  /** Message for users while another program uses the port, otherwise `null`. */
  get problem(): string | null {
    return this.#isRefused ? portTaken(`${LOCAL_ADDRESS}:${this.#parts.port}`) : null;
  }
}
