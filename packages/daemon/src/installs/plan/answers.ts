/** The answers to a template's inputs: what was given, what it suggests, what is made up, and what is wrong with them. */
import type { InstallProblem } from '@davit/api';
import { quote } from '@davit/service';
import { compilePattern, type Manifest, type ManifestInput } from '@davit/template/parts';
import { generateSecret, isGenerated } from './generate.ts';

export type Answers = Readonly<Record<string, string>>;

export interface Answered {
  /** Of every input; empty where nobody had to answer. */
  answers: Answers;
  /** Inputs whose secret was made up. */
  generated: string[];
  problems: InstallProblem[];
}

/** What only the instance knows of an answer. */
export interface AnswerChecks {
  /** A host as it is kept. @throws Error with a sentence */
  host: (text: string) => string;
  /** Whether there is a store of that name that may be used. */
  hasStore: (name: string) => boolean;
}

const MOST_CHARACTERS = 131_072;

/**
 * An answer that is absent takes what the template suggests; one that is empty means nothing, where nothing may be
 * answered, and counts as absent elsewhere.
 */
export function answer(manifest: Manifest, given: Answers, checks: AnswerChecks): Answered {
  const answers: Record<string, string> = {};
  const generated: string[] = [];
  const problems: InstallProblem[] = unknownIn(manifest, given);
  for (const input of manifest.inputs) {
    const { key } = input;
    const raw = Object.hasOwn(given, key) ? given[key] : undefined;
    const text = input.type === 'secret' ? raw : raw?.trim();
    const isAbsent = text === undefined || (text === '' && input.required);
    if (!isAbsent) {
      const judged = text === '' ? { text } : judge(input, text, checks);
      answers[key] = judged.text ?? '';
      if (judged.problem !== undefined) problems.push({ field: `inputs.${key}`, message: judged.problem });
    } else if (isGenerated(input)) {
      answers[key] = generateSecret(input);
      generated.push(key);
    } else {
      answers[key] = input.default === undefined ? '' : written(input.default);
      if (input.default === undefined && input.required)
        problems.push({ field: `inputs.${key}`, message: `«${quote(input.label)}» has to be answered.` });
    }
  }
  return { answers, generated, problems };
}

/** A number as one writes it: never with an exponent. */
export function written(value: string | number): string {
  if (typeof value === 'string') return value;
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}

interface Judged {
  text?: string;
  problem?: string;
}

function judge(input: ManifestInput, text: string, checks: AnswerChecks): Judged {
  if (text.length > MOST_CHARACTERS) return { problem: 'It must be at most 128 KiB.' };
  if (text.includes('\0')) return { problem: 'It must not contain NUL.' };
  switch (input.type) {
    case 'domain':
      return hostOf(text, checks);
    case 'number':
      return { text, ...numberProblem(input, text) };
    case 'choice':
      if (input.options?.includes(text)) return { text };
      return { text, problem: `It must be one of ${quote((input.options ?? []).join(', '))}.` };
    case 'text':
      return { text, ...patternProblem(input, text) };
    case 'store':
      return checks.hasStore(text)
        ? { text }
        : { text, problem: 'There is no such object store, or you do not see it.' };
    case 'secret':
      return { text };
  }
}

function hostOf(text: string, { host }: AnswerChecks): Judged {
  try {
    return { text: host(text) };
  } catch (error) {
    return { text, problem: error instanceof Error ? error.message : 'It must be a host name.' };
  }
}

function numberProblem({ min, max }: ManifestInput, text: string): Judged {
  if (!/^[-+]?\d+(\.\d+)?$/.test(text) || !Number.isFinite(Number(text)))
    return { problem: 'It must be a number, such as 8080 or 0.5.' };
  if (min !== undefined && Number(text) < min) return { problem: `It must be at least ${written(min)}.` };
  if (max !== undefined && Number(text) > max) return { problem: `It must be at most ${written(max)}.` };
  return {};
}

function patternProblem({ pattern }: ManifestInput, text: string): Judged {
  if (pattern === undefined) return {};
  const compiled = compilePattern(pattern);
  // One that only some programs understand cannot be held against anything.
  if (!compiled.ok) return {};
  const matches = compiled.pattern.matches(text);
  if (matches === null) return { problem: 'It is too long for the pattern that it has to match.' };
  return matches ? {} : { problem: `It must match the pattern «${quote(pattern)}».` };
}

function unknownIn({ inputs }: Manifest, given: Answers): InstallProblem[] {
  const known = new Set(inputs.map(({ key }) => key));
  const unknown = Object.keys(given).filter((key) => !known.has(key));
  return unknown.map((key) => ({ field: `inputs.${key}`, message: 'The template has no such input.' }));
}
