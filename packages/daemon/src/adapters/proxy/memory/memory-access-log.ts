import type { AccessLine, AccessListener, AccessLog } from '../access-log.ts';

export interface MemoryAccessLogControls {
  /**
   * Passes access log lines to the listener of the simulated access log. If there is no listener, the lines are lost.
   */
  tell(lines: readonly AccessLine[]): void;
}

export function createMemoryAccessLog(): AccessLog & MemoryAccessLogControls {
  let listener: AccessListener | null = null;
  return {
    async start(given) {
      listener = given;
    },
    tell: (lines) => listener?.take(lines),
    async [Symbol.asyncDispose]() {
      listener = null;
    },
  };
}
