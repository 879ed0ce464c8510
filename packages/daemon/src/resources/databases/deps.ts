import type { Logger } from '@davit/service';
import type { ImageReferencesDeps } from '../../image-references/deps.ts';
import type { ManagedServicesDeps } from '../../managed-services/deps.ts';
import type { AppsDeps } from '../apps/deps.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { TcpPortsDeps } from '../tcp-ports/deps.ts';

export interface DatabasesDeps extends ImageReferencesDeps, ManagedServicesDeps, AppsDeps, TcpPortsDeps {
  log: Logger;
  metrics: Metrics;
  /**
   * Registry of background tasks. `resources/tasks/kind.ts` defines a task kind, and `task-kinds.ts` lists all kinds.
   */
  tasks: Tasks;
  /**
   * Makes the reconcilers of databases run soon. They change containers and certificates until these match the rows in
   * SQLite.
   */
  nudgeDatabases: () => void;
}
