import type { Path } from '../diagnostic.ts';
import { isDeclared } from '../meaning/keys.ts';
import type { Scope } from '../meaning/scope.ts';
import { ATTRIBUTES, type ReferenceKind, referencesIn } from '../references.ts';
import { either, excerpt } from '../shape/words.ts';
import { LIMITS } from '../yaml/limits.ts';

/**
 * Matches text that is probably a misspelled reference. The text consists of a dollar sign and braces around a word, a
 * dot and a name.
 */
const CANDIDATE = /\$\s?\{{1,2}\s{0,4}([A-Za-z]{2,12})\s{0,4}\.([^${}\n]{0,100})\}{0,2}/g;

/**
 * Map from a word that authors may use by mistake to the correct type of the reference. For example, an author may
 * write `database` instead of `db` in `${db.main.host}`.
 */
const MEANT: Readonly<Record<string, ReferenceKind>> = {
  ...{ input: 'input', inputs: 'input', secret: 'input', secrets: 'input', var: 'input', vars: 'input' },
  ...{ app: 'app', apps: 'app', application: 'app' },
  ...{ db: 'db', dbs: 'db', database: 'db', databases: 'db' },
  ...{ store: 'store', stores: 'store', storage: 'store' },
};

/**
 * Warns about texts that look like references but have an invalid format. Davit does not replace such a text, so the
 * app would receive it unchanged.
 */
export function adviseTexts(scope: Scope): void {
  let left = LIMITS.references;
  for (const { text, path, place: keyKind } of scope.texts) {
    // `host` keys are skipped, because another check reports invalid references in these keys.
    if (keyKind === 'host' || !text.includes('$')) continue;
    for (const candidate of text.matchAll(CANDIDATE)) {
      left -= 1;
      if (left < 0) return;
      adviseCandidate(scope, candidate, path);
    }
  }
}

function adviseCandidate(scope: Scope, [whole, word = '', rest = '']: RegExpExecArray, path: Path): void {
  if (referencesIn(whole).length > 0) return;
  const kind = Object.hasOwn(MEANT, word.toLowerCase()) ? MEANT[word.toLowerCase()] : undefined;
  if (kind === undefined) return;
  const [key = '', attribute] = rest.split('.').map((part) => /^\s*([\w-]*)/.exec(part)?.[1]);
  /*
   * A text such as `${database.main}` can belong to another tool. Therefore, the warning is added only if the template
   * has a database `main`.
   */
  const isKnown = isDeclared(scope, kind, key);
  if (word !== kind && !isKnown) return;
  const message = `${excerpt(whole.trim())} is not a valid reference, so it is used as plain text.`;
  scope.warning('advice.near-reference', path, message, hintFor(kind, isKnown ? key : '<key>', attribute));
}

function hintFor(kind: ReferenceKind, key: string, attribute: string | undefined): string {
  const attributes = ATTRIBUTES[kind];
  if (attributes.length === 0) return `Write \`\${${kind}.${key}}\`.`;
  if (attribute !== undefined && attributes.includes(attribute)) return `Write \`\${${kind}.${key}.${attribute}}\`.`;
  return `Write ${either(attributes.map((name) => `\${${kind}.${key}.${name}}`))}.`;
}
