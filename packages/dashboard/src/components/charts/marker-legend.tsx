import { TEXT } from './line-chart.tsx';
import { markerKinds } from './marker-kinds.ts';
import type { Shown } from './plot-options.ts';

/** Renders the legend of the markers in charts. The legend is empty if the charts show no markers. */
export function MarkerLegend({ markers, from }: Pick<Shown, 'markers' | 'from'>) {
  return (
    <span className="flex flex-wrap gap-x-3 text-xs text-soft" aria-hidden>
      {markerKinds(markers, { from }).map(({ kind, tone }) => (
        <span key={kind} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <svg aria-hidden viewBox="0 0 8 12" className={`h-3 w-2 ${TEXT[tone]}`}>
            <path d="M0 0h8l-3.5 7v5h-1v-5z" fill="currentColor" />
          </svg>
          {kind}
        </span>
      ))}
    </span>
  );
}
