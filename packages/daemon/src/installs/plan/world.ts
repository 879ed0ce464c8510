/** What a plan has to know of the instance; read once, by whoever may see it. */
import type { AnswerChecks } from './answers.ts';

export interface World extends AnswerChecks {
  version: string;
  /** Whether these are there, in the place that the plan is for. */
  hasProject: boolean;
  hasEnvironment: boolean;
  hasApp: (name: string) => boolean;
  hasDatabase: (name: string) => boolean;
  /** Stores belong to the whole instance. */
  takenStore: (name: string) => boolean;
  /** Why a host cannot be an app’s, in a sentence; null: it can. */
  hostProblem: (host: string) => string | null;
  /** The same of a port of the machine. */
  portProblem: (port: number) => string | null;
  /** Why a database cannot be adopted; null: it can. */
  adoptProblem: (reference: string, wanted: AdoptedAs) => string | null;
}

/** What a template needs in the place of a new database. */
export interface AdoptedAs {
  engine: string;
  version: string | null;
}
