import type { ChartMarker, Shown } from './plot-options.ts';

/** Returns one marker of each kind in charts that begin at `from`, sorted by kind. Markers at the end of a chart count. */
export function markerKinds(
  markers: readonly ChartMarker[],
  { from }: Pick<Shown, 'from'>,
): Pick<ChartMarker, 'kind' | 'tone'>[] {
  const shown = markers.filter(({ at }) => at >= from);
  const kinds = new Map(shown.map(({ kind, tone }) => [kind, { kind, tone }]));
  return [...kinds.values()].sort((a, b) => a.kind.localeCompare(b.kind));
}
