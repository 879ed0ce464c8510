/** What a plan has to know of the instance; read once, by whoever may see it. */
import type { AnswerChecks, Wrong } from './answers.ts';

export interface InstanceView extends AnswerChecks {
  version: string;
  /** Whether these are there, in the place that the plan is for. */
  hasProject: boolean;
  hasEnvironment: boolean;
  hasApp: (name: string) => boolean;
  hasDatabase: (name: string) => boolean;
  /** Stores belong to the whole instance. */
  takenStore: (name: string) => boolean;
  /** Why a host cannot be an app’s; null: it can. */
  hostProblem: (host: string) => Wrong | null;
  /** The same of a port of the machine. */
  portProblem: (port: number) => Wrong | null;
  /** Why a database cannot be adopted; null: it can. */
  adoptProblem: (reference: string, wanted: AdoptedAs) => Wrong | null;
}

/** What a template needs in the place of a new database. */
export interface AdoptedAs {
  engine: string;
  version: string | null;
}
