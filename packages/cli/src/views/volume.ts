import type { Volume } from '@davit/api';

const STATES: Record<Volume['state'], string> = { used: 'used', kept: 'detached', trash: 'trash' };

/** Returns the state of a volume as users read it. No app uses a detached volume. */
export function volumeState({ state }: Pick<Volume, 'state'>): string {
  return STATES[state];
}
