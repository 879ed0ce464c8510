import type { TestDaemon } from '@davit/testkit';

/** Settings for an instance that restarts at the same address. The instance keeps the port of its first start. */
export class SameAddress {
  readonly settings: Record<string, string> = { listen: '127.0.0.1:0' };

  /** Stops the daemon. @returns a function that starts the daemon again at the same address */
  async away(daemon: TestDaemon): Promise<() => Promise<void>> {
    const { host } = new URL(daemon.url);
    await daemon.stop();
    return () => {
      this.settings.listen = host;
      return daemon.start();
    };
  }
}
