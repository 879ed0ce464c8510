import type { ComposeService } from './compose.ts';
import type { References } from './match.ts';

type Mapping = Record<string, unknown>;

/** A service of a Compose file, and the part of the template that it became. */
export interface Part {
  service: ComposeService;
  kind: 'app' | 'database' | 'job';
  /** App, database or job in the template. */
  made: Mapping;
  references: References;
  /** Root of the Compose file. */
  root: Mapping;
  /** Keys of the parts of the template by the name of their service. */
  keys: ReadonlyMap<string, string>;
  /** Names of the services that became databases. */
  databases: ReadonlySet<string>;
  /** Other names of services: `container_name`, `hostname`, aliases and links. Only variables can contain them. */
  aliases: readonly string[];
  /** Files beside the Compose file, by their relative path. */
  files: Readonly<Record<string, string>>;
}

/** `none`: Davit has no equivalent for the value. Another text says how the template differs from the Compose file. */
export type Verdict = 'correct' | 'none' | { wrong: string };

export type Check = (part: Part, value: unknown) => Verdict;

/** Returns `correct`, or the first difference. */
export function verdictOf(differences: readonly string[]): Verdict {
  const [wrong] = differences;
  return wrong === undefined ? 'correct' : { wrong };
}
