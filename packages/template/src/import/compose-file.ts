import { Composer, type Document, isAlias, isMap, isScalar, visit, type YAMLParseError } from 'yaml';
import { cutFirstDocument } from '../yaml/cut.ts';
import { LIMITS } from '../yaml/limits.ts';
import { syntaxProblem } from '../yaml/syntax.ts';
import { isValues, type Values } from './values.ts';

export type ComposeFile =
  /**
   * Parsed Compose file. `strange` lists services whose value is not a mapping. `tags` lists YAML tags that only
   * Compose defines, such as `!reset`.
   */
  { ok: true; root: Values; services: [name: string, service: Values][]; strange: string[]; tags: string[] } | Refused;

interface Refused {
  ok: false;
  message: string;
}

/**
 * Maximum number of values that YAML aliases in a Compose file may add. A small file with many aliases could need much
 * memory.
 */
const MOST_ALIASED = 50_000;
const MOST_SERVICES = 100;
/**
 * Maximum length in characters of a value in a Compose file. Without this limit, a value could be as large as the whole
 * file.
 */
const LONGEST_VALUE = 64 * 1024;
const COMPOSE = { merge: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/** Parses a Compose file, including YAML anchors and merge keys. Never throws. */
export function readCompose(text: string): ComposeFile {
  if (text.length > LIMITS.bytes) return refused(`The file is larger than ${LIMITS.bytes / 1024} KiB.`);
  const plain = text.replace(/^\ufeff/, '');
  const cut = cutFirstDocument(plain);
  if ('over' in cut) return refused(`The file is too large for a Compose file: it exceeds the limit of “${cut.over}”.`);
  if (cut.more !== null) return refused('The file contains a second YAML document. Import each document separately.');
  const [document] = new Composer(COMPOSE).compose(cut.tokens);
  const [error] = document?.errors ?? [];
  if (error) return refused(syntaxMessage(plain, error));
  if (!document) return refused('The file is empty.');
  if (hasLongValue(document)) return refused(`A value of the file is longer than ${LONGEST_VALUE / 1024} KiB.`);
  if (aliased(document) > MOST_ALIASED) return refused('The YAML aliases of the file expand to too many values.');
  const twice = doubledService(document);
  if (twice !== null) return refused(`The service “${twice}” is in the file twice. Use a different name for each.`);
  keepNumbers(document);
  return fromRoot(rootOf(document), tagsOf(document));
}

/** Returns the message for a YAML error, with its line. */
function syntaxMessage(text: string, error: YAMLParseError): string {
  const { line, message, hint } = syntaxProblem(text, error);
  return [`Line ${line}: ${message}`, ...(hint ? [hint] : [])].join(' ');
}

/**
 * Returns the name of a service that is defined twice, or `null`. The import rejects a Compose file with such a
 * service, because it could use only one definition.
 */
function doubledService(document: Document): string | null {
  const services = document.get('services');
  if (!isMap(services)) return null;
  const names = services.items.map(({ key }) => String(isScalar(key) ? key.value : key));
  return names.find((name, index) => name !== '<<' && names.indexOf(name) !== index) ?? null;
}

const DIGITS = /^[-+]?[\d.]+$/;

/**
 * Replaces YAML numbers with their original text if parsing would change them. For example, `022` is a file mask and
 * `1.10` is a version.
 */
function keepNumbers(document: Document): void {
  visit(document, {
    Scalar(_key, scalar) {
      const { value, source = '' } = scalar;
      if (typeof value === 'number' && DIGITS.test(source) && String(value) !== source) scalar.value = source;
    },
  });
}

function rootOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 1_000 });
  } catch {
    /*
     * The YAML library throws an error if an alias has no anchor, or if aliases add too many values. The Compose file
     * is then rejected.
     */
    return null;
  }
}

/** Returns the YAML tags in the file that the YAML standard does not define, such as `!reset`. */
function tagsOf(document: Document): string[] {
  const known = new Set(document.schema.tags.map(({ tag }) => tag));
  const tags = new Set<string>();
  visit(document, {
    Value(_key, { tag }) {
      if (tag !== undefined && !known.has(tag)) tags.add(tag);
    },
  });
  return [...tags];
}

function fromRoot(root: unknown, tags: string[]): ComposeFile {
  if (!isValues(root)) return refused('The file is not a Compose file: its root is not a mapping.');
  /*
   * Compose does not replace CapRover variables such as `$$cap_appname`, so the apps would get the text `$$cap_appname`
   * as the value.
   */
  if (Object.hasOwn(root, 'caproverOneClickApp'))
    return refused(
      'The file is a one-click app of CapRover and not a Compose file. Replace its `$$cap_…` variables, and remove the key `caproverOneClickApp`.',
    );
  const found = Object.hasOwn(root, 'services') ? root.services : undefined;
  if (!isValues(found)) return refused('The file is not a Compose file: it has no `services`.');
  const services = Object.entries(found).filter((entry): entry is [string, Values] => isValues(entry[1]));
  if (services.length === 0) return refused('The file has no services.');
  if (services.length > MOST_SERVICES) return refused(`The file has more than ${MOST_SERVICES} services.`);
  const strange = Object.keys(found).filter((name) => !isValues(found[name]));
  return { ok: true, root, services, strange, tags };
}

/**
 * Returns the number of values that YAML aliases add to a document. If an alias refers to a mapping, all values of the
 * mapping are counted.
 */
function aliased(document: Document): number {
  let count = 0;
  visit(document, {
    Alias(_key, alias) {
      const target = alias.resolve(document);
      count += isMap(target) ? target.items.length + 1 : 1;
      if (isAlias(target)) count += 1;
      return count > MOST_ALIASED ? visit.BREAK : undefined;
    },
  });
  return count;
}

function hasLongValue(document: Document): boolean {
  let found = false;
  visit(document, {
    Scalar(_key, { source = '' }) {
      found ||= source.length > LONGEST_VALUE;
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

function refused(message: string): Refused {
  return { ok: false, message };
}
