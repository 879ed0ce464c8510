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
  /** Returns the reason why an app cannot use the host name. Returns `null` if the app can use it. */
  hostProblem: (host: string) => Wrong | null;
  /**
   * Returns the reason why an app cannot publish a TCP port on the server. Returns `null` if the app can publish it.
   */
  portProblem: (port: number) => Wrong | null;
  /**
   * Returns the reason why the installation cannot use an existing database. Returns `null` if the installation can use
   * it.
   */
  adoptProblem: (reference: string, wanted: AdoptedAs) => Wrong | null;
}

/** Requirements for an existing database that the installation uses instead of a new one. */
export interface AdoptedAs {
  engine: string;
  version: string | null;
}
