import { type PointerEvent, useMemo } from 'react';
import { BOX, sparklinePaths } from './sparkline-path.ts';

/** Renders a small line chart without axes. The component that uses the chart must also show the values as text. */
export function Sparkline({
  values,
  full,
  label,
  pointed,
  onPoint,
}: {
  values: readonly (number | null)[];
  /** Maximum of the chart's value axis. */
  full: number;
  label: string;
  /** Index of the measurement under the pointer, or `null`. */
  pointed: number | null;
  onPoint: (step: number | null) => void;
}) {
  const { line, area } = useMemo(() => sparklinePaths(values, full), [values, full]);
  const last = Math.max(values.length - 1, 1);
  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onPoint(Math.min(Math.max(Math.round(((clientX - left) / width) * last), 0), last));
  };
  const x = pointed === null ? null : (pointed / last) * BOX.width;
  return (
    <svg
      onPointerMove={point}
      onPointerLeave={() => onPoint(null)}
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
      {x !== null && (
        <line x1={x} x2={x} y1="0" y2={BOX.height} className="stroke-edge" vectorEffect="non-scaling-stroke" />
      )}
    </svg>
  );
}
