/** Checks the user's answers to the inputs of a template. Adds defaults and generated secrets. */
import type { FieldCode, InstallProblem } from '@davit/api';
import { quote } from '@davit/service';
import { compilePattern, type Manifest, type ManifestInput } from '@davit/template/parts';
import { generateSecret, isGenerated } from './generate.ts';

export type Answers = Readonly<Record<string, string>>;

/** Problem with the value that a user entered for a template input. It does not contain the name of the input. */
export type Wrong = Omit<InstallProblem, 'field'>;

export interface Answered {
  /** Answers to all template inputs. If the user did not answer an optional input, the value is an empty string. */
  answers: Answers;
  /** Keys of the template inputs for which Davit generated a secret. */
  generated: string[];
  problems: InstallProblem[];
}

/** Functions that check answers to template inputs against data of the instance. */
export interface AnswerChecks {
  /** Returns the normalized host name, or an error message if the text is not a valid host name. */
  host: (text: string) => { host: string } | { problem: string };
  /** Returns whether an object store with this name exists and the user may use it. */
  hasStore: (name: string) => boolean;
}

const MOST_CHARACTERS = 131_072;

/**
 * Checks the user's answers and adds defaults for missing answers. For a required input, an empty answer is treated as
 * missing. For an optional input, it means no value.
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
      if (judged.problem !== undefined) problems.push({ field: `inputs.${key}`, ...judged.problem });
    } else if (isGenerated(input)) {
      answers[key] = generateSecret(input);
      generated.push(key);
    } else {
      answers[key] = input.default === undefined ? '' : numberText(input.default);
      if (input.default === undefined && input.required)
        problems.push({
          ...{ field: `inputs.${key}`, code: 'required' },
          message: `“${quote(input.label)}” is required.`,
        });
    }
  }
  return { answers, generated, problems };
}

/** Formats a number as text without an exponent. */
export function numberText(value: string | number): string {
  if (typeof value === 'string') return value;
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}

interface Judged {
  text?: string;
  problem?: Wrong;
}

function wrong(code: FieldCode, message: string): { problem: Wrong } {
  return { problem: { code, message } };
}

function judge(input: ManifestInput, text: string, checks: AnswerChecks): Judged {
  if (text.length > MOST_CHARACTERS) return wrong('too_large', 'The value must be at most 128 KiB.');
  if (text.includes('\0')) return wrong('invalid_format', 'The value must not contain the NUL character.');
  switch (input.type) {
    case 'domain':
      return hostOf(text, checks);
    case 'number':
      return { text, ...numberProblem(input, text) };
    case 'choice':
      if (input.options?.includes(text)) return { text };
      return {
        text,
        ...wrong('invalid_value', `The value must be one of ${quote((input.options ?? []).join(', '))}.`),
      };
    case 'text':
      return { text, ...patternProblem(input, text) };
    case 'store':
      return checks.hasStore(text)
        ? { text }
        : { text, ...wrong('not_found', 'This object store does not exist, or you cannot access it. Check its name.') };
    case 'secret':
      return { text };
  }
}

function hostOf(text: string, { host }: AnswerChecks): Judged {
  const read = host(text);
  return 'host' in read ? { text: read.host } : { text, ...wrong('invalid_format', read.problem) };
}

function numberProblem({ min, max }: ManifestInput, text: string): Judged {
  if (!/^[-+]?\d+(\.\d+)?$/.test(text) || !Number.isFinite(Number(text)))
    return wrong('invalid_format', 'The value must be a number, such as 8080 or 0.5.');
  if (min !== undefined && Number(text) < min)
    return wrong('too_small', `The value must be at least ${numberText(min)}.`);
  if (max !== undefined && Number(text) > max)
    return wrong('too_large', `The value must be at most ${numberText(max)}.`);
  return {};
}

function patternProblem({ pattern }: ManifestInput, text: string): Judged {
  if (pattern === undefined) return {};
  const compiled = compilePattern(pattern);
  // If Davit cannot compile the regular expression of a template input, accept every value for this input.
  if (!compiled.ok) return {};
  const matches = compiled.pattern.matches(text);
  if (matches === null)
    return wrong(
      'too_large',
      'The value is too long, so Davit cannot check it with the pattern of this input. Enter a shorter value.',
    );
  return matches ? {} : wrong('invalid_format', `The value must match the pattern “${quote(pattern)}”.`);
}

function unknownIn({ inputs }: Manifest, given: Answers): InstallProblem[] {
  const known = new Set(inputs.map(({ key }) => key));
  const unknown = Object.keys(given).filter((key) => !known.has(key));
  return unknown.map((key) => ({
    field: `inputs.${key}`,
    code: 'unknown',
    message: 'The template does not have this input.',
  }));
}
