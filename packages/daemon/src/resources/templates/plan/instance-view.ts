/** Data of the instance that an installation plan needs. Contains only resources that the user may see. */
import type { AnswerChecks, Wrong } from './answers.ts';

export interface InstanceView extends AnswerChecks {
  version: string;
  /** Whether the project of the installation already exists. */
  hasProject: boolean;
  /** Whether the environment of the installation already exists. */
  hasEnvironment: boolean;
  /** Returns whether another app in the environment of the installation already has the given name. */
  hasApp: (name: string) => boolean;
  /** Returns whether another database in the environment of the installation already has the given name. */
  hasDatabase: (name: string) => boolean;
  /** Returns whether any project has an object store with this name. Store names are unique in the instance. */
  takenStore: (name: string) => boolean;
  /** Returns why an app cannot use the host name, or `null` if it can. */
  hostProblem: (host: string) => Wrong | null;
  /** Returns why an app cannot publish a TCP port on the server, or `null` if it can. */
  portProblem: (port: number) => Wrong | null;
  /** Returns why the installation cannot use an existing database, or `null` if it can. */
  adoptProblem: (reference: string, wanted: AdoptedAs) => Wrong | null;
}

/** Requirements that an existing database must meet, so that the installation can use it instead of a new one. */
export interface AdoptedAs {
  engine: string;
  version: string | null;
}
