import type { CleanPng } from './clean-png.ts';

/**
 * Message to the child process that encodes icons. The parent process must wait for the reply before it sends another
 * message.
 */
export interface EncodeRequest {
  icon: CleanPng;
}

/** Message from the child process that encodes icons. The first message is `ready`. */
export type EncodeAnswer =
  | { kind: 'ready' }
  | { kind: 'encoded'; png: Uint8Array }
  /** The icon is not a valid image. The catalog shows `reason` to the template author. */
  | { kind: 'refused'; reason: string };
