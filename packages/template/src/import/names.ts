import { isSlug, LONGEST_SLUG } from '../rules/slug.ts';

/** Creates unique keys for the apps, databases and other parts of a template. */
export class Keys {
  readonly #taken = new Set<string>();

  /**
   * Converts a name to a valid key. If the key is already used, a number is added to the key.
   * @param fallback key if the name contains no valid character
   */
  give(name: string, fallback: string): string {
    const clean = name
      .replaceAll(/[^a-zA-Z0-9_-]+/g, '-')
      .replaceAll(/^[^a-zA-Z]+|-+$/g, '')
      .slice(0, 60);
    return this.take(clean === '' ? fallback : clean);
  }

  /**
   * Returns the key. If the key is already used, adds a number to the key.
   * @param longest maximum length. If the key with the number would be longer, the key is shortened
   */
  take(key: string, longest = Number.POSITIVE_INFINITY): string {
    let free = key;
    for (let number = 2; this.#taken.has(free); number++)
      free = `${key.slice(0, longest - String(number).length)}${number}`;
    this.#taken.add(free);
    return free;
  }
}

const RESERVED = ['settings', 'engines', 'providers'];

/**
 * Converts a text to a valid name of a project or a resource.
 * @param fallback name if the text contains no valid character
 */
export function slugOf(name: string, fallback: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|-+$/g, '');
  if (!isSlug(slug)) return fallback;
  return RESERVED.includes(slug) ? `${slug}-app` : slug;
}

/**
 * Converts the name of a variable to the key of a template input. For example, `DB_PASSWORD` becomes `dbPassword`, and
 * `smtp-host` becomes `smtpHost`.
 */
export function camelCase(name: string): string {
  const words = name.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '');
  const isShouted = name === name.toUpperCase();
  const parts = words.map((word) => (isShouted ? word.toLowerCase() : word));
  const [first = '', ...rest] = parts;
  const head = `${first.charAt(0).toLowerCase()}${first.slice(1)}`;
  return [head, ...rest.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join('');
}

/**
 * Converts the name of a variable to the label of a template input. For example, `DB_PASSWORD` becomes `Db password`.
 */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/[^a-zA-Z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
