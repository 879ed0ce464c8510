/**
 * Decides whether HAProxy listens on the registry's local port. HAProxy does not start if another program uses one of
 * its ports, so it gets this port only while it is free. Otherwise, such a program would make all apps unreachable.
 */
import { isPortFree } from '@davit/service';
import { portTaken } from '../../registry/port-taken.ts';
import { LOCAL_ADDRESS, localBind } from './registry-front.ts';

export interface RegistryPortParts {
  port: number;
  /** Returns the HAProxy configuration on disk, or an empty text if there is none. */
  readConfig: () => Promise<string>;
  /** Returns whether a program could listen on an address. Default: tries it. */
  isFree?: (host: string, port: number) => Promise<boolean>;
}

export class RegistryPort {
  readonly #parts: RegistryPortParts;
  /**
   * `true` if HAProxy listens on the registry's local port, and `null` before the first check. The value is needed,
   * because a check of the port cannot distinguish HAProxy from another program that uses the port.
   */
  #isHeld: boolean | null = null;
  #isRefused = false;

  constructor(parts: RegistryPortParts) {
    this.#parts = parts;
  }

  /** Returns the port if HAProxy may listen on it, or `null` while another program uses it. */
  async usable(): Promise<number | null> {
    const { port, readConfig, isFree = isPortFree } = this.#parts;
    // The daemon writes only a free port into the configuration, so HAProxy usually uses a port that is in the file. If
    // the daemon was killed before HAProxy loaded the file, the reload may fail, and the caller calls `refuse`.
    this.#isHeld ??= (await readConfig()).split('\n').some((line) => line.trim() === localBind(port));
    this.#isRefused = !this.#isHeld && !(await isFree(LOCAL_ADDRESS, port));
    return this.#isRefused ? null : port;
  }

  /** Records that HAProxy now runs with the port that the last call of `usable` returned. */
  confirm(): void {
    this.#isHeld = !this.#isRefused;
  }

  /**
   * Records that HAProxy could not listen on an address.
   * @returns `true` if the address is the registry's local port, so that HAProxy must start or reload without this port
   */
  refuse(address: string): boolean {
    if (this.#isRefused || address !== `${LOCAL_ADDRESS}:${this.#parts.port}`) return false;
    this.#isHeld = false;
    this.#isRefused = true;
    return true;
  }

  /** Message for users if another program uses the port, otherwise `null`. */
  get problem(): string | null {
    return this.#isRefused ? portTaken(`${LOCAL_ADDRESS}:${this.#parts.port}`) : null;
  }
}
