import type { CleanPng } from './clean-png.ts';

/** Request to the process that encodes icons. Concurrent requests are not allowed. */
export interface EncodeRequest {
  icon: CleanPng;
}

/** Answer of the process. The first message is `ready`. */
export type EncodeAnswer =
  | { kind: 'ready' }
  | { kind: 'encoded'; png: Uint8Array }
  /** Reason why the pixels are invalid. */
  | { kind: 'refused'; reason: string };
