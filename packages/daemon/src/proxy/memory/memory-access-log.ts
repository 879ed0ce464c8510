import type { AccessLine, AccessLog } from '../access-log.ts';

export interface MemoryAccessLogControls {
  /** Tells of requests as the proxy would; while nobody listens it is lost. */
  tell(lines: readonly AccessLine[]): void;
}

export function createMemoryAccessLog(): AccessLog & MemoryAccessLogControls {
  let listener: ((lines: readonly AccessLine[]) => void) | null = null;
  return {
    async start(take) {
      listener = take;
    },
    tell: (lines) => listener?.(lines),
    async [Symbol.asyncDispose]() {
      listener = null;
    },
  };
}
