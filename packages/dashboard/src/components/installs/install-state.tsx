import type { InstallStatus } from '@davit/api';

const LOOKS: Record<InstallStatus, string> = {
  installing: 'text-accent',
  installed: 'text-good',
  updating: 'text-accent',
  failed: 'text-error',
  uninstalling: 'text-accent',
  uninstalled: 'text-soft',
};

export function InstallState({ of }: { of: InstallStatus }) {
  const isUnderWay = of.endsWith('ing');
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm whitespace-nowrap ${LOOKS[of]}`}>
      <span aria-hidden className={`size-2 rounded-full bg-current ${isUnderWay ? 'motion-safe:animate-pulse' : ''}`} />
      {of}
    </span>
  );
}
