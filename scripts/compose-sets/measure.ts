/** Imports Compose files and counts what was converted, changed, left out and refused. */
import { parse } from 'yaml';
import { type ImportNote, importCompose } from '../../packages/template/src/import/index.ts';
import { type ComposeService, mappingOf, readRoot, readServices } from './compose.ts';
import { EQUIVALENTS } from './equivalents.ts';
import type { Part } from './part.ts';
import { partsOf } from './parts.ts';

export type Outcome = 'whole' | 'lossy' | 'refused';

export interface Difference {
  service: string;
  key: string;
  wrong: string;
  /** Whether the report of the import contains a note about this key of this service. */
  isStated: boolean;
}

export interface Measured {
  outcome: Outcome;
  /** Reasons of a refusal, or reasons for which a key was left out, without the names in them. Each occurs once. */
  reasons: string[];
  /** Number of values by key: converted correctly, and all values for which Davit has an equivalent. */
  keys: Map<string, { correct: number; all: number }>;
  differences: Difference[];
}

/**
 * Imports one Compose file and checks the result.
 * @param files text files beside the Compose file, by their relative path
 */
export function measure(compose: string, files: Part['files'] = {}): Measured {
  const made = importCompose(compose, { emptyDomains: true, folder: 'measured', files });
  const none = { keys: new Map(), differences: [] };
  if (!made.ok) return { outcome: 'refused', reasons: distinct(made.reasons.map(withoutNames)), ...none };
  if (made.manifest === null) {
    const errors = made.problems.filter(({ severity }) => severity === 'error');
    return { outcome: 'refused', reasons: distinct(errors.map(({ message }) => withoutNames(message))), ...none };
  }
  const leftOut = made.notes.filter(({ kind }) => kind === 'left-out');
  const reasons = distinct(leftOut.map(({ key, message }) => `\`${key}\`: ${withoutNames(message)}`));
  const checked = check(compose, made.template, made.notes, files);
  return { outcome: reasons.length === 0 ? 'whole' : 'lossy', reasons, ...checked };
}

function check(compose: string, template: string, notes: readonly ImportNote[], files: Part['files']) {
  const services = readServices(compose) ?? [];
  const parts = partsOf(readRoot(compose), services, mappingOf(parse(template)), files);
  const keys: Measured['keys'] = new Map();
  const differences: Difference[] = [];
  for (const service of services) {
    const part = parts.get(service);
    if (part === undefined) {
      const isStated = notes.some((note) => note.service === service.name && note.key === 'service');
      if (!isStated)
        differences.push({ service: service.name, key: 'service', wrong: 'the service is missing', isStated });
      continue;
    }
    for (const [key, wrong] of verdicts(part)) {
      const count = keys.get(key) ?? { correct: 0, all: 0 };
      keys.set(key, { correct: count.correct + (wrong === null ? 1 : 0), all: count.all + 1 });
      if (wrong === null) continue;
      const isStated = notes.some((note) => isAbout(note, service, key));
      differences.push({ service: service.name, key, wrong, isStated });
    }
  }
  return { keys, differences };
}

/** Returns the keys of a service that Davit has an equivalent for, each with its difference or `null`. */
function* verdicts(part: Part): Generator<[key: string, wrong: string | null]> {
  for (const [key, { check: checkKey }] of Object.entries(EQUIVALENTS)) {
    let value: unknown = part.service.values;
    for (const step of key.split('.')) value = mappingOf(value)[step];
    if (value === undefined || value === null) continue;
    const verdict = checkKey(part, value);
    if (verdict !== 'none') yield [key, verdict === 'correct' ? null : verdict.wrong];
  }
}

function isAbout(note: ImportNote, { name }: ComposeService, key: string): boolean {
  return note.service === name && note.kind !== 'carried' && (note.key === key || key.startsWith(`${note.key}.`));
}

/** Replaces names, numbers and paths in a message, so that messages with the same reason are equal. */
export function withoutNames(message: string): string {
  return message
    .replaceAll(/“[^”]*”/g, '“…”')
    .replaceAll(/\$\{[^}]*\}/g, '$…')
    .replaceAll(/(?<=^|\s)(?:[~.$\w{}:-]*\/)+[^\s,]*[^\s,.]/g, '…')
    .replaceAll(/(?<![\w.])\d+(?:\.\d+)*/g, 'N');
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
