import type { AppStatus, DatabaseStatus, DeploymentStatus, InstanceState, StoreStatus, TaskStatus } from '@davit/api';

type Tone = 'good' | 'warning' | 'error' | 'soft' | 'accent';

const TEXT: Record<Tone, string> = {
  good: 'text-good',
  warning: 'text-warning',
  error: 'text-error',
  soft: 'text-soft',
  accent: 'text-accent',
};

type Known = AppStatus | DeploymentStatus | InstanceState | DatabaseStatus | StoreStatus | TaskStatus;

/** One colour for what a word means, wherever it is shown. Colour is never all that tells them apart: the word is there. */
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

/** A deployment or a task that runs is under way, while an app or a database that runs is well. */
export function Status({ of, kind = 'app' }: { of: Known; kind?: 'app' | 'deployment' | 'instance' | 'task' }) {
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
