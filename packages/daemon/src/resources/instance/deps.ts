import type { CheckName, Instance } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { CertificatesDeps } from '../certificates/deps.ts';
import type { PlatformImagesDeps } from '../platform-images/deps.ts';
import type { Finding } from './finding.ts';

export interface InstanceDeps extends CertificatesDeps, PlatformImagesDeps {
  engine: Engine;
  /** Starts the reconcilers of databases soon, without waiting for their next regular run. */
  nudgeDatabases: () => void;
  engineSight: () => EngineSight;
  /** Returns the fullest disk of the instance, or `null` if no disk was measured yet. */
  disk: () => Instance['disk'];
  /**
   * Returns warnings for operators.
   * @param projects ids of the projects whose warnings are included, or `null` for all projects. Warnings of the
   * instance are always included.
   */
  warnings: (projects: readonly number[] | null) => string[];
  /** Returns the same warnings, each with the affected part of the instance. */
  findings: (projects: readonly number[] | null) => Finding[];
  /** Repairs of parts of the instance. Each of them returns a sentence about what it did. */
  repairs: Partial<Record<CheckName, () => Promise<string>>>;
}
