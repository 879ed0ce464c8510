import { useMemo } from 'react';
import { BOX, sparklinePaths } from './sparkline-path.ts';

/** A small line of what was measured, without axes: the numbers stand beside it. */
export function Sparkline({
  values,
  full,
  label,
}: {
  values: readonly (number | null)[];
  /** What the whole height stands for. */
  full: number;
  label: string;
}) {
  const { line, area } = useMemo(() => sparklinePaths(values, full), [values, full]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      preserveAspectRatio="none"
      className="mt-1 block h-12 w-full text-accent"
    >
      <path d={area} fill="currentColor" opacity="0.12" />
      <path
        d={line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
