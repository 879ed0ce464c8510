import type { Volume } from '@davit/api';

const STATES: Record<Volume['state'], string> = { used: 'attached', kept: 'detached', trash: 'trash' };

/** Returns the text for the state of a volume. A detached volume is a volume that no app uses. */
export function volumeState({ state }: Pick<Volume, 'state'>): string {
  return STATES[state];
}
