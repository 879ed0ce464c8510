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
   * Registry of background tasks. The file `resources/tasks/kind.ts` defines the type of a task kind, and
   * `task-kinds.ts` lists all kinds.
   */
  tasks: Tasks;
  /**
   * Starts the background jobs for databases. These jobs change containers and certificates according to the database
   * rows in SQLite.
   */
  nudgeDatabases: () => void;
}
