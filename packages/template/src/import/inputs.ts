import type { DraftInput } from '../draft.ts';
import { camelCase, Keys, wordsOf } from './names.ts';
import { askedForSecret, isSecretName, secretShape } from './secrets.ts';
import type { Variable } from './variables.ts';

/** What the template asks for, each once however often it is used. */
export class Inputs {
  readonly #keys = new Keys();
  readonly #domains: DraftInput[] = [];
  readonly #others: DraftInput[] = [];
  readonly #byVariable = new Map<string, string>();
  readonly #bySecret = new Map<string, string>();

  /** Domains first, then the rest in the order in which they were met. */
  all(): DraftInput[] {
    return [...this.#domains, ...this.#others];
  }

  /** @param key what it is called, with a number when that is taken */
  domain(key: string, label: string): string {
    const free = this.#keys.take(key);
    this.#domains.push({ key: free, type: 'domain', label });
    return free;
  }

  /** The input that stands for a variable of the Compose file. */
  variable({ name, fallback }: Variable): string {
    const known = this.#byVariable.get(name);
    if (known !== undefined) return known;
    const key = this.#keys.give(camelCase(name), 'value');
    this.#byVariable.set(name, key);
    this.#others.push(isSecretName(name) ? secretOf(key, name, '', fallback === '') : textInput(key, name, fallback));
    return key;
  }

  /** The input that stands for a secret that is written in the Compose file: one for the same text. */
  secret(name: string, value: string): string {
    // A stand-in that is used twice is no sign that the two are one secret.
    const identity = value.length < 12 ? `${name}=${value}` : value;
    const known = this.#bySecret.get(identity);
    if (known !== undefined) return known;
    const key = this.#keys.give(camelCase(name), 'secret');
    this.#bySecret.set(identity, key);
    this.#others.push(secretOf(key, name, value, false));
    return key;
  }
}

function secretOf(key: string, name: string, value: string, mayBeEmpty: boolean): DraftInput {
  const label = wordsOf(name);
  if (askedForSecret(name)) return { key, type: 'secret', label, ...(mayBeEmpty && { required: false }) };
  return { key, type: 'secret', label, ...secretShape(value) };
}

function textInput(key: string, name: string, fallback: string | null): DraftInput {
  const label = wordsOf(name);
  if (fallback === null) return { key, type: 'text', label };
  return fallback === ''
    ? { key, type: 'text', label, required: false }
    : { key, type: 'text', label, default: fallback };
}
