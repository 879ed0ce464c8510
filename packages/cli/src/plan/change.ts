/**
 * Sign at the start of a line in a plan. `+`: Davit creates the named resource or setting. `~`: Davit changes it. `-`:
 * Davit resets it to its default. `=`: davit.yaml does not contain it, so it stays unchanged.
 */
export type Sign = '+' | '~' | '-' | '=';

export interface Change {
  sign: Sign;
  kind: 'project' | 'environment' | 'app' | 'setting' | 'variable' | 'domain' | 'volume';
  name: string;
  /** Current value as text. `null` if there is no current value or the value is secret. */
  from: string | null;
  to: string | null;
}
