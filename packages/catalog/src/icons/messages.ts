import type { CleanPng } from './clean-png.ts';

/** What the process that decodes icons is asked; one at a time. */
export interface EncodeRequest {
  icon: CleanPng;
}

/** Its first word is that it is ready. */
export type EncodeAnswer =
  | { kind: 'ready' }
  | { kind: 'encoded'; png: Uint8Array }
  /** Why the pixels are none. */
  | { kind: 'refused'; reason: string };
