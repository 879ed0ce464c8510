/** `+` is made, `~` becomes another, `-` goes back to its default, `=` is not in the file and stays. */
export type Sign = '+' | '~' | '-' | '=';

export interface Change {
  sign: Sign;
  kind: 'project' | 'environment' | 'app' | 'setting' | 'variable' | 'domain' | 'volume';
  name: string;
  /** In words; null: there is nothing, or it is a secret. */
  from: string | null;
  to: string | null;
}
