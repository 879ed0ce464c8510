import type { Instance } from '@davit/api';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { EngineSight } from '../../adapters/engine/engine-sight.ts';
import type { CertificatesDeps } from '../certificates/deps.ts';
import type { PlatformImagesDeps } from '../platform-images/deps.ts';

/** What the functions of this folder work with. */
export interface InstanceDeps extends CertificatesDeps, PlatformImagesDeps {
  engine: Engine;
  engineSight: () => EngineSight;
  /** The fullest of the disks that the instance needs; null before one was seen. */
  disk: () => Instance['disk'];
  /**
   * Warnings for operators.
   * @param projects only those about the instance itself and these projects; null: all of them
   */
  warnings: (projects: readonly number[] | null) => string[];
}
