import type { CleanPng } from './clean-png.ts';

/** Message to the icon process. The next message may be sent only after the reply. */
export interface EncodeRequest {
  icon: CleanPng;
}

/** Message from the icon process. `ready` is the first message. */
export type EncodeAnswer =
  | { kind: 'ready' }
  | { kind: 'encoded'; png: Uint8Array }
  /** The image is invalid. The reason is shown to the author of the icon. */
  | { kind: 'refused'; reason: string };
