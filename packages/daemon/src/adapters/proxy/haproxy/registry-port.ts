/**
 * Decides whether HAProxy listens on the registry's local port. HAProxy does not start if another program uses one of
 * its ports, and then all apps would be unreachable. HAProxy therefore gets this port only while the port is free.
 */
import { isPortFree } from '@davit/service';
import { portTaken } from '../../registry/port-taken.ts';
import { CannotListen } from './containers.ts';
import { LOCAL_ADDRESS, LOCAL_FRONTEND, localBind } from './registry-front.ts';
import { sendCommands } from './runtime.ts';

export interface RegistryPortParts {
  port: number;
  /** Returns the HAProxy configuration on disk, or an empty text if there is no configuration. */
  readConfig: () => Promise<string>;
  /** Returns whether a program could listen on an address. By default, the function tries to listen. */
  isFree?: (host: string, port: number) => Promise<boolean>;
  /** Returns whether the running HAProxy has the frontend of the port. By default, the function asks HAProxy. */
  isLoaded?: (socket: string) => Promise<boolean>;
}

export class RegistryPort {
  readonly #parts: RegistryPortParts;
  /**
   * `true` if HAProxy listens on the registry's local port. `null` before the first check. A check of the port alone
   * cannot tell whether HAProxy or another program uses the port.
   */
  #isHeld: boolean | null = null;
  /** `true` if the running HAProxy has loaded a configuration with the port. */
  #isConfirmed = false;
  #isRefused = false;

  constructor(parts: RegistryPortParts) {
    this.#parts = parts;
  }

  /** Returns the port if HAProxy may listen on it. Returns `null` while another program uses the port. */
  async usable(): Promise<number | null> {
    const { port, readConfig, isFree = isPortFree } = this.#parts;
    /*
     * The daemon writes only free ports to the configuration file. If the port is in the file, HAProxy usually listens
     * on the port. `checkReload` finds the exception: the daemon was killed before HAProxy loaded the file.
     */
    this.#isHeld ??= (await readConfig()).split('\n').some((line) => line.trim() === localBind(port));
    this.#isRefused = !this.#isHeld && !(await isFree(LOCAL_ADDRESS, port));
    return this.#isRefused ? null : port;
  }

  /** Records that HAProxy now uses the port that the last `usable` call returned. */
  confirm(): void {
    this.#isHeld = !this.#isRefused;
    this.#isConfirmed = this.#isHeld;
  }

  /**
   * Checks that HAProxy can listen on the port after a reload. If a reload fails because of a port, HAProxy accepts no
   * connections for about two seconds.
   * @param socket path of HAProxy's runtime socket
   * @throws CannotListen if another program uses the port
   */
  async checkReload(socket: string): Promise<void> {
    const { port, isFree = isPortFree, isLoaded = hasLocalFrontend } = this.#parts;
    if (this.#isRefused || this.#isConfirmed || (await isFree(LOCAL_ADDRESS, port)) || (await isLoaded(socket))) return;
    const address = `${LOCAL_ADDRESS}:${port}`;
    throw new CannotListen(portTaken(address), address);
  }

  /**
   * Records that HAProxy could not listen on an address.
   * @returns `true` if the address is the registry's local port; HAProxy must then start or reload without this port
   */
  refuse(address: string): boolean {
    if (this.#isRefused || address !== `${LOCAL_ADDRESS}:${this.#parts.port}`) return false;
    this.#isHeld = false;
    this.#isConfirmed = false;
    this.#isRefused = true;
    return true;
  }

  /** Message for users while another program uses the port, otherwise `null`. */
  get problem(): string | null {
    return this.#isRefused ? portTaken(`${LOCAL_ADDRESS}:${this.#parts.port}`) : null;
  }
}

async function hasLocalFrontend(socket: string): Promise<boolean> {
  const [answer = ''] = await sendCommands(socket, [`show stat ${LOCAL_FRONTEND} 1 -1`]);
  return answer.split('\n').some((line) => line.startsWith(`${LOCAL_FRONTEND},`));
}
