import type {
  AppStatus,
  DatabaseStatus,
  DeploymentStatus,
  ObjectStoreStatus,
  ReplicaState,
  TaskStatus,
} from '@davit/api';

type Tone = 'good' | 'warning' | 'error' | 'soft' | 'accent';

const TEXT: Record<Tone, string> = {
  good: 'text-good',
  warning: 'text-warning',
  error: 'text-error',
  soft: 'text-soft',
  accent: 'text-accent',
};

type Known = AppStatus | DeploymentStatus | ReplicaState | DatabaseStatus | ObjectStoreStatus | TaskStatus;

/** Color of each status. The page also shows the status as text, because color alone is not accessible. */
const TONES = {
  pending: 'soft',
  running: 'good',
  degraded: 'warning',
  down: 'error',
  stopped: 'soft',
  succeeded: 'good',
  failed: 'error',
  cancelled: 'soft',
  skipped: 'soft',
  starting: 'accent',
  ready: 'good',
  draining: 'soft',
  provisioning: 'accent',
  linked: 'good',
  trash: 'soft',
} as const satisfies Record<Known, Tone>;

/**
 * Renders a status with its color. The status `running` of a deployment or task means that it is in progress. The
 * status `running` of an app or database means that it is healthy.
 */
export function Status({ of, kind = 'app' }: { of: Known; kind?: 'app' | 'deployment' | 'replica' | 'task' }) {
  const isWork = kind === 'deployment' || kind === 'task';
  const isUnderWay = of === 'starting' || of === 'provisioning' || (isWork && of === 'running');
  const tone: Tone = isUnderWay ? 'accent' : TONES[of];
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm whitespace-nowrap ${TEXT[tone]}`}>
      <span aria-hidden className={`size-2 rounded-full bg-current ${isUnderWay ? 'motion-safe:animate-pulse' : ''}`} />
      {of}
    </span>
  );
}
