import { Composer, type Document, isAlias, isMap, isScalar, visit } from 'yaml';
import { cutFirstDocument } from '../yaml/cut.ts';
import { LIMITS } from '../yaml/limits.ts';
import { isValues, type Values } from './values.ts';

export type ComposeFile =
  /** `strange`: the names of services that say nothing which could be one. `tags`: those that Compose alone knows, `!reset`. */
  { ok: true; root: Values; services: [name: string, service: Values][]; strange: string[]; tags: string[] } | Refused;

interface Refused {
  ok: false;
  /** One sentence. */
  message: string;
}

/** What anchors may stand for, all uses of them counted: more than this is made to be large. */
const MOST_ALIASED = 50_000;
const MOST_SERVICES = 100;
/** A file's whole text may be a value; nothing that is longer is of use to an app. */
const LONGEST_VALUE = 64 * 1024;
const COMPOSE = { merge: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

/** Reads a text of one document as a Compose file, anchors and merges included. Never throws. */
export function readCompose(text: string): ComposeFile {
  if (text.length > LIMITS.bytes) return refused(`The file is larger than ${LIMITS.bytes / 1024} KiB.`);
  const cut = cutFirstDocument(text.replace(/^\ufeff/, ''));
  if ('over' in cut) return refused(`The file has more ${cut.over} than any Compose file needs.`);
  if (cut.more !== null) return refused('There is a second document in the file: import each by itself.');
  const [document] = new Composer(COMPOSE).compose(cut.tokens);
  const [error] = document?.errors ?? [];
  if (!document || error) return refused(`The file is not YAML: ${error?.message ?? 'it is empty'}.`);
  if (hasLongValue(document)) return refused(`A value of the file is longer than ${LONGEST_VALUE / 1024} KiB.`);
  if (aliased(document) > MOST_ALIASED) return refused('The anchors of the file stand for more than it can mean.');
  const twice = doubledService(document);
  if (twice !== null) return refused(`The service «${twice}» is in the file twice: give each a name of its own.`);
  keepNumbers(document);
  return fromRoot(rootOf(document), tagsOf(document));
}

/** Only one of them could be taken, and nobody would know which. */
function doubledService(document: Document): string | null {
  const services = document.get('services');
  if (!isMap(services)) return null;
  const names = services.items.map(({ key }) => String(isScalar(key) ? key.value : key));
  return names.find((name, index) => name !== '<<' && names.indexOf(name) !== index) ?? null;
}

const DIGITS = /^[-+]?[\d.]+$/;

/** As they are written: `022` is a mask, `1.10` a version, and what is longer than a number has digits is an identifier. */
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
    // An alias without its anchor, or one that stands for far more than is written.
    return null;
  }
}

/** Tags that YAML does not know. */
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
  if (!isValues(root)) return refused('The file is no Compose file: at its root there is no mapping that can be read.');
  const found = Object.hasOwn(root, 'services') ? root.services : undefined;
  if (!isValues(found)) return refused('The file is no Compose file: it has no `services`.');
  const services = Object.entries(found).filter((entry): entry is [string, Values] => isValues(entry[1]));
  if (services.length === 0) return refused('There is no service in the file.');
  if (services.length > MOST_SERVICES) return refused(`There are more than ${MOST_SERVICES} services in the file.`);
  const strange = Object.keys(found).filter((name) => !isValues(found[name]));
  return { ok: true, root, services, strange, tags };
}

/** How many values all aliases together bring in: a merge copies each of them. */
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
