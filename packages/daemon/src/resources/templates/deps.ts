import type { AuditLog } from '../../db/tables/audit-log.ts';
import type { DatabasesDeps } from '../databases/deps.ts';
import type { DomainsDeps } from '../domains/deps.ts';
import type { EnvironmentsDeps } from '../environments/deps.ts';
import type { ObjectStoresDeps } from '../object-stores/deps.ts';
import type { ProjectsDeps } from '../projects/deps.ts';
import type { TasksDeps } from '../tasks/deps.ts';
import type { VariablesDeps } from '../variables/deps.ts';
import type { VolumesDeps } from '../volumes/deps.ts';
import type { Catalog } from './catalog/catalog.ts';

export interface TemplatesDeps
  extends DatabasesDeps,
    DomainsDeps,
    EnvironmentsDeps,
    ObjectStoresDeps,
    ProjectsDeps,
    TasksDeps,
    VariablesDeps,
    VolumesDeps {
  audit: AuditLog;
  /** Client of the template catalog. */
  catalog: Catalog;
}
