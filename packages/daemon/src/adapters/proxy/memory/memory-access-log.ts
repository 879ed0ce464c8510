import type { AccessLine, AccessListener, AccessLog } from '../access-log.ts';

export interface MemoryAccessLogControls {
  /** Tells of requests as the proxy would; while nobody listens it is lost. */
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
