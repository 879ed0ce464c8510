import type { TestDaemon } from '@davit/testkit';

/** Settings for an instance that is to come back at the same address: it takes whichever port it got at first. */
export class SameAddress {
  readonly settings: Record<string, string> = { listen: '127.0.0.1:0' };

  /** Stops it; what is returned brings it back where it was. */
  async away(daemon: TestDaemon): Promise<() => Promise<void>> {
    const { host } = new URL(daemon.url);
    await daemon.stop();
    return () => {
      this.settings.listen = host;
      return daemon.start();
    };
  }
}
