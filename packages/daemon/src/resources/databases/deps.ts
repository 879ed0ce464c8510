import type { Logger } from '@davit/service';
import type { ImageReferencesDeps } from '../../image-references/deps.ts';
import type { ManagedServicesDeps } from '../../managed-services/deps.ts';
import type { AppsDeps } from '../apps/deps.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { TcpPortsDeps } from '../tcp-ports/deps.ts';

/** What the functions of this folder work with. */
export interface DatabasesDeps extends ImageReferencesDeps, ManagedServicesDeps, AppsDeps, TcpPortsDeps {
  /** Of work that no request waits for. */
  log: Logger;
  /** What apps and the machine used. */
  metrics: Metrics;
  /** Long work that is no deployment: see `resources/tasks/kind.ts` for what a kind is, `task-kinds.ts` for those there are. */
  tasks: Tasks;
  /** Asks for databases to be looked after soon. */
  nudgeDatabases: () => void;
}
