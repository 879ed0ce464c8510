import type { DraftInput } from '../draft.ts';
import { camelCase, Keys, wordsOf } from './names.ts';
import { isExternalSecret, isSecretName, secretShape } from './secrets.ts';
import type { Variable } from './variables.ts';

/**
 * Inputs of the imported template. If the Compose file uses a variable or a secret several times, the import creates
 * only one input.
 */
export class Inputs {
  readonly #keys = new Keys();
  readonly #domains: DraftInput[] = [];
  readonly #others: DraftInput[] = [];
  readonly #byVariable = new Map<Variable, string>();
  readonly #bySecret = new Map<string, string>();

  /**
   * Returns all inputs of the template. Inputs for domains come first. The other inputs are sorted by their first use.
   */
  all(): DraftInput[] {
    return [...this.#domains, ...this.#others];
  }

  /**
   * Adds a template input for a domain and returns its key.
   * @param key preferred key. If another input already has this key, a number is added
   */
  domain(key: string, label: string): string {
    const free = this.#keys.take(key);
    this.#domains.push({ key: free, type: 'domain', label });
    return free;
  }

  /**
   * Returns the key of the template input that replaces a Compose variable. The first call for a variable creates the
   * input.
   */
  variable(variable: Variable): string {
    const { name, fallback } = variable;
    const known = this.#byVariable.get(variable);
    if (known !== undefined) return known;
    const key = this.#keys.give(camelCase(name), 'value');
    this.#byVariable.set(variable, key);
    this.#others.push(isSecretName(name) ? secretOf(key, name, '', fallback === '') : textInput(key, name, fallback));
    return key;
  }

  /**
   * Returns the key of the template input for a secret from the Compose file. If a secret occurs several times, all
   * places use the same input.
   */
  secret(name: string, value: string): string {
    /*
     * Unrelated variables may contain the same short example secret. Therefore, the names are also compared for short
     * secrets.
     */
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
  if (isExternalSecret(name)) return { key, type: 'secret', label, ...(mayBeEmpty && { required: false }) };
  return { key, type: 'secret', label, ...secretShape(name, value) };
}

function textInput(key: string, name: string, fallback: string | null): DraftInput {
  const label = wordsOf(name);
  if (fallback === null) return { key, type: 'text', label };
  return fallback === ''
    ? { key, type: 'text', label, required: false }
    : { key, type: 'text', label, default: fallback };
}
