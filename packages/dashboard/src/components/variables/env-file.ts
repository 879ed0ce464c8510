/** Prepares the lines of a pasted `.env` file for the import dialog. */
import { type DoubtfulLine, readEnvFile, variableNameProblem } from '@davit/api';

/** Parsed line of a `.env` file. Line numbers start at 1. */
export type EnvEntry =
  | {
      kind: 'variable';
      line: number;
      key: string;
      value: string;
      /** Number of a later line in the `.env` file that sets the same variable. The later line takes precedence. */
      replacedAt?: number;
    }
  | { kind: 'refused'; line: number; text: string; why: string };

export interface EnvFile {
  /** Parsed lines of the `.env` file, in the order of the file. Comments and empty lines are not included. */
  entries: EnvEntry[];
  /** Environment variables of the `.env` file. If several lines set a variable, the last line determines the value. */
  values: ReadonlyMap<string, string>;
}

const REASONS: Record<DoubtfulLine['why'], string> = {
  no_variable: 'The line does not have the form NAME=value.',
  open_quote: 'The value starts with a quote, but does not end with a closing quote.',
  cut_value: 'The value would end before “#”. To keep the rest, put the value in quotes. Otherwise, add a space.',
};

/** Parses a `.env` file. Lines that are probably mistakes, and variables with invalid names, are refused. */
export function readPastedFile(text: string): EnvFile {
  const { entries: variables, doubtful } = readEnvFile(text);
  const lines = text.split(/\r\n?|\n/);
  const refused = (line: number, why: string): EnvEntry => {
    // The function `trim` also removes a byte order mark.
    return { kind: 'refused', line, text: (lines[line - 1] ?? '').trim(), why };
  };
  const mistakes = new Set(doubtful.map(({ line }) => line));
  const entries = [
    ...doubtful.map(({ line, why }) => refused(line, REASONS[why])),
    ...variables
      .filter(({ line }) => !mistakes.has(line))
      .map(({ name: key, value, line }): EnvEntry => {
        const problem = variableNameProblem(key);
        return problem === null ? { kind: 'variable', line, key, value } : refused(line, `The name ${problem}.`);
      }),
  ].toSorted((a, b) => a.line - b.line);
  return { entries: markReplaced(entries), values: valuesOf(entries) };
}

function valuesOf(entries: readonly EnvEntry[]): Map<string, string> {
  return new Map(entries.flatMap((entry) => (entry.kind === 'variable' ? [[entry.key, entry.value] as const] : [])));
}

function markReplaced(entries: readonly EnvEntry[]): EnvEntry[] {
  const last = new Map(
    entries.flatMap((entry) => (entry.kind === 'variable' ? [[entry.key, entry.line] as const] : [])),
  );
  return entries.map((entry) => {
    const counts = entry.kind === 'variable' ? last.get(entry.key) : undefined;
    return counts === undefined || counts === entry.line ? entry : { ...entry, replacedAt: counts };
  });
}
