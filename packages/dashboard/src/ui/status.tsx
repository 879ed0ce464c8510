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

/** Color of each status on all pages. The word is always shown, too, because color alone must not carry the meaning. */
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
 * Renders a status. `running` means "in progress" for a deployment or a task, and "healthy" for an app or a database.
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
